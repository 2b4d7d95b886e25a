import { Table } from '../core/table.ts';
import { mintId, type World } from '../core/world.ts';
import type { Customer } from './customer.ts';

/** An account held inside the service; its balance stands in the ledger under its id. */
export interface InternalAccount {
  readonly id: string;
  readonly customerId: string;
  readonly type: 'INTERNAL_FIAT' | 'INTERNAL_CRYPTO' | 'EMBEDDED_WALLET';
  readonly currency: string;
  readonly createdAt: number;
  updatedAt: number;
}

export const internalAccounts = new Table<InternalAccount>();

export function addInternalAccount(
  world: World,
  customer: Customer,
  currency: string,
  type: InternalAccount['type'] = 'INTERNAL_FIAT',
): InternalAccount {
  const id = mintId(world, 'InternalAccount');
  const now = world.clock.now(customer.id);
  return internalAccounts.put(world, id, {
    id,
    customerId: customer.id,
    type,
    currency,
    createdAt: now,
    updatedAt: now,
  });
}

/** Balance in the smallest unit of the account's currency. */
export function balanceOf(world: World, account: InternalAccount): bigint {
  return world.ledger.balance(account.id, account.currency);
}

/** @param amount smallest unit of the account's currency, greater than zero */
export function fund(world: World, account: InternalAccount, amount: bigint): void {
  world.ledger.post({
    from: 'outside:funding',
    to: account.id,
    amount,
    currency: account.currency,
    reason: 'funding',
  });
  account.updatedAt = world.clock.now(account.customerId);
}
