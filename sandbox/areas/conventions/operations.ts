import { ok, type Reply } from '../../server/call.ts';
import type { Json } from '../../server/json.ts';
import type { Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';

/** A list of records, in the world's order and wrapping. */
export function list<T>(world: World, rows: readonly T[], present: (row: T) => Json): Reply {
  return ok(world.rules.presentList(world.rules.orderList(rows).map((row) => present(row))));
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
