import { randomUUID } from 'node:crypto';
import type { Json } from '../../core/json.ts';
import type { World } from '../../core/world.ts';

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

/** The wrapping of a list. */
export function presentList(_world: World, items: readonly Json[]): Json {
  return { data: items, hasMore: false, totalCount: items.length };
}
