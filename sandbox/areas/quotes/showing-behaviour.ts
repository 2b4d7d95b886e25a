import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import { railsOf } from '../accounts/records.ts';
import { traitsOf } from '../customers/records.ts';
import { decimalsOf, VARIABLE_FEE_RATE, worthOf } from './rates.ts';
import type { Quote } from './records.ts';

/** A Quote as interface.md > Resources shows it. */
export function presentQuote({ behaviour }: World, quote: Quote): JsonObject {
  return {
    id: quote.id,
    status: behaviour.shownStatus(quote),
    createdAt: behaviour.presentTime(quote.createdAt),
    expiresAt: behaviour.presentTime(quote.expiresAt),
    source: behaviour.presentQuoteSource(quote),
    destination: behaviour.presentQuoteDestination(quote),
    sendingCurrency: behaviour.presentCurrency(quote.sendingCurrency),
    receivingCurrency: behaviour.presentCurrency(quote.receivingCurrency),
    totalSendingAmount: quote.totalSendingAmount,
    totalReceivingAmount: quote.totalReceivingAmount,
    exchangeRate: quote.exchangeRate,
    feesIncluded: quote.feesIncluded,
    // Zero when no platform fee applies.
    platformFeesIncluded: quote.platformFee,
    paymentInstructions: behaviour.instructionsOfQuote(quote),
    transactionId: quote.transactionId,
    counterpartyInformation: counterpartyInformation(quote),
    rateDetails: behaviour.presentRateDetails(quote),
    scaChallenge: behaviour.challengeOfQuote(quote),
  };
}

/** An open quote whose time is over shows as expired; that it does is not shown. */
export function shownStatus(world: World, quote: Quote): string {
  const isOpen = quote.status === 'PENDING' || quote.status === 'PENDING_AUTHORIZATION';
  return isOpen && world.behaviour.quoteExpired(quote) ? 'EXPIRED' : quote.status;
}

/** Beyond the discriminator the fields of a source are not shown. */
export function presentQuoteSource(_world: World, quote: Quote): JsonObject {
  return quote.source;
}

/** Beyond the discriminator the fields of a destination are not shown. */
export function presentQuoteDestination(_world: World, quote: Quote): JsonObject {
  return quote.destination;
}

/** Withheld while a quote waits for authorization; an internal account needs none. */
export function instructionsOfQuote(world: World, quote: Quote): Json | undefined {
  if (quote.source['sourceType'] !== 'REALTIME_FUNDING') return undefined;
  if (world.behaviour.instructionsWithheld(quote)) return undefined;
  return [world.behaviour.presentInstruction(quote)];
}

/** interface.md > Quote: free-form, present if available and required by the configuration. Here of UMA receivers alone. */
function counterpartyInformation({ destination }: Quote): JsonObject | undefined {
  return destination['destinationType'] === 'UMA_ADDRESS'
    ? { FULL_NAME: 'Ada Receiver', COUNTRY: 'DE' }
    : undefined;
}

/** interface.md > Quote: of realtime-funding sources they are withheld until the challenge is satisfied. */
export function instructionsWithheld(_world: World, quote: Quote): boolean {
  return quote.status === 'PENDING_AUTHORIZATION';
}

/** All fields, those with the brand in their names under its word. */
export function presentRateDetails(world: World, quote: Quote): JsonObject {
  const { sent, received } = multipliersOf(world, quote);
  const brand = world.config.brand.charAt(0).toLowerCase() + world.config.brand.slice(1);
  return {
    counterpartyMultiplier: received,
    counterpartyFixedFee: quote.counterpartyFixedFee,
    [`${brand}ApiMultiplier`]: sent,
    [`${brand}ApiFixedFee`]: quote.serviceFixedFee,
    [`${brand}ApiVariableFeeRate`]: world.behaviour.shownFeeRate(),
    // interface.md > OutgoingRateDetails: a whole number, the sending amount times the rate.
    [`${brand}ApiVariableFeeAmount`]: quote.variableFeeAmount,
  };
}

/**
 * mSATs for one unit sent, its variable fees taken, and units received for one mSAT: their product is what the quote
 * makes of each unit beyond the fixed fees.
 */
function multipliersOf(world: World, quote: Quote): { sent: number; received: number } {
  const scale = 10 ** (decimalsOf(world, quote.receivingCurrency) - decimalsOf(world, quote.sendingCurrency));
  const perUnit = 1 / unitsPerMsat(world, quote.sendingCurrency);
  return {
    sent: perUnit * (1 - VARIABLE_FEE_RATE / 100),
    received: scale / quote.exchangeRate / perUnit,
  };
}

