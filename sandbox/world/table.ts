import type { World } from './world.ts';

/** Records of one kind, kept apart by world. An area declares the tables it needs; a world knows none of them. */
export class Table<T> {
  readonly #rows = new WeakMap<World, Map<string, T>>();

  /** Rows of this world by id, in order of insertion. */
  of(world: World): Map<string, T> {
    let rows = this.#rows.get(world);
    if (!rows) this.#rows.set(world, (rows = new Map()));
    return rows;
  }

  get(world: World, id: string): T | undefined {
    return this.of(world).get(id);
  }

  put(world: World, id: string, row: T): T {
    this.of(world).set(id, row);
    return row;
  }

  delete(world: World, id: string): boolean {
    return this.of(world).delete(id);
  }

  all(world: World): T[] {
    return [...this.of(world).values()];
  }
}
