import type { World } from '../../world/world.ts';
import { type Transaction, TRANSACTION_LIFE } from './records.ts';

/** Transaction statuses and transitions are not shown; TRANSACTION_LIFE says which there are here. @throws IllegalMove */
export function setTransactionStatus(
  world: World,
  transaction: Transaction,
  status: Transaction['status'],
): void {
  world.behaviour.changeStatus(TRANSACTION_LIFE, transaction, status);
  transaction.updatedAt = world.clock.now(transaction.customerId);
}
