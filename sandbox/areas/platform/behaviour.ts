import { code as iso4217 } from 'currency-codes';
import type { JsonObject } from '../../server/json.ts';
import type { Passes } from '../../server/refusal.ts';
import { shownTimes, type World } from '../../world/world.ts';
import { presentMoney } from '../accounts/records.ts';
import { type Customer, traitsOf } from '../customers/records.ts';
import { type CardTransaction, type PlatformConfig, readFee } from './records.ts';

/*
 * What a platform has of its own: its configuration and fees, cards of its customers (cards.ts) and stablecoins. Currencies, which
 * many answers show, stand here as well.
 */

/** Changes what the body names and leaves the rest. @throws Refusal */
export function updateConfig(world: World, config: PlatformConfig, body: JsonObject): void {
  const { feeConfigs, cardTokenization2faConfig, webhookEndpoint } = body;
  if (feeConfigs !== undefined) {
    const wanted = feeConfigs as readonly JsonObject[];
    const fees = wanted.map((one) => [one['sourceCurrency'] as string, readFee(one)] as const);
    config.fees.clear();
    for (const [currency, fee] of fees) config.fees.set(currency, fee);
    config.feeConfigs = feeConfigs;
  }
  if (cardTokenization2faConfig !== undefined) config.cardTokenization2faConfig = cardTokenization2faConfig;
  if (webhookEndpoint !== undefined) config.webhookEndpoint = webhookEndpoint as string | null;
}

/** What ISO 4217 does not know, under its ticker. */
const CRYPTO: Readonly<Record<string, readonly [name: string, symbol: string, decimals: number]>> = {
  BTC: ['Bitcoin', '₿', 8],
  USDC: ['USD Coin', 'USDC', 6],
  USDT: ['Tether', 'USDT', 6],
};

/** A currency as an object (interface.md > Currency). */
export function presentCurrency(_world: World, code: string): JsonObject {
  const crypto = CRYPTO[code];
  if (crypto) return { code, name: crypto[0], symbol: crypto[1], decimals: crypto[2] };
  const known = iso4217(code);
  if (!known) return { code, name: code, symbol: code, decimals: 2 };
  return { code, name: known.currency, symbol: symbolOf(code), decimals: known.digits };
}

const symbols = new Map<string, string>();

/** As people write it; the code where they write that. A format takes long to make, so each is made once. */
function symbolOf(currency: string): string {
  const known = symbols.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  const symbol = format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
  symbols.set(currency, symbol);
  return symbol;
}

/** Cards are for cardholders whose KYC status is APPROVED. */
export function kycApproved(world: World, customer: Customer): Passes {
  if (traitsOf(world, customer.id).kyc !== 'APPROVED') throw world.behaviour.refuseWithoutKyc();
}

/** Every state change of a card transaction. The suffixes of these events are not shown. */
export function tellCardChange(world: World, transaction: CardTransaction): void {
  const type = `CARD_TRANSACTION.${transaction.status}`;
  world.behaviour.tell(transaction.customerId, type, world.behaviour.presentCardTransaction(transaction));
}

/** As the answers and events show it. */
export function presentCardTransaction(world: World, transaction: CardTransaction): JsonObject {
  const { id, cardId, customerId, status } = transaction;
  const amount = presentMoney(world, transaction.amount, transaction.currency);
  return { id, type: 'CARD', status, cardId, customerId, amount, ...shownTimes(world, transaction) };
}
