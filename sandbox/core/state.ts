import type { Json, JsonObject } from './json.ts';
import type { World } from './world.ts';

/** A situation that a caller of `POST /<world>/provider-states` can ask for. */
export interface State {
  readonly name: string;
  /** JSON Schema of its params; a param it does not name is refused. */
  readonly params: { readonly [name: string]: object };
  /**
   * Makes new records and returns the values that a test needs to use them.
   *
   * @throws Unpreparable for params that it understands and cannot serve
   */
  readonly setup: (world: World, params: JsonObject) => JsonObject | Promise<JsonObject>;
  /** Takes back what setup made, given the values that it returned. */
  readonly teardown?: (world: World, values: JsonObject) => void;
}

/** The state is known, but not with these params. */
export class Unpreparable extends Error {}

/** A param with its default. */
export function param<T extends Json>(params: JsonObject, name: string, fallback: T): T {
  return (params[name] ?? fallback) as T;
}
