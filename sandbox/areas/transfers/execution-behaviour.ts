import { type Passes, refusalOf } from '../../server/refusal.ts';
import { held } from '../../world/ledger.ts';
import type { World } from '../../world/world.ts';
import { bookOf, internalAccounts } from '../accounts/records.ts';
import { giveBack } from '../events/refunds.ts';
import { counterpartyOf } from '../quotes/records.ts';
import {
  ACTION_LIFE,
  type AgentAction,
  paymentOf,
  setTransactionStatus,
  type Transaction,
  transactions,
} from './records.ts';
import { customerMayPay, endExecution, failExecution } from './steps.ts';
import { changeStatus } from '../../world/table.ts';

/** Only a pending action can be approved or rejected. */
export function mayApprove(world: World, action: AgentAction): Passes {
  if (action.status === 'PENDING_APPROVAL') return;
  throw world.behaviour.refuseConflict(`The action is ${action.status} and cannot be approved.`);
}

/** interface.md > AgentActionStatus: only PENDING_APPROVAL leads to REJECTED. What any other action gets is not shown. */
export function mayReject(world: World, action: AgentAction): Passes {
  if (action.status === 'PENDING_APPROVAL') return;
  throw world.behaviour.refuseConflict(`The action is ${action.status} and cannot be rejected.`);
}

/** The platform says yes: the action is approved and its execution begins. */
export function approveAction(world: World, action: AgentAction): void {
  const { behaviour } = world;
  behaviour.setStatus(action, 'APPROVED');
  behaviour.whenExecutionBegins(() => {
    behaviour.beginExecution(action);
    behaviour.whenExecutionEnds(() => endExecution(world, action));
  });
}

/** The platform says no: nothing is executed. */
export function rejectAction(world: World, action: AgentAction, reason: string | undefined): void {
  action.rejectionReason = reason ?? 'Rejected by the platform.';
  world.behaviour.setStatus(action, 'REJECTED');
}

/**
 * Begins the execution of an approved transfer: its transaction exists from now on, and the money is on its way. What has
 * come to stand against it since it was submitted fails it at once, and nothing moves.
 */
export function beginExecution(world: World, action: AgentAction): void {
  if (action.type === 'EXECUTE_QUOTE') return world.behaviour.beginQuoteAction(action);
  const transaction = addTransaction(world, action);
  action.transactionId = transaction.id;
  const reason = whyNotExecuted(world, action);
  if (reason !== undefined) return failExecution(world, action, reason);
  world.behaviour.moveMoney(action);
  transaction.executedAt = world.clock.now(action.customerId);
  setTransactionStatus(world, transaction, 'PROCESSING');
}

/** Transaction failure reason of a transfer that cannot be executed now, or undefined when it can. */
function whyNotExecuted(world: World, action: AgentAction): string | undefined {
  const payment = paymentOf(action);
  if (refusalOf(() => customerMayPay(world, payment))) return 'QUOTE_EXECUTION_FAILED';
  if (refusalOf(() => world.behaviour.limitsAtExecution(payment))) return 'LIMIT_EXCEEDED';
  const source = internalAccounts.get(world, action.transfer!.sourceAccountId);
  if (!source || world.behaviour.fundsSuffice(source, action.transfer!.amount)) return undefined;
  return 'QUOTE_EXECUTION_FAILED';
}

/** When an execution ends, seen from the answer to the request that began it: right after it. Not shown. */
export function whenExecutionEnds(_world: World, end: () => void): void {
  end();
}

/** When an execution begins, seen from the platform's approval: before it is answered. Not shown. */
export function whenExecutionBegins(_world: World, begin: () => void): void {
  begin();
}

/** Takes the amount from the source, once, and holds it. */
export function moveMoney(world: World, action: AgentAction): void {
  const { amount, currency, sourceAccountId } = action.transfer!;
  world.ledger.post({
    from: bookOf(sourceAccountId),
    to: held(action.id),
    amount,
    currency,
    reason: action.id,
  });
}

/** What was held arrives at the destination. */
export function deliverMoney(world: World, action: AgentAction): void {
  const { amount, currency, destinationAccountId } = action.transfer!;
  world.ledger.post({
    from: held(action.id),
    to: bookOf(destinationAccountId),
    amount,
    currency,
    reason: action.id,
  });
}

/** Gives the amount of a failed payout back to the source. */
export function returnMoney(world: World, action: AgentAction): void {
  const transaction = transactions.get(world, action.transactionId!)!;
  giveBack(world, transaction, {
    from: held(action.id),
    to: bookOf(action.transfer!.sourceAccountId),
  });
}

/** Moves an action to a status, and notes when. */
export function setStatus(world: World, action: AgentAction, status: AgentAction['status']): void {
  changeStatus(world, ACTION_LIFE, action, status);
  action.updatedAt = world.clock.now(action.customerId);
}

/**
 * The transaction of an action. It takes the action's uuid, so that the second approval path, which speaks of a
 * transaction, can name a pending action.
 */
function addTransaction(world: World, action: AgentAction): Transaction {
  const { amount, currency, sourceAccountId, destinationAccountId } = action.transfer!;
  const id = `Transaction:${action.id.slice(action.id.indexOf(':') + 1)}`;
  const now = world.clock.now(action.customerId);
  return transactions.put(world, id, {
    id,
    type: action.type === 'TRANSFER_IN' ? 'INCOMING' : 'OUTGOING',
    status: 'PENDING',
    customerId: action.customerId,
    platformId: action.platformId,
    agentId: action.agentId,
    amount,
    currency,
    source: { sourceType: 'ACCOUNT', accountId: sourceAccountId },
    destination: {
      destinationType: 'ACCOUNT',
      accountId: destinationAccountId,
      ...(action.paymentRail === undefined ? {} : { paymentRail: action.paymentRail }),
    },
    counterparty: counterpartyOf(paymentOf(action)),
    ...(action.remittanceInformation === undefined
      ? {}
      : { remittanceInformation: action.remittanceInformation }),
    createdAt: now,
    updatedAt: now,
  });
}
