import { randomUUID } from 'node:crypto';
import { named, param, type State, Unpreparable } from '../../server/area.ts';
import type { JsonObject } from '../../server/json.ts';
import { refusalOf } from '../../server/refusal.ts';
import { mintId, type World } from '../../world/world.ts';
import { balanceOf, internalAccounts } from '../accounts/records.ts';
import { type Customer, customers } from '../customers/records.ts';
import { newPlatform, prepareCustomer } from '../customers/states.ts';
import {
  cards,
  type CardStep,
  cardTransactions,
  configOf,
  linkProvider,
  type ProviderAccount,
  registerPlatform,
} from './records.ts';
import { addCard, authorizeCard, cardMayMove, moveCardTransaction } from './cards.ts';

const SOURCE = { sourceCurrency: 'USD' };

/** The customer that the params name, or a new one. @throws Unpreparable */
export function customerFrom(world: World, params: JsonObject): Customer {
  return params['customerId'] === undefined
    ? prepareCustomer(world, {}).customer
    : named(world, customers, 'customer', params['customerId']);
}

const AMOUNT = 1_000n;

/** An authorization for which the money is there. */
function authorized(world: World, customer: Customer) {
  const card =
    cards.all(world).find(({ customerId }) => customerId === customer.id) ?? addCard(world, customer);
  const account = internalAccounts.get(world, card.accountId)!;
  if (balanceOf(world, account) < AMOUNT) world.behaviour.fundAccount(account, AMOUNT);
  return authorizeCard(world, card, AMOUNT);
}

/** States that prepare this area. */
export const platformStates: readonly State[] = [
  // Credentials of a second platform, which owns nothing.
  {
    name: 'other-platform',
    setup(world) {
      const { clientId, clientSecret } = registerPlatform(world, `other-${randomUUID()}`);
      return { clientId, clientSecret };
    },
  },
  // Moves the time forward, for one customer or for the whole world.
  {
    name: 'clock',
    setup(world, params) {
      const customerId = params['customerId'] as string | undefined;
      world.clock.advance(Number(params['advanceSeconds'] ?? 0), customerId);
      world.behaviour.passTime();
      return {
        now: new Date(world.clock.now(customerId)).toISOString(),
        scope: customerId === undefined ? 'target' : 'customer',
      };
    },
  },
  // A platform of its own with a customer, and the requests that configure it.
  {
    name: 'platform-config',
    setup(world, params) {
      const { customer, values } = prepareCustomer(world, { ...params, ownPlatform: true });
      const fee = params['platformFee'];
      if (fee !== undefined)
        world.behaviour.updateConfig(configOf(world, customer.platformId), {
          feeConfigs: [{ ...SOURCE, fixedFee: fee }],
        });
      return {
        ...values,
        variable: { feeConfigs: [{ ...SOURCE, variableFeeBps: 50 }] },
        fixed: { feeConfigs: [{ ...SOURCE, fixedFee: 100 }] },
        both: { feeConfigs: [{ ...SOURCE, variableFeeBps: 50, fixedFee: 100 }] },
        none: { feeConfigs: [] },
        cardTokenization2fa: { cardTokenization2faConfig: { enabled: true } },
        feeOverride: { fixedFee: 777 },
      };
    },
  },
  // A platform of its own with links to stablecoin providers.
  {
    name: 'stablecoin',
    setup(world, params) {
      const { behaviour } = world;
      const platform = newPlatform(world);
      const statuses = param<readonly ProviderAccount['status'][]>(params, 'providerAccounts', ['ACTIVE']);
      const ids = statuses.map((status) => linkProvider(world, platform.id, status).id);
      const register = { name: 'Sandbox Dollar', symbol: 'SBD', currency: 'USD', network: 'SOLANA' };
      const minted = BigInt(param<number | bigint>(params, 'minted', 0));
      const values: JsonObject = {
        clientId: platform.clientId,
        clientSecret: platform.clientSecret,
        providerAccountIds: ids,
        unknownProviderAccountId: mintId(world, 'StablecoinProviderAccount'),
        register,
        mint: { amount: 100_000 },
        burn: { amount: 40_000 },
      };
      if (params['registered'] !== true && minted === 0n) return values;
      if (!statuses.includes('ACTIVE'))
        throw new Unpreparable('a coin is registered with an ACTIVE link only.');
      const stablecoinProviderAccountId = ids[statuses.indexOf('ACTIVE')];
      const coin = behaviour.registerStablecoin(platform.id, { ...register, stablecoinProviderAccountId });
      if (minted > 0n) behaviour.settleIssue(behaviour.issueStablecoin(coin, 'MINT', minted));
      const operations = { method: 'GET', path: `/stablecoins/${coin.id}/operations` };
      return { ...values, stablecoinId: coin.id, operations };
    },
  },
  // A cardholder, and the request that issues a card to it.
  {
    name: 'card',
    setup(world, params) {
      const { values } = prepareCustomer(world, params);
      const { customerId } = values;
      return {
        ...values,
        issue: { method: 'POST', path: '/cards', body: { cardholderId: customerId, form: 'VIRTUAL' } },
      };
    },
  },
  // One state change of a card transaction, now.
  {
    name: 'card-transaction',
    setup(world, params) {
      const to = (params['to'] ?? 'AUTHORIZED') as CardStep;
      const transaction =
        params['cardTransactionId'] === undefined
          ? authorized(world, customerFrom(world, params))
          : named(world, cardTransactions, 'card transaction', params['cardTransactionId']);
      if (to !== transaction.status) {
        const refusal = refusalOf(() => cardMayMove(world, transaction, to));
        if (refusal) throw new Unpreparable(refusal.message);
        moveCardTransaction(world, transaction, to);
      }
      const { id, cardId, customerId, status } = transaction;
      return { customerId, cardId, cardTransactionId: id, status };
    },
  },
];
