import { Unpreparable } from '../../server/area.ts';
import type { Json } from '../../server/json.ts';
import type { Table } from '../../world/table.ts';
import type { World } from '../../world/world.ts';
import { balanceOf, type ExternalAccount, externalAccounts, internalAccounts } from '../accounts/records.ts';
import { type Agent, agents } from '../agents/records.ts';
import { mainPlatform, type Platform, platforms } from '../auth/records.ts';
import { cards, type Card, type CardTransaction, cardTransactions } from '../cards/records.ts';
import { credentialsOf } from '../credentials/records.ts';
import { type Customer, customers } from '../customers/records.ts';
import { type Refund, refunds } from '../events/records.ts';
import { configOf, type PlatformConfig } from '../platform/records.ts';

/*
 * Records that the params of a provider state name. States find them here and change them by rules; a state that wrote
 * a record itself would prepare what no caller could.
 */

export { mainPlatform };

function finder<T>(table: Table<T>, kind: string) {
  return (world: World, id: Json | undefined): T => {
    const record = typeof id === 'string' ? table.get(world, id) : undefined;
    if (record === undefined) throw new Unpreparable(`there is no such ${kind}.`);
    return record;
  };
}

/** @throws Unpreparable, as every one of these */
export const findCustomer: (world: World, id: Json | undefined) => Customer = finder(customers, 'customer');
export const findExternalAccount: (world: World, id: Json | undefined) => ExternalAccount = finder(
  externalAccounts,
  'external account',
);
export const findRefund: (world: World, id: Json | undefined) => Refund = finder(refunds, 'refund');
export const findCardTransaction: (world: World, id: Json | undefined) => CardTransaction = finder(
  cardTransactions,
  'card transaction',
);

/** The agent, unless it is gone. */
export function agentStillThere(world: World, id: string): Agent | undefined {
  return agents.get(world, id);
}

/** Ids and types of the credentials of a wallet. */
export function credentialsIn(world: World, accountId: string): { id: string; type: string }[] {
  return credentialsOf(world, accountId).map(({ id, type }) => ({ id, type }));
}

/** The first card of a customer, if it has one. */
export function cardOf(world: World, customer: Customer): Card | undefined {
  return cards.all(world).find(({ customerId }) => customerId === customer.id);
}

/** Puts so much money behind a card that a payment of this amount can be authorized. */
export function ensureFunds(world: World, card: Card, amount: bigint): void {
  const account = internalAccounts.get(world, card.accountId)!;
  if (balanceOf(world, account) < amount) world.rules.fundAccount(account, amount);
}

/** The settings of a platform: that of this client id, or the main one. @throws Unpreparable */
export function findConfig(world: World, clientId: Json | undefined): PlatformConfig {
  const platform: Platform =
    clientId === undefined ? mainPlatform(world) : finder(platforms, 'platform')(world, clientId);
  return configOf(world, platform.id);
}

/** The settings of a customer's platform. */
export function configFor(world: World, customer: Customer): PlatformConfig {
  return configOf(world, customer.platformId);
}
