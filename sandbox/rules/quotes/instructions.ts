import { createHash } from 'node:crypto';
import type { JsonObject } from '../../core/json.ts';
import type { World } from '../../core/world.ts';
import type { Quote } from '../../domain/quote.ts';
import { traitsOf } from '../../domain/traits.ts';

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

const RAILS: Readonly<Record<string, readonly string[]>> = {
  USD: ['ACH', 'WIRE', 'RTP'],
  EUR: ['SEPA', 'SEPA_INSTANT'],
  GBP: ['FASTER_PAYMENTS'],
  INR: ['UPI', 'NEFT'],
  BRL: ['PIX'],
  MXN: ['SPEI'],
  COP: ['ACH_COLOMBIA', 'BRE_B'],
  PHP: ['INSTAPAY', 'PESONET'],
  SGD: ['FAST', 'PAYNOW'],
  CNY: ['CIPS', 'UNIONPAY'],
  HKD: ['RTGS'],
  KES: ['MOBILE_MONEY'],
  SWIFT: ['SWIFT'],
};

/** One way to pay a quote in. */
export function presentInstruction(world: World, quote: Quote): JsonObject {
  return {
    accountOrWalletInfo: world.rules.presentFundingAccount(
      world,
      quote,
      world.rules.fundingAccountType(world, quote),
    ),
    instructionsNotes: world.rules.instructionsNotes(world, quote),
    isPlatformAccount: world.rules.isPlatformAccount(world, quote),
  };
}

/** The kind of account that a quote is paid in to. */
export function fundingAccountType(world: World, quote: Quote): string {
  const prepared = traitsOf(world, quote.customerId).fundingAccountType;
  if (prepared !== undefined) return prepared;
  if (quote.sendingCurrency === 'BTC') return 'LIGHTNING';
  if (['USDC', 'USDT'].includes(quote.sendingCurrency)) return 'SOLANA_WALLET';
  return `${quote.sendingCurrency}_ACCOUNT`;
}

export function instructionsNotes(_world: World, _quote: Quote): string | undefined {
  return 'Give the reference with the payment.';
}

export function isPlatformAccount(_world: World, _quote: Quote): boolean | undefined {
  return true;
}

/** accountOrWalletInfo: what is known of each variant. */
export function presentFundingAccount(world: World, quote: Quote, accountType: string): JsonObject {
  const { rules } = world;
  const asset = WALLETS[accountType];
  if (asset === undefined) return { accountType, ...rules.bankDetails(world, quote, accountType) };
  const invoice = ['LIGHTNING', 'SPARK_WALLET'].includes(accountType)
    ? { invoice: rules.invoiceOf(world, quote) }
    : {};
  return { accountType, assetType: asset, address: rules.walletAddress(world, quote), ...invoice };
}

export function bankDetails(_world: World, quote: Quote, accountType: string): JsonObject {
  const digits = BigInt(`0x${digest(quote).slice(0, 15)}`)
    .toString()
    .padStart(18, '0');
  return {
    paymentRails: [...(RAILS[accountType.replace(/_ACCOUNT$/, '')] ?? ['BANK_TRANSFER'])],
    accountNumber: digits.slice(0, 10),
    routingNumber: digits.slice(9, 18),
    bankName: 'Sandbox Bank',
    reference: digest(quote).slice(0, 12).toUpperCase(),
  };
}

export function walletAddress(_world: World, quote: Quote): string {
  return `sandbox1${digest(quote).slice(0, 38)}`;
}

export function invoiceOf(_world: World, quote: Quote): string {
  return `lnbcrt${quote.totalSendingAmount}n1${digest(quote)}`;
}

/** The same quote is paid in to the same account whenever it is read. */
function digest(quote: Quote): string {
  return createHash('sha256').update(quote.id).digest('hex');
}
