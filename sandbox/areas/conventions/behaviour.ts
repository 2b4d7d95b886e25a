import { randomUUID } from 'node:crypto';
import type { Call, Route } from '../../server/area.ts';
import { componentSchema, type FieldError, fieldErrors, type Schema } from '../../server/contract-schemas.ts';
import { type Json, parseJson } from '../../server/json.ts';
import { type Passes, Refusal } from '../../server/refusal.ts';
import { IllegalMove, leadsTo, type Life, type Living } from '../../world/table.ts';
import type { World } from '../../world/world.ts';

/** The schema that openapi.yaml gives to a body. */
export function requestSchema(_world: World, component: string): Schema {
  return componentSchema(component);
}

/** How many characters a text has: code points. What counts as one is left open. */
export function countCharacters(_world: World, text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Everything that is wrong with a body, one entry a field. */
export function checkBody(world: World, schema: Schema, body: Json): FieldError[] {
  return fieldErrors(schema, body, (text) => world.behaviour.countCharacters(text));
}

/** Bodies are JSON and say so. */
export function acceptContentType(world: World, type: string | undefined): Passes {
  if (type === undefined || /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) return;
  throw world.behaviour.refuseContentType(type);
}

/** Reads the bytes of a body: UTF-8, strict JSON. */
export function readJson(world: World, bytes: Buffer): Json {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw world.behaviour.refuseMalformedJson(error instanceof SyntaxError ? error.message : 'not UTF-8');
  }
}

/** The body that a route asks for, read and held against its schema. @throws Refusal */
export function readBody(world: World, call: Call, route: Route): Json | undefined {
  if (route.body === undefined) return undefined;
  if (call.rawBody.length === 0) {
    if (route.bodyOptional) return undefined;
    throw world.behaviour.refuseMissingBody();
  }
  world.behaviour.acceptContentType(call.headers['content-type']);
  const body = world.behaviour.readJson(call.rawBody);
  const schema = typeof route.body === 'string' ? world.behaviour.requestSchema(route.body) : route.body;
  const errors = world.behaviour.checkBody(schema, body);
  if (errors.length > 0) throw world.behaviour.refuseInvalidFields(errors);
  return body;
}

/** The path that the routes know a called path by. */
export function servedPath(_world: World, path: string): string {
  return path;
}

/** The part of an id after the colon. */
export function newUuid(_world: World): string {
  return randomUUID();
}

/** A time as the wire shows it. @param at milliseconds since the epoch */
export function presentTime(_world: World, at: number): string {
  return new Date(at).toISOString();
}

/** An amount as the wire shows it: all its digits. */
export function presentAmount(_world: World, amount: bigint): Json {
  return amount;
}

/** An amount as a body says it, once its schema has made sure that it is an int64. */
export function readAmount(_world: World, value: Json | undefined): bigint {
  return BigInt(value as number | bigint);
}

/** The order in which a list is shown: newest last. */
export function orderList<T>(_world: World, rows: readonly T[]): readonly T[] {
  return rows;
}

/** Longest page that can be asked for. */
const LONGEST_PAGE = 100;

/** Which rows of so many a page shows: from `start` to before `end`. @throws Refusal */
export function pageOf(
  _world: World,
  total: number,
  limit: string | undefined,
  cursor: string | undefined,
): { readonly start: number; readonly end: number } {
  const first = cursor === undefined ? '0' : Buffer.from(cursor, 'base64url').toString();
  if (!/^\d{1,9}$/.test(first))
    throw new Refusal(400, 'INVALID_INPUT', 'The cursor is none that a list has given.');
  const start = Number(first);
  if (limit === undefined) return { start, end: total };
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > LONGEST_PAGE)
    throw new Refusal(400, 'INVALID_INPUT', `limit must be a whole number from 1 to ${LONGEST_PAGE}.`);
  return { start, end: start + Number(limit) };
}

/** What a list says of itself: how many rows there are, and where the next page begins. */
export interface Page {
  readonly total: number;
  readonly next?: number;
}

/** The wrapping of a list. */
export function presentList(_world: World, items: readonly Json[], { total, next }: Page): Json {
  return {
    data: items,
    hasMore: next !== undefined,
    ...(next === undefined ? {} : { nextCursor: Buffer.from(String(next)).toString('base64url') }),
    totalCount: total,
  };
}

/** Moves a record to another status. @throws IllegalMove where its life does not lead */
export function changeStatus(world: World, life: Life, record: Living, to: string): void {
  if (!world.behaviour.legalMove(life, record.status, to)) throw new IllegalMove(life, record, to);
  (record as { status: string }).status = to;
}

/** Ends what time has ended, before anything is read. */
export function passTime(world: World): void {
  const { behaviour } = world;
  behaviour.endRequests();
  behaviour.endSessions();
  behaviour.endLoginChallenges();
  behaviour.endScaChallenges();
  behaviour.endQuotes();
}

/** The tables of legal moves stand beside the records. */
export function legalMove(_world: World, life: Life, from: string, to: string): boolean {
  return leadsTo(life, from, to);
}
