import { type Decision, enforce, type Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { externalAccounts, internalAccounts } from '../accounts/records.ts';
import type { Agent } from '../agents/records.ts';
import { type AgentAction, transactions, type TransferDetails } from '../transfers/records.ts';
import { counterpartyOf, type Quote, quotes, sourceAccountId } from './records.ts';

/** Begins the execution of a quote, at its locked rate. @throws Refusal */
export function executeQuote(world: World, quote: Quote): void {
  enforce(world.rules.quoteMayExecute(quote));
  world.rules.startQuote(quote);
}

/** Everything that stands between a quote and its execution. */
export function quoteMayExecute(world: World, quote: Quote): Decision {
  const { rules } = world;
  return (
    rules.quoteStillValid(quote) ??
    rules.quoteAuthorized(quote) ??
    rules.quoteOpen(quote) ??
    rules.limitsAtExecution(quote) ??
    rules.fundsForQuote(quote)
  );
}

/** Until expiresAt, and by nothing else, the rate holds. */
export function quoteStillValid(world: World, quote: Quote): Decision {
  return world.rules.quoteExpired(quote) ? world.rules.refuseExpiredQuote() : undefined;
}

export function quoteExpired(world: World, quote: Quote): boolean {
  return world.clock.now(quote.customerId) >= quote.expiresAt;
}

/** Which status and code an expired quote gets is not shown. */
export function refuseExpiredQuote(world: World): Refusal {
  return world.rules.refuseConflict('The quote has expired.');
}

/** What awaits authorization cannot be executed. */
export function quoteAuthorized(world: World, quote: Quote): Decision {
  if (quote.status !== 'PENDING_AUTHORIZATION') return undefined;
  return world.rules.refuseConflict('The quote must be authorized first.');
}

/** A quote is executed once. */
export function quoteOpen(world: World, quote: Quote): Decision {
  if (quote.status === 'PENDING' || quote.status === 'PENDING_AUTHORIZATION') return undefined;
  return world.rules.refuseConflict(`The quote is ${quote.status} and cannot be executed.`);
}

export function fundsForQuote(world: World, quote: Quote): Decision {
  const account = internalAccounts.get(world, sourceAccountId(quote) ?? '');
  if (!account || world.rules.fundsSuffice(account, quote.totalSendingAmount)) return undefined;
  return world.rules.refuseInsufficientFunds();
}

/** Takes the money from the source; realtime funding arrives from outside. */
export function startQuote(world: World, quote: Quote): void {
  quote.executedAt = world.clock.now(quote.customerId);
  world.rules.setQuoteStatus(quote, 'PROCESSING');
  post(world, quote, sourceAccountId(quote) ?? 'outside:funding', 'outside:exchange');
}

/** When an executed quote settles, seen from the answer to its execution: right after it. Not shown. */
export function whenQuoteSettles(_world: World, settle: () => void): void {
  settle();
}

/** The money arrives, or the source gets it back. */
export function settleQuote(world: World, quote: Quote): void {
  if (quote.status !== 'PROCESSING') return;
  if (world.rules.quotePayoutFails(quote)) {
    world.rules.refundQuote(quote);
    world.rules.failQuote(quote, 'QUOTE_EXECUTION_FAILED');
    return;
  }
  const { totalReceivingAmount: amount, receivingCurrency: currency } = quote;
  world.ledger.post({
    from: 'outside:exchange',
    to: counterpartyOf(quote),
    amount,
    currency,
    reason: quote.id,
  });
  world.rules.setQuoteStatus(quote, 'COMPLETED');
}

export function quotePayoutFails(world: World, quote: Quote): boolean {
  return externalAccounts.get(world, counterpartyOf(quote))?.payoutFails !== undefined;
}

/** A debited amount comes back without a further call. */
export function refundQuote(world: World, quote: Quote): void {
  post(world, quote, 'outside:exchange', sourceAccountId(quote) ?? 'outside:funding');
  transactions.get(world, quote.transactionId)!.refund = {
    reference: `refund-${quote.transactionId.slice(-12)}`,
    status: 'COMPLETED',
    initiatedAt: world.clock.now(quote.customerId),
  };
}

/** @param reason transaction failure reason */
export function failQuote(world: World, quote: Quote, reason: string): void {
  transactions.get(world, quote.transactionId)!.failureReason = world.rules.quoteFailureReason(reason);
  world.rules.setQuoteStatus(quote, 'FAILED');
}

/** The reason as the transaction shows it. */
export function quoteFailureReason(_world: World, reason: string): string {
  return reason;
}

/** Moves a quote and its transaction to a status. */
export function setQuoteStatus(world: World, quote: Quote, status: Quote['status']): void {
  quote.status = status;
  world.rules.setTransactionStatus(transactions.get(world, quote.transactionId)!, status);
}

function post(world: World, quote: Quote, from: string, to: string): void {
  const { totalSendingAmount: amount, sendingCurrency: currency } = quote;
  world.ledger.post({ from, to, amount, currency, reason: quote.id });
}

/** An agent executes a quote: an action, which the platform may have to approve. @throws Refusal */
export function executeAsAgent(world: World, agent: Agent, quote: Quote): AgentAction {
  const { rules } = world;
  enforce(rules.permissionGranted(agent, 'EXECUTE_QUOTES'));
  enforce(rules.quoteMayExecute(quote));
  enforce(rules.agentMaySpendFrom(internalAccounts.get(world, sourceAccountId(quote) ?? '')));
  const spending = rules.spendingOfQuote(quote);
  enforce(rules.withinTransactionLimit(agent, spending));
  enforce(rules.withinPeriodLimits(agent, spending));
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

/** Begins an approved execution; a quote that can no longer be executed fails the action. */
export function beginQuoteAction(world: World, action: AgentAction): void {
  const quote = quotes.get(world, action.quoteId!)!;
  action.transactionId = quote.transactionId;
  if (world.rules.quoteMayExecute(quote)) world.rules.failExecution(action, 'QUOTE_EXECUTION_FAILED');
  else world.rules.startQuote(quote);
}

export function endQuoteAction(world: World, action: AgentAction): void {
  const quote = quotes.get(world, action.quoteId!)!;
  if (quote.status !== 'PROCESSING') return;
  world.rules.settleQuote(quote);
  if ((quote.status as Quote['status']) === 'FAILED') world.rules.setStatus(action, 'FAILED');
}
