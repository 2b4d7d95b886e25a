import type { Agent } from '../areas/agents/records.ts';
import type { Platform } from '../areas/auth/records.ts';
import type { World } from '../world/world.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

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
  caller: Agent | Platform | undefined;
}

/** The agent that calls; the route must be declared for agents. */
export function agentOf(call: Call): Agent {
  if (call.caller?.kind !== 'agent') throw new Error(`${call.path} is not a route for agents`);
  return call.caller;
}

/** The platform that calls; the route must be declared for platforms. */
export function platformOf(call: Call): Platform {
  if (call.caller?.kind !== 'platform') throw new Error(`${call.path} is not a route for platforms`);
  return call.caller;
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
