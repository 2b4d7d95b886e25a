import type { Json, JsonObject } from '../../core/json.ts';
import { Refusal } from '../../core/refusal.ts';
import type { World } from '../../core/world.ts';
import type { PlatformFee } from '../../domain/platform-config.ts';
import type { Price } from '../../domain/quote.ts';
import type { Parties } from './parties.ts';

/** Beyond it the arithmetic of rates would lose units. */
const LARGEST = 10n ** 15n;

/** What is locked, and what the platform takes. */
export interface Wanted {
  readonly side: 'SENDING' | 'RECEIVING';
  readonly amount: bigint;
  readonly platformFee: PlatformFee;
}

/** Price of a transfer at the rate of this moment. */
export function priceTransfer(world: World, parties: Parties, wanted: Wanted): Price | Refusal {
  const { rules } = world;
  if (wanted.amount > LARGEST) return rules.refuseQuoteAmount(world, 'more than a quote can be made for');
  const { sendingCurrency, receivingCurrency, customer } = parties;
  const exchangeRate = rules.cachedRate(
    world,
    sendingCurrency,
    receivingCurrency,
    world.clock.now(customer.id),
  ).rate;
  const scale = 10 ** (rules.decimalsOf(world, receivingCurrency) - rules.decimalsOf(world, sendingCurrency));
  const price = (sending: bigint): Price => {
    const fees = rules.feesOf(world, sending, sendingCurrency, exchangeRate / scale, wanted.platformFee);
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
    return priced.totalReceivingAmount > 0n ? priced : rules.refuseQuoteAmount(world, 'less than its fees');
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
  const { rules } = world;
  const serviceFixedFee = rules.serviceFixedFee(world);
  const counterpartyFixedFee = rules.counterpartyFixedFee(world);
  const variableFeeAmount = rules.variableFee(world, sending);
  const platformFee = rules.platformFeeOf(world, platform, sending, currency);
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
  return BigInt(Math.round((Number(sending) * world.rules.variableFeeRate(world)) / 100));
}

/** The platform's share; today only of what is sent in US dollars. */
export function platformFeeOf(world: World, fee: PlatformFee, sending: bigint, currency: string): bigint {
  if (!world.rules.platformFeeApplies(world, currency)) return 0n;
  return fee.fixed + (sending * BigInt(Math.round(fee.basisPoints))) / 10_000n;
}

export function platformFeeApplies(_world: World, currency: string): boolean {
  return currency === 'USD';
}

/** A fee that a quote names itself stands in for the configured one, for this quote. */
export function feeInForce(world: World, configured: PlatformFee, override: Json | undefined): PlatformFee {
  return override === undefined || override === null ? configured : world.rules.readFee(world, override);
}

/** What a platformFeeOverride for another currency than US dollars does: nothing. It may also be refused. */
export function feeOverrideFits(_world: World, _body: JsonObject, _currency: string): Refusal | undefined {
  return undefined;
}

export function refuseQuoteAmount(_world: World, why: string): Refusal {
  return new Refusal(400, 'AMOUNT_OUT_OF_RANGE', `The amount is ${why}.`);
}

export function decimalsOf(world: World, currency: string): number {
  const { decimals } = world.rules.presentCurrency(world, currency);
  return typeof decimals === 'number' && decimals >= 0 ? Math.trunc(decimals) : 2;
}
