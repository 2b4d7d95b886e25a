import type { JsonObject } from '../../server/json.ts';
import { shownTimes, type World } from '../../world/world.ts';
import { presentMoney } from '../accounts/records.ts';
import type { Agent } from '../agents/records.ts';
import { customers } from '../customers/records.ts';
import { refunds } from '../events/records.ts';
import { presentRefund } from '../events/refunds.ts';
import { quotes } from '../quotes/records.ts';
import { type AgentAction, type Transaction, transactions, type TransferDetails } from './records.ts';

/** An AgentAction as interface.md > Resources shows it. */
export function presentAction(world: World, action: AgentAction): JsonObject {
  const { behaviour } = world;
  const quote = quotes.get(world, action.quoteId ?? '');
  return {
    id: action.id,
    agentId: action.agentId,
    customerId: action.customerId,
    platformCustomerId: customers.get(world, action.customerId)!.platformCustomerId,
    status: action.status,
    type: action.type,
    quote: quote && behaviour.presentQuote(quote),
    transferDetails: action.transfer && behaviour.presentTransferDetails(action.transfer),
    transaction: behaviour.transactionOfAction(action),
    rejectionReason: action.status === 'REJECTED' ? action.rejectionReason : undefined,
    ...shownTimes(world, action),
  };
}

/** The action when it is read by its id. */
export function presentReadAction(world: World, action: AgentAction): JsonObject {
  return world.behaviour.presentAction(action);
}

/** The action as one of a list. */
export function presentListedAction(world: World, action: AgentAction): JsonObject {
  return world.behaviour.presentAction(action);
}

/** Present once execution has begun; never while PENDING_APPROVAL or REJECTED. */
export function transactionOfAction(world: World, action: AgentAction): JsonObject | undefined {
  const transaction = transactions.get(world, action.transactionId ?? '');
  return transaction && world.behaviour.presentTransaction(transaction);
}

/** interface.md > AgentTransferDetails: all four fields, the amount in the smallest unit of the currency. */
export function presentTransferDetails(_world: World, transfer: TransferDetails): JsonObject {
  return { ...transfer };
}

/** Beyond `type` the fields of a transaction are not shown. */
export function presentTransaction(world: World, transaction: Transaction): JsonObject {
  const {
    amount,
    currency,
    platformId: _,
    counterparty: __,
    refundId,
    executedAt: ___,
    ...shown
  } = transaction;
  const refund = refunds.get(world, refundId ?? '');
  return {
    ...shown,
    sentAmount: presentMoney(world, amount, currency),
    // Why a payment does not go on by itself: it waits for its customer.
    pendingReason: shown.status === 'PENDING_AUTHORIZATION' ? 'AWAITING_CUSTOMER_AUTHORIZATION' : undefined,
    refund: refund && presentRefund(world, refund),
    ...shownTimes(world, transaction),
  };
}

/** What an agent finds in its lists: what its customer owns, and of the actions its own. */
export function agentSees(_world: World, agent: Agent, record: AgentRecord): boolean {
  return (
    record.customerId === agent.customerId && (record.agentId === undefined || record.agentId === agent.id)
  );
}

/** What an agent can read by its id. */
export function agentReads(world: World, agent: Agent, record: AgentRecord): boolean {
  return world.behaviour.agentSees(agent, record);
}

interface AgentRecord {
  readonly customerId: string;
  readonly agentId?: string;
}
