import { type Passes, type Refusal, refusalOf } from '../../server/refusal.ts';
import { held, outside } from '../../world/ledger.ts';
import type { World } from '../../world/world.ts';
import { bookOf, externalAccounts, internalAccounts } from '../accounts/records.ts';
import type { Agent } from '../agents/records.ts';
import { customers } from '../customers/records.ts';
import { actions, type AgentAction, transactions, type TransferDetails } from '../transfers/records.ts';
import {
  counterpartyOf,
  type Quote,
  QUOTE_LIFE,
  quotes,
  sourceAccountId,
  isOpen,
  openQuotes,
} from './records.ts';

/** Begins the execution of a quote, at its locked rate. @throws Refusal */
export function executeQuote(world: World, quote: Quote): void {
  world.rules.quoteMayExecute(quote);
  world.rules.startQuote(quote);
}

/** Everything that stands between a quote and its execution. */
export function quoteMayExecute(world: World, quote: Quote): Passes {
  const { rules } = world;
  const customer = customers.get(world, quote.customerId)!;
  rules.quoteStillValid(quote);
  rules.quoteAuthorized(quote);
  rules.quoteOpen(quote);
  rules.customerIsReady(customer);
  rules.counterpartyAllowed({ customer, destination: quote.destination });
  rules.limitsAtExecution(quote);
  rules.fundsForQuote(quote);
}

/** Until expiresAt, and by nothing else, the rate holds. */
export function quoteStillValid(world: World, quote: Quote): Passes {
  if (world.rules.quoteExpired(quote)) throw world.rules.refuseExpiredQuote();
}

/**
 * interface.md > Quote: after expiresAt a quote cannot be executed. That very millisecond counts as after, which the text
 * leaves open.
 */
export function quoteExpired(world: World, quote: Quote): boolean {
  return world.clock.now(quote.customerId) >= quote.expiresAt;
}

/** Which status and code an expired quote gets is not shown. */
export function refuseExpiredQuote(world: World): Refusal {
  return world.rules.refuseConflict('The quote has expired.');
}

/** What awaits authorization cannot be executed. */
export function quoteAuthorized(world: World, quote: Quote): Passes {
  if (quote.status !== 'PENDING_AUTHORIZATION') return;
  throw world.rules.refuseConflict('The quote must be authorized first.');
}

/** A quote is executed once. */
export function quoteOpen(world: World, quote: Quote): Passes {
  if (quote.status === 'PENDING' || quote.status === 'PENDING_AUTHORIZATION') return;
  throw world.rules.refuseConflict(`The quote is ${quote.status} and cannot be executed.`);
}

/** Realtime funding has no balance to look at. Which code insufficient funds get is not shown. @throws Refusal */
export function fundsForQuote(world: World, quote: Quote): Passes {
  const account = internalAccounts.get(world, sourceAccountId(quote) ?? '');
  if (!account || world.rules.fundsSuffice(account, quote.totalSendingAmount)) return;
  throw world.rules.refuseInsufficientFunds();
}

/** Takes the money from the source, or from outside where it is paid in at once, and holds it. */
export function startQuote(world: World, quote: Quote): void {
  const { totalSendingAmount: amount, sendingCurrency: currency, id: reason } = quote;
  world.ledger.post({ from: payerOf(quote), to: held(quote.id), amount, currency, reason });
  transactions.get(world, quote.transactionId)!.executedAt = world.clock.now(quote.customerId);
  world.rules.setQuoteStatus(quote, 'PROCESSING');
}

/** When an executed quote settles, seen from the answer to its execution: right after it. Not shown. */
export function whenQuoteSettles(_world: World, settle: () => void): void {
  settle();
}

/** The money arrives and the fees are earned, or the source gets it back. */
export function settleQuote(world: World, quote: Quote): void {
  if (quote.status !== 'PROCESSING') return;
  if (world.rules.quotePayoutFails(quote)) {
    world.rules.failQuote(quote, 'QUOTE_EXECUTION_FAILED');
    world.rules.refundQuote(quote);
    return;
  }
  world.rules.payOutQuote(quote);
  world.rules.setQuoteStatus(quote, 'COMPLETED');
}

/** What is held becomes fees, and at the exchange what the receiver gets. */
export function payOutQuote(world: World, quote: Quote): void {
  const { sendingCurrency: currency, id: reason } = quote;
  const earned = quote.serviceFixedFee + quote.variableFeeAmount;
  const rest = quote.totalSendingAmount - earned - quote.platformFee;
  const from = held(quote.id);
  world.ledger.post(
    { from, to: 'fees:service', amount: earned, currency, reason },
    { from, to: `fees:${quote.platformId}`, amount: quote.platformFee, currency, reason },
    { from, to: outside('exchange'), amount: rest, currency, reason },
    {
      from: outside('exchange'),
      to: bookOf(counterpartyOf(quote)),
      amount: quote.totalReceivingAmount,
      currency: quote.receivingCurrency,
      reason,
    },
  );
}

/** When a payout fails is not shown: the sandbox's caller decides, for each destination. */
export function quotePayoutFails(world: World, quote: Quote): boolean {
  return externalAccounts.get(world, counterpartyOf(quote))?.payoutFails !== undefined;
}

