import type { Json } from '../core/json.ts';
import { ok, type Reply } from '../core/reply.ts';
import type { World } from '../core/world.ts';

/** A list of records, in the world's order and wrapping. */
export function list<T>(world: World, rows: readonly T[], present: (world: World, row: T) => Json): Reply {
  return ok(
    world.rules.presentList(
      world,
      world.rules.orderList(world, rows).map((row) => present(world, row)),
    ),
  );
}
