import { outside } from '../../world/ledger.ts';
import { mintId, type World } from '../../world/world.ts';
import type { InternalAccount } from '../accounts/records.ts';
import { customers } from '../customers/records.ts';
import { type Transaction, transactions } from './records.ts';

/**
 * Somebody outside pays into an account.
 *
 * @param amount smallest unit of the account's currency, greater than zero
 * @param sender what the sender's account is called
 */
export function receivePayment(
  world: World,
  account: InternalAccount,
  amount: bigint,
  sender: string,
): Transaction {
  const { rules } = world;
  const id = mintId(world, 'Transaction');
  const now = world.clock.now(account.customerId);
  const transaction = transactions.put(world, id, {
    id,
    type: 'INCOMING',
    status: 'PENDING',
    customerId: account.customerId,
    platformId: customers.get(world, account.customerId)!.platformId,
    amount,
    currency: account.currency,
    source: { sourceType: 'ACCOUNT', accountId: mintId(world, 'ExternalAccount') },
    destination: { destinationType: 'ACCOUNT', accountId: account.id },
    counterparty: sender,
    createdAt: now,
    updatedAt: now,
  });
  rules.setTransactionStatus(transaction, 'PROCESSING');
  world.ledger.post({
    from: outside(sender),
    to: account.id,
    amount,
    currency: account.currency,
    reason: id,
  });
  rules.setTransactionStatus(transaction, 'COMPLETED');
  return transaction;
}
