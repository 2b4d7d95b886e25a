import type { JsonObject } from '../../core/json.ts';
import type { World } from '../../core/world.ts';
import type { ExternalAccount } from '../../domain/external-account.ts';
import { addInternalAccount, balanceOf, type InternalAccount } from '../../domain/internal-account.ts';
import type { Customer } from '../../domain/customer.ts';

/** Accounts that a new customer is born with. */
export function openAccounts(world: World, customer: Customer, currencies: readonly string[]): void {
  for (const currency of currencies) addInternalAccount(world, customer, currency);
}

export function presentInternalAccount(world: World, account: InternalAccount): JsonObject {
  return {
    id: account.id,
    customerId: account.customerId,
    type: account.type,
    status: 'ACTIVE',
    balance: {
      amount: world.rules.presentAmount(world, balanceOf(world, account)),
      currency: world.rules.presentCurrency(world, account.currency),
    },
    ...world.rules.walletFields(world, account),
    createdAt: world.rules.presentTime(world, account.createdAt),
    updatedAt: world.rules.presentTime(world, account.updatedAt),
  };
}

export function presentExternalAccount(world: World, account: ExternalAccount): JsonObject {
  return {
    id: account.id,
    customerId: account.customerId,
    status: account.status,
    currency: account.currency,
    accountInfo: account.accountInfo,
    createdAt: world.rules.presentTime(world, account.createdAt),
    updatedAt: world.rules.presentTime(world, account.updatedAt),
  };
}
