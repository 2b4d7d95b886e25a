import type { Decision } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { externalAccounts, internalAccounts } from '../accounts/records.ts';
import { type AgentAction, type Transaction, transactions } from './records.ts';

/** Only a pending action can be approved or rejected. */
export function mayApprove(world: World, action: AgentAction): Decision {
  if (action.status === 'PENDING_APPROVAL') return undefined;
  return world.rules.refuseConflict(`The action is ${action.status} and cannot be approved.`);
}

export function mayReject(world: World, action: AgentAction): Decision {
  if (action.status === 'PENDING_APPROVAL') return undefined;
  return world.rules.refuseConflict(`The action is ${action.status} and cannot be rejected.`);
}

/** The platform says yes: the action is approved and its execution begins. */
export function approveAction(world: World, action: AgentAction): void {
  const { rules } = world;
  rules.setStatus(action, 'APPROVED');
  rules.whenExecutionBegins(() => {
    rules.beginExecution(action);
    rules.whenExecutionEnds(() => rules.endExecution(action));
  });
}

/** The platform says no: nothing is executed. */
export function rejectAction(world: World, action: AgentAction, reason: string | undefined): void {
  action.rejectionReason = world.rules.rejectionReason(reason);
  world.rules.setStatus(action, 'REJECTED');
}

/** @param given what the platform said, if anything */
export function rejectionReason(_world: World, given: string | undefined): string {
  return given ?? 'Rejected by the platform.';
}

/**
 * Begins the execution of an approved transfer: its transaction exists from now on, and the money is on its way. Without
 * funds the execution fails at once and nothing moves.
 */
export function beginExecution(world: World, action: AgentAction): void {
  if (action.type === 'EXECUTE_QUOTE') return world.rules.beginQuoteAction(action);
  const { amount, sourceAccountId } = action.transfer!;
  const transaction = world.rules.addTransaction(action);
  action.transactionId = transaction.id;
  const source = internalAccounts.get(world, sourceAccountId);
  if (source && !world.rules.fundsSuffice(source, amount)) {
    world.rules.failExecution(action, 'QUOTE_EXECUTION_FAILED');
    return;
  }
  world.rules.moveMoney(action);
  world.rules.setTransactionStatus(transaction, 'PROCESSING');
}

/** Ends an execution that has begun: the money has arrived, or it comes back. */
export function endExecution(world: World, action: AgentAction): void {
  if (action.type === 'EXECUTE_QUOTE') return world.rules.endQuoteAction(action);
  const transaction = transactions.get(world, action.transactionId!)!;
  if (transaction.status !== 'PROCESSING') return;
  const reason = world.rules.payoutFailure(action);
  if (reason === undefined) {
    world.rules.setTransactionStatus(transaction, 'COMPLETED');
    return;
  }
  world.rules.returnMoney(action);
  world.rules.failExecution(action, reason);
}

/** When an execution ends, seen from the answer to the request that began it: right after it. Not shown. */
export function whenExecutionEnds(_world: World, end: () => void): void {
  end();
}

/** When an execution begins, seen from the platform's approval: before it is answered. Not shown. */
export function whenExecutionBegins(_world: World, begin: () => void): void {
  begin();
}

/** Takes the amount from the source, once. */
export function moveMoney(world: World, action: AgentAction): void {
  const { amount, currency, sourceAccountId, destinationAccountId } = action.transfer!;
  world.ledger.post({ from: sourceAccountId, to: destinationAccountId, amount, currency, reason: action.id });
}

/** Gives the amount of a failed payout back to the source. */
export function returnMoney(world: World, action: AgentAction): void {
  const { amount, currency, sourceAccountId, destinationAccountId } = action.transfer!;
  world.ledger.post({
    from: destinationAccountId,
    to: sourceAccountId,
    amount,
    currency,
    reason: `${action.id} returned`,
  });
}

/** Why the destination sends a payout back, or undefined when it keeps it. */
export function payoutFailure(world: World, action: AgentAction): string | undefined {
  return externalAccounts.get(world, action.transfer!.destinationAccountId)?.payoutFails;
}

/** An approved action whose execution fails is FAILED. @param reason transaction failure reason */
export function failExecution(world: World, action: AgentAction, reason: string): void {
  const transaction = transactions.get(world, action.transactionId!)!;
  transaction.failureReason = reason;
  world.rules.setTransactionStatus(transaction, 'FAILED');
  world.rules.setStatus(action, 'FAILED');
}

/** Moves an action to a status, and notes when. */
export function setStatus(world: World, action: AgentAction, status: AgentAction['status']): void {
  action.status = status;
  action.updatedAt = world.rules.timeOfUpdate(action);
}

export function timeOfUpdate(world: World, action: AgentAction): number {
  return world.clock.now(action.customerId);
}

export function setTransactionStatus(
  world: World,
  transaction: Transaction,
  status: Transaction['status'],
): void {
  transaction.status = status;
  transaction.updatedAt = world.clock.now(transaction.customerId);
}

/**
 * The transaction of an action. It takes the action's uuid, so that the second approval path, which speaks of a
 * transaction, can name a pending action.
 */
export function addTransaction(world: World, action: AgentAction): Transaction {
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
    sourceAccountId,
    destinationAccountId,
    ...(action.paymentRail === undefined ? {} : { paymentRail: action.paymentRail }),
    ...(action.remittanceInformation === undefined
      ? {}
      : { remittanceInformation: action.remittanceInformation }),
    createdAt: now,
    updatedAt: now,
  });
}
