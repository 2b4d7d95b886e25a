import type { World } from '../world/world.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** Whoever has shown credentials. What there is to know of each kind, areas/auth knows. */
export interface Caller {
  readonly kind: 'agent' | 'platform';
  readonly id: string;
}

/** One request on its way through a world. */
export interface Call {
  readonly world: World;
  readonly method: string;
  /** Below the base URL, without the query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly rawBody: Buffer;
  /** Undefined when there is none. */
  body: Json | undefined;
  caller: Caller | undefined;
}

/** The body as an object, once its schema has made sure of it; an absent body is empty. */
export function bodyOf(call: Call): JsonObject {
  return isObject(call.body) ? call.body : {};
}

/** An answer before it is written: `body` undefined means none at all. */
export interface Reply {
  readonly status: number;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

export const ok = (body: Json): Reply => ({ status: 200, body });
export const created = (body: Json): Reply => ({ status: 201, body });
export const noContent = (): Reply => ({ status: 204 });
