import type { World } from './world.ts';

/** Records of one kind, kept apart by world. An area declares the tables it needs; a world knows none of them. */
export class Table<T> {
  readonly #rows = new WeakMap<World, Map<string, T>>();
  readonly #groups = new WeakMap<World, Map<string, Map<string, T>>>();
  readonly #groupOf: ((row: T) => string) | undefined;

  /** @param groupOf what rows are looked for by, besides their ids: a world may have thousands of them (see `in`) */
  constructor(groupOf?: (row: T) => string) {
    this.#groupOf = groupOf;
  }

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
    this.#leaveGroup(world, id);
    this.of(world).set(id, row);
    if (this.#groupOf) this.#group(world, this.#groupOf(row)).set(id, row);
    return row;
  }

  delete(world: World, id: string): boolean {
    this.#leaveGroup(world, id);
    return this.of(world).delete(id);
  }

  /** The rows of one group, in order of insertion. */
  in(world: World, group: string): T[] {
    return [...this.#group(world, group).values()];
  }

  #leaveGroup(world: World, id: string): void {
    const before = this.get(world, id);
    if (this.#groupOf && before !== undefined) this.#group(world, this.#groupOf(before)).delete(id);
  }

  #group(world: World, name: string): Map<string, T> {
    let groups = this.#groups.get(world);
    if (!groups) this.#groups.set(world, (groups = new Map<string, Map<string, T>>()));
    let rows = groups.get(name);
    if (!rows) groups.set(name, (rows = new Map()));
    return rows;
  }

  all(world: World): T[] {
    return [...this.of(world).values()];
  }
}

/** The life of one kind of record: from each status, where it may go. An empty list is an end. */
export interface Life<Status extends string = string> {
  readonly kind: string;
  readonly moves: { readonly [From in Status]: readonly Status[] };
}

/** A record that has a life. Its status changes through changeStatus of the behaviour and through nothing else. */
export interface Living {
  readonly id: string;
  readonly status: string;
}

/** Somebody tried to move a record where its life does not lead: a mistake in the sandbox, not of a caller. */
export class IllegalMove extends Error {
  constructor({ kind }: Life, { id, status }: Living, to: string) {
    super(`The ${kind} ${id} is ${status} and cannot become ${to}.`);
  }
}

export function leadsTo(life: Life, from: string, to: string): boolean {
  return life.moves[from]?.includes(to) ?? false;
}

/** A record that time ends, by the clock of its customer. */
export interface Timed extends Living {
  readonly customerId: string;
}

/** When somebody can be late again: not before a moment of the world's clock, unless a clock is moved. */
interface NextLook {
  at: number;
  moves: number;
}

/**
 * Records that wait until something happens to them, or until time ends them. Who is late is asked before each call, so the
 * records are looked at only when one of them can be.
 */
export class Waiting<T extends Timed> {
  readonly #rows = new Table<T>();
  readonly #next = new WeakMap<World, NextLook>();
  readonly #status: string;
  readonly #endsAt: (world: World, row: T) => number;

  /**
   * @param status that a record has while it waits
   * @param endsAt when time ends it, in milliseconds since the epoch by its customer's clock
   */
  constructor(status: string, endsAt: (world: World, row: T) => number) {
    this.#status = status;
    this.#endsAt = endsAt;
  }

  add(world: World, row: T): T {
    const next = this.#next.get(world);
    if (next) next.at = Math.min(next.at, this.#dueAt(world, row));
    else this.#next.set(world, { at: this.#dueAt(world, row), moves: world.clock.moves });
    return this.#rows.put(world, row.id, row);
  }

  /** Those whose time is over; they wait no more. */
  late(world: World): readonly T[] {
    const now = world.clock.now();
    const next = this.#next.get(world);
    if (!next || (now < next.at && world.clock.moves === next.moves)) return [];
    const late: T[] = [];
    next.at = Infinity;
    next.moves = world.clock.moves;
    for (const row of this.#rows.all(world)) {
      const dueAt = this.#dueAt(world, row);
      const isWaiting = row.status === this.#status;
      if (isWaiting && dueAt > now) next.at = Math.min(next.at, dueAt);
      else this.#rows.delete(world, row.id);
      if (isWaiting && dueAt <= now) late.push(row);
    }
    return late;
  }

  /** By the world's clock. */
  #dueAt(world: World, row: T): number {
    const ahead = world.clock.aheadOf(row.customerId);
    return this.#endsAt(world, row) - ahead;
  }
}

/** Moves a record to another status. @throws IllegalMove where its life does not lead */
export function changeStatus(world: World, life: Life, record: Living, to: string): void {
  if (!world.behaviour.legalMove(life, record.status, to)) throw new IllegalMove(life, record, to);
  (record as { status: string }).status = to;
}
