import { enforce } from '../../core/refusal.ts';
import { ok, type Reply } from '../../core/reply.ts';
import type { World } from '../../core/world.ts';
import type { AgentAction, TransferDetails } from '../../domain/action.ts';
import type { Agent } from '../../domain/agent.ts';
import { internalAccounts } from '../../domain/internal-account.ts';
import { counterpartyOf, quotes, sourceAccountId, type Quote } from '../../domain/quote.ts';

/** An agent executes a quote: an action, which the platform may have to approve. @throws Refusal */
export function executeAsAgent(world: World, agent: Agent, quote: Quote): Reply {
  const { rules } = world;
  enforce(rules.permissionGranted(world, agent, 'EXECUTE_QUOTES'));
  enforce(rules.quoteMayExecute(world, quote));
  enforce(rules.agentMaySpendFrom(world, internalAccounts.get(world, sourceAccountId(quote) ?? '')));
  const spending = rules.spendingOfQuote(world, quote);
  enforce(rules.withinTransactionLimit(world, agent, spending));
  enforce(rules.withinPeriodLimits(world, agent, spending));
  const wanted = { type: 'EXECUTE_QUOTE', quoteId: quote.id } as const;
  if (rules.needsApproval(world, agent, spending)) {
    return rules.presentQuoteAction(world, rules.addAction(world, agent, wanted, 'PENDING_APPROVAL'));
  }
  const action = rules.addAction(world, agent, wanted, 'APPROVED');
  rules.beginExecution(world, action);
  const reply = rules.presentQuoteAction(world, action);
  rules.whenExecutionEnds(world, () => rules.endExecution(world, action));
  return reply;
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

/** The answer to the execution by an agent. */
export function presentQuoteAction(world: World, action: AgentAction): Reply {
  return ok(world.rules.presentAction(world, action));
}

/** Begins an approved execution; a quote that can no longer be executed fails the action. */
export function beginQuoteAction(world: World, action: AgentAction): void {
  const quote = quotes.get(world, action.quoteId!)!;
  action.transactionId = quote.transactionId;
  if (world.rules.quoteMayExecute(world, quote))
    world.rules.failExecution(world, action, 'QUOTE_EXECUTION_FAILED');
  else world.rules.startQuote(world, quote);
}

export function endQuoteAction(world: World, action: AgentAction): void {
  const quote = quotes.get(world, action.quoteId!)!;
  if (quote.status !== 'PROCESSING') return;
  world.rules.settleQuote(world, quote);
  if ((quote.status as Quote['status']) === 'FAILED') world.rules.setStatus(world, action, 'FAILED');
}
