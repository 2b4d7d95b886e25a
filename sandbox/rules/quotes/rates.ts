import { Table } from '../../core/table.ts';
import type { World } from '../../core/world.ts';

/** Worth of one main unit in US dollars. */
const WORTH: Readonly<Record<string, number>> = {
  USD: 1,
  EUR: 1.08,
  GBP: 1.27,
  INR: 0.012,
  BRL: 0.2,
  MXN: 0.055,
  BTC: 65_000,
  USDC: 1,
  USDT: 1,
};

/** A rate as it was taken from the market; the time in milliseconds since the epoch. */
export interface TakenRate {
  readonly rate: number;
  readonly takenAt: number;
}

const taken = new Table<TakenRate>();

/** Worth of one main unit of a currency, in US dollars, before it moves. */
export function worthOf(_world: World, currency: string): number {
  return WORTH[currency] ?? 0.5;
}

/** The market at a moment: it moves a little all the time, except against itself. @param now milliseconds */
export function marketRate(world: World, sending: string, receiving: string, now: number): number {
  if (sending === receiving) return 1;
  const drift = 1 + 0.002 * Math.sin(now / 97_000);
  return Number(
    ((world.rules.worthOf(world, receiving) / world.rules.worthOf(world, sending)) * drift).toPrecision(10),
  );
}

/** How long a rate is cached, in milliseconds: about five minutes. */
export function rateCacheTime(_world: World): number {
  return 300_000;
}

/** The rate in force: main units of the sending currency for one of the receiving currency, from the cache while fresh. */
export function cachedRate(world: World, sending: string, receiving: string, now: number): TakenRate {
  // A customer whose clock was moved forward has a cache of its own, or it would make rates stale for everybody.
  const ahead = Math.round((now - world.clock.now()) / 1000);
  const key = `${sending} ${receiving} ${ahead}`;
  const known = taken.get(world, key);
  if (known && world.rules.rateIsFresh(world, known, now)) return known;
  return taken.put(world, key, {
    rate: world.rules.marketRate(world, sending, receiving, now),
    takenAt: now,
  });
}

export function rateIsFresh(world: World, known: TakenRate, now: number): boolean {
  return now - known.takenAt < world.rules.rateCacheTime(world);
}