/** A debited amount comes back without a further call. */
export function refundQuote(world: World, quote: Quote): void {
  const transaction = transactions.get(world, quote.transactionId)!;
  world.rules.giveBack(transaction, { from: held(quote.id), to: payerOf(quote) });
}

/**
 * Ends a quote that was not to be, and with it its transaction and the action that executes it.
 *
 * @param reason transaction failure reason
 */
export function failQuote(
  world: World,
  quote: Quote,
  reason: string,
  as: 'FAILED' | 'EXPIRED' = 'FAILED',
): void {
  const { rules } = world;
  transactions.get(world, quote.transactionId)!.failureReason = rules.quoteFailureReason(reason);
  rules.setQuoteStatus(quote, as);
  const action = actions.get(world, quote.executedBy ?? '');
  if (action?.status === 'APPROVED') rules.setStatus(action, 'FAILED');
}

/** The reason as the transaction shows it. */
export function quoteFailureReason(_world: World, reason: string): string {
  return reason;
}

/** Moves a quote and its transaction to a status. */
export function setQuoteStatus(world: World, quote: Quote, status: Quote['status']): void {
  world.rules.changeStatus(QUOTE_LIFE, quote, status);
  const transaction = transactions.get(world, quote.transactionId)!;
  world.rules.setTransactionStatus(transaction, status === 'EXPIRED' ? 'FAILED' : status);
}

/** The ledger account that pays: one of the customer's, or whoever pays in at once. */
function payerOf(quote: Quote): string {
  return sourceAccountId(quote) ?? outside('funding');
}

/** An agent executes a quote: an action, which the platform may have to approve. @throws Refusal */
export function executeAsAgent(world: World, agent: Agent, quote: Quote): AgentAction {
  const { rules } = world;
  rules.permissionGranted(agent, 'EXECUTE_QUOTES');
  const spending = rules.spendingOfQuote(quote);
  const { sourceAccountId: from, destinationAccountId: to } = spending;
  rules.accountsAllowed(agent, from === '' ? [to] : [from, to]);
  rules.quoteMayExecute(quote);
  rules.agentMaySpendFrom(internalAccounts.get(world, from));
  rules.withinTransactionLimit(agent, spending);
  rules.withinPeriodLimits(agent, spending);
  const wanted = { type: 'EXECUTE_QUOTE', quoteId: quote.id } as const;
  if (rules.needsApproval(agent, spending)) {
    return rules.addAction(agent, wanted, 'PENDING_APPROVAL');
  }
  const action = rules.addAction(agent, wanted, 'APPROVED');
  rules.beginExecution(action);
  return action;
}

/** What limits and thresholds of a policy see of a quote. */
export function spendingOfQuote(_world: World, quote: Quote): TransferDetails {
  return {
    amount: quote.totalSendingAmount,
    currency: quote.sendingCurrency,
    sourceAccountId: sourceAccountId(quote) ?? '',
    destinationAccountId: counterpartyOf(quote),
  };
}

/**
 * Begins an approved execution. Where the quote can no longer be executed the action fails: with the quote while it was
 * still to be had, and alone where the quote is somebody else's by now or has ended.
 */
export function beginQuoteAction(world: World, action: AgentAction): void {
  const { rules } = world;
  const quote = quotes.get(world, action.quoteId!)!;
  if (refusalOf(() => rules.quoteMayExecute(quote))) {
    if (quote.status !== 'PENDING' || rules.quoteExpired(quote)) return rules.setStatus(action, 'FAILED');
    claim(quote, action);
    const isOver = refusalOf(() => rules.limitsAtExecution(quote)) !== undefined;
    return rules.failQuote(quote, isOver ? 'LIMIT_EXCEEDED' : 'QUOTE_EXECUTION_FAILED');
  }
  claim(quote, action);
  rules.startQuote(quote);
}

function claim(quote: Quote, action: AgentAction): void {
  quote.executedBy = action.id;
  action.transactionId = quote.transactionId;
}

/** Several actions can stand for one quote; only the one that executes it lets it settle. */
export function endQuoteAction(world: World, action: AgentAction): void {
  const quote = quotes.get(world, action.quoteId!)!;
  if (quote.executedBy === action.id) world.rules.settleQuote(quote);
}

/** Ends the quotes whose time is over, or that of their challenge. */
export function endQuotes(world: World): void {
  const { rules } = world;
  for (const quote of openQuotes.all(world)) {
    if (!isOpen(quote)) openQuotes.delete(world, quote.id);
    else if (challengeEnded(world, quote)) rules.failOnExpiredChallenge(quote);
    else if (rules.quoteExpired(quote)) rules.expireQuote(quote);
  }
}

/** A quote that nobody executed in time: it is EXPIRED, and its transaction has failed. */
export function expireQuote(world: World, quote: Quote): void {
  const reason = quote.status === 'PENDING_AUTHORIZATION' ? 'SCA_NOT_COMPLETED' : 'QUOTE_EXECUTION_FAILED';
  world.rules.failQuote(quote, reason, 'EXPIRED');
}

/** Before the quote itself does. */
function challengeEnded(world: World, { status, challenge, expiresAt }: Quote): boolean {
  if (status !== 'PENDING_AUTHORIZATION' || challenge === undefined) return false;
  return challenge.expiresAt < expiresAt && world.rules.challengeExpired(challenge);
}
