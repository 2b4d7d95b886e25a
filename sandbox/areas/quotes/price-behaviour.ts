import type { Json, JsonObject } from '../../server/json.ts';
import { type Passes, Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { type PlatformFee, readFee } from '../platform/records.ts';
import type { Parties } from './creation-behaviour.ts';
import { cachedRate, decimalsOf, SERVICE_FIXED_FEE, variableFee } from './rates.ts';
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
  if (wanted.amount > LARGEST) throw refuseQuoteAmount('more than a quote can be made for');
  const { sendingCurrency, receivingCurrency, customer } = parties;
  const exchangeRate = cachedRate(
    world,
    sendingCurrency,
    receivingCurrency,
    world.clock.now(customer.id),
  ).rate;
  const scale = 10 ** (decimalsOf(world, receivingCurrency) - decimalsOf(world, sendingCurrency));
  const price = (sending: bigint): Price => {
    const fees = world.behaviour.feesOf(sending, sendingCurrency, exchangeRate / scale, wanted.platformFee);
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
    if (priced.totalReceivingAmount <= 0n) throw refuseQuoteAmount('less than its fees');
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

/** Smallest unit of the receiving currency. */
const COUNTERPARTY_FIXED_FEE = 2n;

type Fees = Omit<Price, 'exchangeRate' | 'totalSendingAmount' | 'totalReceivingAmount'>;

/** @param rate smallest units of the sending currency for one of the receiving currency */
export function feesOf(
  world: World,
  sending: bigint,
  currency: string,
  rate: number,
  platform: PlatformFee,
): Fees {
  const variableFeeAmount = variableFee(sending);
  const platformFee = platformFeeOf(world, platform, sending, currency);
  const counterpart = BigInt(Math.ceil(Number(COUNTERPARTY_FIXED_FEE) * rate));
  return {
    serviceFixedFee: SERVICE_FIXED_FEE,
    counterpartyFixedFee: COUNTERPARTY_FIXED_FEE,
    variableFeeAmount,
    platformFee,
    feesIncluded: SERVICE_FIXED_FEE + variableFeeAmount + counterpart + platformFee,
  };
}

/** The platform's share; today only of what is sent in US dollars. */
function platformFeeOf(world: World, fee: PlatformFee, sending: bigint, currency: string): bigint {
  if (!world.behaviour.platformFeeApplies(currency)) return 0n;
  return fee.fixed + (sending * BigInt(Math.round(fee.basisPoints))) / 10_000n;
}

/** interface.md > Versioning: platform fees need a USD source currency today. */
export function platformFeeApplies(_world: World, currency: string): boolean {
  return currency === 'USD';
}

/** A fee that a quote names itself stands in for the configured one, for this quote. */
export function feeInForce(world: World, configured: PlatformFee, override: Json | undefined): PlatformFee {
  return override === undefined || override === null ? configured : readFee(override as JsonObject);
}

/** What a platformFeeOverride for another currency than US dollars does: nothing. It may also be refused. */
export function feeOverrideFits(_world: World, _body: JsonObject, _currency: string): Passes {}

/** Which 400 code an amount gets for which no quote can be made is not shown. @param why how large or small it is */
function refuseQuoteAmount(why: string): Refusal {
  return new Refusal(400, 'AMOUNT_OUT_OF_RANGE', `The amount is ${why}.`);
}

/** How long a rate is cached, in milliseconds: about five minutes. */
export const rateCacheTime = (_world: World): number => 300_000;

/** The rate of the list: the same cache as that of quotes. */
export function rateShown(
  world: World,
  sending: string,
  receiving: string,
): { readonly rate: number; readonly takenAt: number } {
  return cachedRate(world, sending, receiving, world.clock.now());
}
