import type { Passes } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { externalAccounts, internalAccounts } from '../accounts/records.ts';
import { customers } from '../customers/records.ts';
import { type AgentAction, setTransactionStatus, transactions } from '../transfers/records.ts';
import { counterpartyOf, type Quote, QUOTE_LIFE, quotes, sourceAccountId } from './records.ts';
import { changeStatus } from '../../world/table.ts';

/** Everything that stands between a quote and its execution. */
export function quoteMayExecute(world: World, quote: Quote): Passes {
  const { behaviour } = world;
  const customer = customers.get(world, quote.customerId)!;
  quoteStillValid(world, quote);
  behaviour.quoteAuthorized(quote);
  behaviour.quoteOpen(quote);
  behaviour.customerIsReady(customer);
  behaviour.counterpartyAllowed({ customer, destination: quote.destination });
  behaviour.limitsAtExecution(quote);
  fundsForQuote(world, quote);
}

/** Until expiresAt, and by nothing else, the rate holds. */
export function quoteStillValid(world: World, quote: Quote): Passes {
  if (world.behaviour.quoteExpired(quote)) throw world.behaviour.refuseExpiredQuote();
}

/** When a payout fails is not shown: the sandbox's caller decides, for each destination, of addresses by their beginning. */
export function quotePayoutFails(world: World, quote: Quote): boolean {
  if (String(quote.destination['umaAddress'] ?? '').startsWith('$returned')) return true;
  return externalAccounts.get(world, counterpartyOf(quote))?.payoutFails !== undefined;
}

/** Moves a quote and its transaction to a status. */
export function setQuoteStatus(world: World, quote: Quote, status: Quote['status']): void {
  changeStatus(world, QUOTE_LIFE, quote, status);
  const transaction = transactions.get(world, quote.transactionId)!;
  setTransactionStatus(world, transaction, status === 'EXPIRED' ? 'FAILED' : status);
}

/** Several actions can stand for one quote; only the one that executes it lets it settle. */
export function endQuoteAction(world: World, action: AgentAction): void {
  const quote = quotes.get(world, action.quoteId!)!;
  if (quote.executedBy === action.id) world.behaviour.settleQuote(quote);
}

/** Realtime funding has no balance to look at. Which code insufficient funds get is not shown. @throws Refusal */
function fundsForQuote(world: World, quote: Quote): Passes {
  const account = internalAccounts.get(world, sourceAccountId(quote) ?? '');
  if (!account || world.behaviour.fundsSuffice(account, quote.totalSendingAmount)) return;
  throw world.behaviour.refuseInsufficientFunds();
}
