import type { Table } from '../world/table.ts';
import type { World } from '../world/world.ts';
import { withAbsoluteReferences } from './contract-schemas.ts';
import { type Json, type JsonObject, isObject } from './json.ts';
import { readYaml } from './read-contract.ts';

/** A part of the service: what it answers and what it can prepare. */
export interface Area {
  /** The heading under which the reference shows its operations. */
  readonly name: string;
  readonly routes: readonly Route[];
  readonly states: readonly State[];
}

/** A JSON Schema: the name of a component of openapi.yaml, or a schema of the sandbox's own where none is shown. */
export type BodySchema = string | { readonly [keyword: string]: unknown };

/** One operation of the service. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the base URL, parameters with a colon: `/agents/:agentId`. */
  readonly path: string;
  readonly auth: 'platform' | 'agent' | 'none';
  /** What it does, in a few words: for the reference, where the contract does not describe it. */
  readonly summary?: string;
  /** Query parameters that it understands, for the reference. */
  readonly query?: readonly string[];
  /** Absent: a body is neither read nor checked. */
  readonly body?: BodySchema;
  /** A body that can be sent as it is, for the reference. */
  readonly example?: JsonObject;
  /** True when the operation also works without a body. */
  readonly bodyOptional?: boolean;
  readonly handle: (world: World, call: Call) => Reply | Promise<Reply>;
}

/** What operations.yaml says beside method and path. */
type Described = Pick<Route, 'summary' | 'body' | 'example' | 'bodyOptional'>;

/** What the sandbox says of its operations in YAML. */
const { operations } = withAbsoluteReferences(readYaml('../operations.yaml')) as {
  operations: Readonly<Record<string, Described>>;
};

/** How a route is called: by which method and path, and by whom; and what operations.yaml says of it. */
export function operation(
  line: `${Route['method']} /${string}`,
  auth: Route['auth'] = 'platform',
): Pick<Route, 'method' | 'path' | 'auth'> & Described {
  const [method, path] = line.split(' ') as [Route['method'], string];
  return { method, path, auth, ...operations[line] };
}

/** A situation that a caller of `POST /<world>/provider-states` can ask for. */
export interface State {
  readonly name: string;
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

/** The record that a param names. @throws Unpreparable */
export function named<T>(world: World, table: Table<T>, kind: string, id: Json | undefined): T {
  const record = typeof id === 'string' ? table.get(world, id) : undefined;
  if (record === undefined) throw new Unpreparable(`there is no such ${kind}.`);
  return record;
}

/** Whoever has shown credentials. What there is to know of each kind, areas/conventions/operations.ts knows. */
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
