import { type Passes, refusalOf } from '../../server/refusal.ts';
import { held, outside } from '../../world/ledger.ts';
import type { World } from '../../world/world.ts';
import { bookOf, internalAccounts } from '../accounts/records.ts';
import { accountsAllowed, type Agent } from '../agents/records.ts';
import { giveBack } from '../events/refunds.ts';
import { actions, type AgentAction, transactions } from '../transfers/records.ts';
import { submitAction } from '../transfers/steps.ts';
import { quoteMayExecute, quotePayoutFails, setQuoteStatus } from './execution.ts';
import { spendingOfQuote, counterpartyOf, type Quote, quotes, sourceAccountId } from './records.ts';

/** Begins the execution of a quote, at its locked rate. @throws Refusal */
export function executeQuote(world: World, quote: Quote): void {
  quoteMayExecute(world, quote);
  world.behaviour.startQuote(quote);
}

/**
 * interface.md > Quote: after expiresAt a quote cannot be executed. That very millisecond counts as after, which the text
 * leaves open.
 */
export function quoteExpired(world: World, quote: Quote): boolean {
  return world.clock.now(quote.customerId) >= quote.expiresAt;
}

/** What awaits authorization cannot be executed. */
export function quoteAuthorized(world: World, quote: Quote): Passes {
  if (quote.status !== 'PENDING_AUTHORIZATION') return;
  throw world.behaviour.refuseConflict('The quote must be authorized first.');
}

/** A quote is executed once. */
export function quoteOpen(world: World, quote: Quote): Passes {
  if (quote.status === 'PENDING' || quote.status === 'PENDING_AUTHORIZATION') return;
  throw world.behaviour.refuseConflict(`The quote is ${quote.status} and cannot be executed.`);
}

/** Takes the money from the source, or from outside where it is paid in at once, and holds it. */
export function startQuote(world: World, quote: Quote): void {
  const { totalSendingAmount: amount, sendingCurrency: currency, id: reason } = quote;
  world.ledger.post({ from: payerOf(quote), to: held(quote.id), amount, currency, reason });
  transactions.get(world, quote.transactionId)!.executedAt = world.clock.now(quote.customerId);
  setQuoteStatus(world, quote, 'PROCESSING');
}

/** When an executed quote settles, seen from the answer to its execution: right after it. Not shown. */
export function whenQuoteSettles(_world: World, settle: () => void): void {
  settle();
}

/** The money arrives and the fees are earned, or the source gets it back. */
export function settleQuote(world: World, quote: Quote): void {
  if (quote.status !== 'PROCESSING') return;
  if (quotePayoutFails(world, quote)) {
    world.behaviour.failQuote(quote, 'QUOTE_EXECUTION_FAILED');
    world.behaviour.refundQuote(quote);
    return;
  }
  payOutQuote(world, quote);
  setQuoteStatus(world, quote, 'COMPLETED');
}

/** What is held becomes fees, and at the exchange what the receiver gets. */
function payOutQuote(world: World, quote: Quote): void {
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

/** A debited amount comes back without a further call. */
export function refundQuote(world: World, quote: Quote): void {
  const transaction = transactions.get(world, quote.transactionId)!;
  giveBack(world, transaction, { from: held(quote.id), to: payerOf(quote) });
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
  transactions.get(world, quote.transactionId)!.failureReason = world.behaviour.quoteFailureReason(reason);
  setQuoteStatus(world, quote, as);
  const action = actions.get(world, quote.executedBy ?? '');
  if (action?.status === 'APPROVED') world.behaviour.setStatus(action, 'FAILED');
}

/** The reason as the transaction shows it. */
export function quoteFailureReason(_world: World, reason: string): string {
  return reason;
}

/** The ledger account that pays: one of the customer's, or whoever pays in at once. */
function payerOf(quote: Quote): string {
  return sourceAccountId(quote) ?? outside('funding');
}

/** Agents act for their own customer. */
export function agentActsOnQuote(_world: World, agent: Agent, quote: Quote): boolean {
  return quote.customerId === agent.customerId;
}

/** An agent executes a quote: an action, which the platform may have to approve. @throws Refusal */
export function executeAsAgent(world: World, agent: Agent, quote: Quote): AgentAction {
  const { behaviour } = world;
  behaviour.permissionGranted(agent, 'EXECUTE_QUOTES');
  const spending = spendingOfQuote(quote);
  const { sourceAccountId: from, destinationAccountId: to } = spending;
  accountsAllowed(world, agent, from === '' ? [to] : [from, to]);
  quoteMayExecute(world, quote);
  behaviour.agentMaySpendFrom(internalAccounts.get(world, from));
  behaviour.withinTransactionLimit(agent, spending);
  behaviour.withinPeriodLimits(agent, spending);
  return submitAction(world, agent, { type: 'EXECUTE_QUOTE', quoteId: quote.id }, spending);
}

/**
 * Begins an approved execution. Where the quote can no longer be executed the action fails: with the quote while it was
 * still to be had, and alone where the quote is somebody else's by now or has ended.
 */
export function beginQuoteAction(world: World, action: AgentAction): void {
  const { behaviour } = world;
  const quote = quotes.get(world, action.quoteId!)!;
  if (refusalOf(() => quoteMayExecute(world, quote))) {
    if (quote.status !== 'PENDING' || behaviour.quoteExpired(quote))
      return behaviour.setStatus(action, 'FAILED');
    claim(quote, action);
    const isOver = refusalOf(() => behaviour.limitsAtExecution(quote)) !== undefined;
    return behaviour.failQuote(quote, isOver ? 'LIMIT_EXCEEDED' : 'QUOTE_EXECUTION_FAILED');
  }
  claim(quote, action);
  behaviour.startQuote(quote);
}

function claim(quote: Quote, action: AgentAction): void {
  quote.executedBy = action.id;
  action.transactionId = quote.transactionId;
}

/** A quote that nobody executed in time: it is EXPIRED, and its transaction has failed. */
export function expireQuote(world: World, quote: Quote): void {
  const reason = quote.status === 'PENDING_AUTHORIZATION' ? 'SCA_NOT_COMPLETED' : 'QUOTE_EXECUTION_FAILED';
  world.behaviour.failQuote(quote, reason, 'EXPIRED');
}
