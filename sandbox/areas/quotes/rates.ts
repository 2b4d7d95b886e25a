import { Table } from '../../world/table.ts';
import type { World } from '../../world/world.ts';

export const RECEIVING = ['EUR', 'GBP', 'INR', 'BRL', 'MXN', 'BTC', 'USDC'];

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

/** Smallest unit of the sending currency. */
export const SERVICE_FIXED_FEE = 5n;

/** In percent of the sending amount. */
export const VARIABLE_FEE_RATE = 0.5;

/** The variable fee of a sending amount, rounded to the smallest unit. */
export function variableFee(sending: bigint): bigint {
  return BigInt(Math.round((Number(sending) * VARIABLE_FEE_RATE) / 100));
}

/** Worth of one main unit of a currency, in US dollars, before it moves. */
export function worthOf(currency: string): number {
  return WORTH[currency] ?? 0.5;
}

/**
 * interface.md > Currency: decimals, the digits of the smallest unit. Sums go on with 2 where a currency shows no such
 * number.
 */
export function decimalsOf(world: World, currency: string): number {
  const { decimals } = world.behaviour.presentCurrency(currency);
  return typeof decimals === 'number' && decimals >= 0 ? Math.trunc(decimals) : 2;
}

/**
 * An amount in another currency, at the rate of this moment; rounded up, for it is held against limits.
 *
 * @returns smallest unit of that currency
 */
export function worthIn(world: World, amount: bigint, currency: string, other: string): bigint {
  if (currency === other) return amount;
  const { rate } = cachedRate(world, other, currency, world.clock.now());
  const scale = 10 ** (decimalsOf(world, other) - decimalsOf(world, currency));
  return BigInt(Math.ceil(Number(amount) * rate * scale));
}

/** A rate as it was taken from the market; the time in milliseconds since the epoch. */
interface TakenRate {
  readonly rate: number;
  readonly takenAt: number;
}

const taken = new Table<TakenRate>();

/** The market at a moment: it moves a little all the time, except against itself. @param now milliseconds */
function marketRate(sending: string, receiving: string, now: number): number {
  if (sending === receiving) return 1;
  const drift = 1 + 0.002 * Math.sin(now / 97_000);
  return Number(((worthOf(receiving) / worthOf(sending)) * drift).toPrecision(10));
}

/** The rate in force: main units of the sending currency for one of the receiving currency, from the cache while fresh. */
export function cachedRate(world: World, sending: string, receiving: string, now: number): TakenRate {
  // A customer whose clock was moved forward has a cache of its own, or it would make rates stale for everybody.
  const ahead = Math.round((now - world.clock.now()) / 1000);
  const key = `${sending} ${receiving} ${ahead}`;
  const known = taken.get(world, key);
  if (known && rateIsFresh(world, known, now)) return known;
  return taken.put(world, key, {
    rate: marketRate(sending, receiving, now),
    takenAt: now,
  });
}

/** interface.md > Limits: exchange rates are cached for about five minutes. @param now milliseconds since the epoch */
function rateIsFresh(world: World, known: TakenRate, now: number): boolean {
  return now - known.takenAt < world.behaviour.rateCacheTime();
}
