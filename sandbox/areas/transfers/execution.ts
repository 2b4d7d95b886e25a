import type { World } from '../../world/world.ts';
import { externalAccounts } from '../accounts/records.ts';
import { endQuoteAction } from '../quotes/execution.ts';
import { type AgentAction, transactions } from './records.ts';
import { setTransactionStatus } from './transaction-status.ts';

/** Why the destination sends a payout back, or undefined when it keeps it. */
export function payoutFailure(world: World, action: AgentAction): string | undefined {
  return externalAccounts.get(world, action.transfer!.destinationAccountId)?.payoutFails;
}

/** Ends an execution that has begun: the money has arrived, or it comes back. */
export function endExecution(world: World, action: AgentAction): void {
  if (action.type === 'EXECUTE_QUOTE') return endQuoteAction(world, action);
  const transaction = transactions.get(world, action.transactionId!)!;
  if (transaction.status !== 'PROCESSING') return;
  const reason = payoutFailure(world, action);
  if (reason === undefined) {
    world.behaviour.deliverMoney(action);
    setTransactionStatus(world, transaction, 'COMPLETED');
    return;
  }
  failExecution(world, action, reason);
  world.behaviour.returnMoney(action);
}

/** An approved action whose execution fails is FAILED. @param reason transaction failure reason */
export function failExecution(world: World, action: AgentAction, reason: string): void {
  const transaction = transactions.get(world, action.transactionId!)!;
  transaction.failureReason = reason;
  setTransactionStatus(world, transaction, 'FAILED');
  world.behaviour.setStatus(action, 'FAILED');
}
