import { type Call, ok, type Reply } from '../../server/area.ts';
import type { Json } from '../../server/json.ts';
import { Refusal } from '../../server/refusal.ts';
import type { Table } from '../../world/table.ts';
import type { Agent } from '../agents/records.ts';
import { type Customer, customers } from '../customers/records.ts';
import type { Platform } from '../platform/records.ts';

/** Longest page that can be asked for. */
const LONGEST_PAGE = 100;

/** The agent that calls; the route must be declared for agents. */
export function agentOf(call: Call): Agent {
  if (call.caller?.kind !== 'agent') throw new Error(`${call.path} is not a route for agents`);
  return call.caller as Agent;
}

/** The platform that calls; the route must be declared for platforms. */
export function platformOf(call: Call): Platform {
  if (call.caller?.kind !== 'platform') throw new Error(`${call.path} is not a route for platforms`);
  return call.caller as Platform;
}

/** A record that belongs to the calling platform. @throws Refusal 404 when it is not there or another platform's */
export function ownedBy<T extends { readonly platformId: string }>(
  call: Call,
  table: Table<T>,
  kind: string,
  id: string,
): T {
  return found(call, table, kind, id, (record) => owns(call, record));
}

/** A customer of the calling platform. @throws Refusal 404 */
export function ownedCustomer(call: Call, id: string): Customer {
  return ownedBy(call, customers, 'Customer', id);
}

/** A record of one of the platform's customers. @throws Refusal 404 */
export function ownedByCustomer<T extends { readonly customerId: string }>(
  call: Call,
  table: Table<T>,
  kind: string,
  id: string,
): T {
  return found(call, table, kind, id, (record) => ownsCustomerOf(call, record));
}

function found<T>(call: Call, table: Table<T>, kind: string, id: string, isOwn: (record: T) => boolean): T {
  const record = table.get(call.world, id);
  if (record && isOwn(record)) return record;
  throw call.world.behaviour.refuseNotFound(kind, id);
}

/** The records of a table that belong to the calling platform. */
export function allOwned<T extends { readonly platformId: string }>(call: Call, table: Table<T>): T[] {
  return table.all(call.world).filter((record) => owns(call, record));
}

/** The records of a table that belong to customers of the calling platform. */
export function allOwnedByCustomers<T extends { readonly customerId: string }>(
  call: Call,
  table: Table<T>,
): T[] {
  return table.all(call.world).filter((record) => ownsCustomerOf(call, record));
}

/** The records of a table that the calling agent sees. */
export function allSeen<T extends { readonly customerId: string }>(call: Call, table: Table<T>): T[] {
  return table.all(call.world).filter((record) => call.world.behaviour.agentSees(agentOf(call), record));
}

function owns(call: Call, record: { readonly platformId: string }): boolean {
  return platformOwns(platformOf(call), record);
}

function ownsCustomerOf(call: Call, { customerId }: { readonly customerId: string }): boolean {
  const customer = customers.get(call.world, customerId);
  return customer !== undefined && owns(call, customer);
}

/** What a list may be asked for: by the name of a query parameter, what a row has there. */
export type Filters<T> = { readonly [parameter: string]: (row: T) => string };

/** Query parameters of a list with these filters. */
export function listQuery(filters: object = {}): readonly string[] {
  return [...Object.keys(filters), 'limit', 'cursor'];
}

/**
 * The part of a list that was asked for, in the world's order and wrapping: `?<filter>=`, `?limit=` and `?cursor=`. Whoever
 * names no limit gets everything.
 *
 * @throws Refusal for a limit or a cursor that is none
 */
export function list<T>(
  call: Pick<Call, 'world' | 'query'>,
  rows: readonly T[],
  present: (row: T) => Json,
  filters: Filters<T> = {},
): Reply {
  const { behaviour } = call.world;
  const wanted = Object.entries(filters).filter(([name]) => call.query[name] !== undefined);
  const found = rows.filter((row) => wanted.every(([name, valueOf]) => valueOf(row) === call.query[name]));
  const page = pageOf(found.length, call.query['limit'], call.query['cursor']);
  const shown = behaviour.orderList(found).slice(page.start, page.end);
  return ok(
    behaviour.presentList(
      shown.map((row) => present(row)),
      { total: found.length, ...(page.end < found.length ? { next: page.end } : {}) },
    ),
  );
}

/** Which rows of so many a page shows: from `start` to before `end`. @throws Refusal */
function pageOf(
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

/** A platform sees and steers its own records only. */
export function platformOwns(platform: Platform, record: { readonly platformId: string }): boolean {
  return record.platformId === platform.id;
}