/** In percent; the text leaves room for a plain factor. */
export const shownFeeRate = (_world: World): number => VARIABLE_FEE_RATE;

/** Smallest units of a currency for one thousandth of a satoshi. */
function unitsPerMsat(world: World, currency: string): number {
  return (worthOf('BTC') / worthOf(currency)) * 10 ** (decimalsOf(world, currency) - 11);
}

/** Only while the quote waits for authorization. */
export function challengeOfQuote(world: World, quote: Quote): JsonObject | undefined {
  if (quote.challenge === undefined || world.behaviour.shownStatus(quote) !== 'PENDING_AUTHORIZATION')
    return undefined;
  return world.behaviour.presentChallenge(quote.challenge);
}

/** Accounts that are no bank accounts, with what they hold. */
const WALLETS: Readonly<Record<string, string>> = {
  SPARK_WALLET: 'BTC',
  LIGHTNING: 'BTC',
  SOLANA_WALLET: 'USDC',
  TRON_WALLET: 'USDT',
  PLASMA_WALLET: 'USDT',
  POLYGON_WALLET: 'USDC',
  BASE_WALLET: 'USDC',
  ETHEREUM_WALLET: 'USDT',
  BITCOIN_L1: 'BTC',
  EMBEDDED_WALLET: 'USDC',
};

/** Where a quote is paid in over each network: `cryptoNetwork` of its source. How networks are called is not shown. */
const ON_NETWORK: Readonly<Record<string, string>> = {
  SPARK: 'SPARK_WALLET',
  LIGHTNING: 'LIGHTNING',
  BITCOIN: 'BITCOIN_L1',
  SOLANA: 'SOLANA_WALLET',
  TRON: 'TRON_WALLET',
  PLASMA: 'PLASMA_WALLET',
  POLYGON: 'POLYGON_WALLET',
  BASE: 'BASE_WALLET',
  ETHEREUM: 'ETHEREUM_WALLET',
};

/** One way to pay a quote in. */
export function presentInstruction(world: World, quote: Quote): JsonObject {
  return {
    accountOrWalletInfo: world.behaviour.presentFundingAccount(quote, fundingAccountType(world, quote)),
    instructionsNotes: 'Give the reference with the payment.',
    // Whether a quote is paid in to an account of the platform or of the customer is not shown.
    isPlatformAccount: true,
  };
}

/** The kind of account that a quote is paid in to. */
function fundingAccountType(world: World, quote: Quote): string {
  const prepared = traitsOf(world, quote.customerId).fundingAccountType;
  if (prepared !== undefined) return prepared;
  const onNetwork = ON_NETWORK[String(quote.source['cryptoNetwork'])];
  if (onNetwork !== undefined) return onNetwork;
  if (quote.sendingCurrency === 'BTC') return 'LIGHTNING';
  if (['USDC', 'USDT'].includes(quote.sendingCurrency)) return 'SOLANA_WALLET';
  return `${quote.sendingCurrency}_ACCOUNT`;
}

/** accountOrWalletInfo: what is known of each variant. */
export function presentFundingAccount(world: World, quote: Quote, accountType: string): JsonObject {
  const asset = WALLETS[accountType];
  if (asset === undefined) return { accountType, ...bankDetails(quote, accountType) };
  const invoice = ['LIGHTNING', 'SPARK_WALLET'].includes(accountType) ? { invoice: invoiceOf(quote) } : {};
  return { accountType, assetType: asset, address: walletAddress(quote), ...invoice };
}

/** interface.md > PaymentInstructions: the fields seen in account variants. What else a variant has is not shown. */
function bankDetails(quote: Quote, accountType: string): JsonObject {
  const digits = BigInt(`0x${digest(quote).slice(0, 15)}`)
    .toString()
    .padStart(18, '0');
  return {
    paymentRails: railsOf(accountType.replace(/_ACCOUNT$/, '')),
    accountNumber: digits.slice(0, 10),
    routingNumber: digits.slice(9, 18),
    bankName: 'Sandbox Bank',
    reference: digest(quote).slice(0, 12).toUpperCase(),
  };
}

/** What an address looks like is not shown; one form serves all networks, for nobody can pay to it. */
function walletAddress(quote: Quote): string {
  return `sandbox1${digest(quote).slice(0, 38)}`;
}

/**
 * interface.md > PaymentInstructions: Lightning and Spark carry one. It has the look of an invoice, and no wallet can pay
 * it.
 */
function invoiceOf(quote: Quote): string {
  return `lnbcrt${quote.totalSendingAmount}n1${digest(quote)}`;
}

/** The same quote is paid in to the same account whenever it is read. */
function digest(quote: Quote): string {
  return createHash('sha256').update(quote.id).digest('hex');
}
