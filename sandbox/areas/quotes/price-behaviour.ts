import type { Json, JsonObject } from '../../server/json.ts';
import { type Passes, Refusal } from '../../server/refusal.ts';
import { Table } from '../../world/table.ts';
import type { World } from '../../world/world.ts';
import type { PlatformFee } from '../platform/records.ts';
import type { Parties } from './creation-behaviour.ts';
import type { Price } from './records.ts';

/** Beyond it the arithmetic of rates would lose units. */
const LARGEST = 10n ** 15n;

/** What is locked, and what the platform takes. */
export interface Wanted {
  readonly side: 'SENDING' | 'RECEIVING';
  readonly amount: bigint;
  readonly platformFee: PlatformFee;
}

/** Price of a transfer at the rate of this moment. */
export function priceTransfer(world: World, parties: Parties, wanted: Wanted): Price {
  const { behaviour } = world;
  if (wanted.amount > LARGEST) throw behaviour.refuseQuoteAmount('more than a quote can be made for');
  const { sendingCurrency, receivingCurrency, customer } = parties;
  const exchangeRate = behaviour.cachedRate(
    sendingCurrency,
    receivingCurrency,
    world.clock.now(customer.id),
  ).rate;
  const scale = 10 ** (behaviour.decimalsOf(receivingCurrency) - behaviour.decimalsOf(sendingCurrency));
  const price = (sending: bigint): Price => {
    const fees = behaviour.feesOf(sending, sendingCurrency, exchangeRate / scale, wanted.platformFee);
    const rest = sending - fees.feesIncluded;
    return {
      ...fees,
      exchangeRate,
      totalSendingAmount: sending,
      totalReceivingAmount: BigInt(Math.floor((Number(rest) / exchangeRate) * scale)),
    };
  };
  if (wanted.side === 'SENDING') {
    const priced = price(wanted.amount);
    if (priced.totalReceivingAmount <= 0n) throw behaviour.refuseQuoteAmount('less than its fees');
    return priced;
  }
  let sending = BigInt(Math.ceil((Number(wanted.amount) * exchangeRate) / scale));
  // Fees grow with the amount, so a few rounds settle it.
  for (let round = 0; round < 20; round++) {
    const net = BigInt(Math.ceil((Number(wanted.amount) * exchangeRate) / scale));
    sending = net + price(sending).feesIncluded;
  }
  return { ...price(sending), totalReceivingAmount: wanted.amount };
}

type Fees = Omit<Price, 'exchangeRate' | 'totalSendingAmount' | 'totalReceivingAmount'>;

/** @param rate smallest units of the sending currency for one of the receiving currency */
export function feesOf(
  world: World,
  sending: bigint,
  currency: string,
  rate: number,
  platform: PlatformFee,
): Fees {
  const { behaviour } = world;
  const serviceFixedFee = behaviour.serviceFixedFee();
  const counterpartyFixedFee = behaviour.counterpartyFixedFee();
  const variableFeeAmount = behaviour.variableFee(sending);
  const platformFee = behaviour.platformFeeOf(platform, sending, currency);
  const counterpart = BigInt(Math.ceil(Number(counterpartyFixedFee) * rate));
  return {
    serviceFixedFee,
    counterpartyFixedFee,
    variableFeeAmount,
    platformFee,
    feesIncluded: serviceFixedFee + variableFeeAmount + counterpart + platformFee,
  };
}

/** Smallest unit of the sending currency. */
export function serviceFixedFee(_world: World): bigint {
  return 5n;
}

/** Smallest unit of the receiving currency. */
export function counterpartyFixedFee(_world: World): bigint {
  return 2n;
}

/** In percent of the sending amount. */
export function variableFeeRate(_world: World): number {
  return 0.5;
}

/** The variable fee of a sending amount, rounded to the smallest unit. */
export function variableFee(world: World, sending: bigint): bigint {
  return BigInt(Math.round((Number(sending) * world.behaviour.variableFeeRate()) / 100));
}

/** The platform's share; today only of what is sent in US dollars. */
export function platformFeeOf(world: World, fee: PlatformFee, sending: bigint, currency: string): bigint {
  if (!world.behaviour.platformFeeApplies(currency)) return 0n;
  return fee.fixed + (sending * BigInt(Math.round(fee.basisPoints))) / 10_000n;
}

