import { ok, type Reply } from '../../server/call.ts';
import type { Json } from '../../server/json.ts';
import type { World } from '../../world/world.ts';

/** A list of records, in the world's order and wrapping. */
export function list<T>(world: World, rows: readonly T[], present: (row: T) => Json): Reply {
  return ok(world.rules.presentList(world.rules.orderList(rows).map((row) => present(row))));
}
