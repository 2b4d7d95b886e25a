import { ok, type Reply } from '../../server/call.ts';
import type { Json } from '../../server/json.ts';
import type { World } from '../../world/world.ts';

/** A list of records, in the world's order and wrapping. */
export function list<T>(world: World, rows: readonly T[], present: (world: World, row: T) => Json): Reply {
  return ok(
    world.rules.presentList(
      world,
      world.rules.orderList(world, rows).map((row) => present(world, row)),
    ),
  );
}