/** interface.md > Versioning: platform fees need a USD source currency today. */
export function platformFeeApplies(_world: World, currency: string): boolean {
  return currency === 'USD';
}

/** A fee that a quote names itself stands in for the configured one, for this quote. */
export function feeInForce(world: World, configured: PlatformFee, override: Json | undefined): PlatformFee {
  return override === undefined || override === null
    ? configured
    : world.behaviour.readFee(override as JsonObject);
}

/** What a platformFeeOverride for another currency than US dollars does: nothing. It may also be refused. */
export function feeOverrideFits(_world: World, _body: JsonObject, _currency: string): Passes {}

/** Which 400 code an amount gets for which no quote can be made is not shown. @param why how large or small it is */
export function refuseQuoteAmount(_world: World, why: string): Refusal {
  return new Refusal(400, 'AMOUNT_OUT_OF_RANGE', `The amount is ${why}.`);
}

/**
 * interface.md > Currency: decimals, the digits of the smallest unit. Sums go on with 2 where a currency shows no such
 * number.
 */
export function decimalsOf(world: World, currency: string): number {
  const { decimals } = world.behaviour.presentCurrency(currency);
  return typeof decimals === 'number' && decimals >= 0 ? Math.trunc(decimals) : 2;
}

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

/**
 * An amount in another currency, at the rate of this moment; rounded up, for it is held against limits.
 *
 * @returns smallest unit of that currency
 */
export function worthIn(world: World, amount: bigint, currency: string, other: string): bigint {
  if (currency === other) return amount;
  const { behaviour } = world;
  const { rate } = behaviour.cachedRate(other, currency, world.clock.now());
  const scale = 10 ** (behaviour.decimalsOf(other) - behaviour.decimalsOf(currency));
  return BigInt(Math.ceil(Number(amount) * rate * scale));
}

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
    ((world.behaviour.worthOf(receiving) / world.behaviour.worthOf(sending)) * drift).toPrecision(10),
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
  if (known && world.behaviour.rateIsFresh(known, now)) return known;
  return taken.put(world, key, {
    rate: world.behaviour.marketRate(sending, receiving, now),
    takenAt: now,
  });
}

/** interface.md > Limits: exchange rates are cached for about five minutes. @param now milliseconds since the epoch */
export function rateIsFresh(world: World, known: TakenRate, now: number): boolean {
  return now - known.takenAt < world.behaviour.rateCacheTime();
}

const RECEIVING = ['EUR', 'GBP', 'INR', 'BRL', 'MXN', 'BTC', 'USDC'];

/** The pairs that are asked for: of one currency with another, or with every one. @throws Refusal */
export function ratesAskedFor(
  _world: World,
  sending: string | undefined,
  receiving: string | undefined,
): readonly (readonly [sending: string, receiving: string])[] {
  const from = sending ?? 'USD';
  for (const code of [from, receiving]) {
    if (code !== undefined && !/^[A-Z0-9]{3,12}$/.test(code))
      throw new Refusal(400, 'INVALID_CURRENCY', `${code} is no currency.`);
  }
  const wanted = receiving === undefined ? RECEIVING.filter((code) => code !== from) : [receiving];
  return wanted.map((code) => [from, code]);
}

/** The shape of an exchange rate is not shown. The rate as in quotes: sending currency units per receiving currency unit. */
export function presentRate(world: World, sending: string, receiving: string): JsonObject {
  const { rate, takenAt } = world.behaviour.rateShown(sending, receiving);
  return {
    sourceCurrency: sending,
    destinationCurrency: receiving,
    exchangeRate: rate,
    updatedAt: world.behaviour.presentTime(takenAt),
    expiresAt: world.behaviour.presentTime(takenAt + world.behaviour.rateCacheTime()),
  };
}

/** The rate of the list: the same cache as that of quotes. */
export function rateShown(
  world: World,
  sending: string,
  receiving: string,
): { readonly rate: number; readonly takenAt: number } {
  return world.behaviour.cachedRate(sending, receiving, world.clock.now());
}
