import { type Call, type Reply, type Route, ok } from '../../server/area.ts';
import type { Json } from '../../server/json.ts';
import type { Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';

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
  const { rules } = call.world;
  const wanted = Object.entries(filters).filter(([name]) => call.query[name] !== undefined);
  const found = rows.filter((row) => wanted.every(([name, valueOf]) => valueOf(row) === call.query[name]));
  const page = rules.pageOf(found.length, call.query['limit'], call.query['cursor']);
  const shown = rules.orderList(found).slice(page.start, page.end);
  return ok(
    rules.presentList(
      shown.map((row) => present(row)),
      { total: found.length, ...(page.end < found.length ? { next: page.end } : {}) },
    ),
  );
}

/** Does the work of a call whose caller and body are known. @throws Refusal */
export function handleCall(_world: World, call: Call, route: Route): Reply | Promise<Reply> {
  return route.handle(call);
}

/** The answer to a refused request. */
export function presentRefusal(world: World, refusal: Refusal): Reply {
  return { status: refusal.status, headers: refusal.headers, body: world.rules.presentError(refusal) };
}

/** Last look at every answer before it is written. */
export function finishReply(_world: World, reply: Reply): Reply {
  return reply;
}

/** The media type of every answer that has a body. */
export function contentType(_world: World, _reply: Reply): string {
  return 'application/json; charset=utf-8';
}
