import { randomUUID } from 'node:crypto';
import { bodyOf, created, ok, operation, type Route } from '../../server/area.ts';
import { type Json, type JsonObject, readAmount } from '../../server/json.ts';
import { Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import {
  allOwnedByCustomers,
  type Filters,
  list,
  listQuery,
  ownedByCustomer,
  ownedCustomer,
} from '../conventions/operations.ts';
import {
  type ExternalAccount,
  externalAccounts,
  type InternalAccount,
  internalAccounts,
  type OwnershipChallenge,
  ownershipChallenges,
  registerExternalAccount,
} from './records.ts';

/** What lists of internal accounts may be asked for. */
export const internalAccountFilters: Filters<InternalAccount> = {
  customerId: ({ customerId }) => customerId,
  type: ({ type }) => type,
  currency: ({ currency }) => currency,
};

/** What lists of external accounts may be asked for. */
export const externalAccountFilters: Filters<ExternalAccount> = {
  customerId: ({ customerId }) => customerId,
  currency: ({ currency }) => currency,
  status: ({ status }) => status,
};

/** Internal and external accounts. */
export const accountRoutes: readonly Route[] = [
  {
    ...operation('GET /customers/internal-accounts'),
    query: listQuery(internalAccountFilters),
    handle(world, call) {
      if (call.query['customerId'] !== undefined) ownedCustomer(call, call.query['customerId']);
      const mine = allOwnedByCustomers(call, internalAccounts);
      return list(call, mine, world.behaviour.presentInternalAccount, internalAccountFilters);
    },
  },
  {
    ...operation('POST /sandbox/internal-accounts/:accountId/fund'),
    handle(world, call) {
      const account = ownedByCustomer(call, internalAccounts, 'internal account', call.params['accountId']!);
      world.behaviour.fundAccount(account, readAmount(bodyOf(call)['amount']));
      return ok(world.behaviour.presentInternalAccount(account));
    },
  },
  {
    ...operation('POST /customers/external-accounts'),
    handle(world, call) {
      const body = bodyOf(call);
      const customer = ownedCustomer(call, body['customerId'] as string);
      const account = registerExternalAccount(
        world,
        customer,
        body['currency'] as string,
        body['accountInfo'] as JsonObject,
      );
      return created(world.behaviour.presentExternalAccount(account));
    },
  },
  {
    ...operation('GET /customers/external-accounts'),
    query: listQuery(externalAccountFilters),
    handle(world, call) {
      if (call.query['customerId'] !== undefined) ownedCustomer(call, call.query['customerId']);
      const mine = allOwnedByCustomers(call, externalAccounts);
      return list(call, mine, world.behaviour.presentExternalAccount, externalAccountFilters);
    },
  },
  {
    ...operation('GET /customers/external-accounts/:accountId'),
    handle(world, call) {
      const account = ownedByCustomer(call, externalAccounts, 'external account', call.params['accountId']!);
      return ok(world.behaviour.presentExternalAccount(account));
    },
  },

  // Ownership verification of external accounts.
  {
    ...operation('POST /customers/external-accounts/:accountId/challenge'),
    handle(world, call) {
      const account = ownedByCustomer(call, externalAccounts, 'external account', call.params['accountId']!);
      const method = (bodyOf(call)['method'] ?? 'WALLET_SIGNATURE') as OwnershipChallenge['method'];
      return created(presentOwnershipChallenge(world, challengeOwnership(world, account, method)));
    },
  },
  {
    ...operation('POST /customers/external-accounts/:accountId/verify'),
    handle(world, call) {
      const account = ownedByCustomer(call, externalAccounts, 'external account', call.params['accountId']!);
      verifyOwnership(world, account, bodyOf(call)['signature']);
      return ok(world.behaviour.presentExternalAccount(account));
    },
  },
];

/** Asks for a proof of ownership; the account stays as it is. @throws Refusal */
function challengeOwnership(
  world: World,
  account: ExternalAccount,
  method: OwnershipChallenge['method'],
): OwnershipChallenge {
  world.behaviour.awaitsOwnership(account);
  const challenge: OwnershipChallenge = {
    accountId: account.id,
    method,
    // What the wallet signs is not shown. It is another text each time, so that no earlier signature holds.
    messageToSign: `I own the wallet behind ${account.id}. ${randomUUID()}`,
    expiresAt: world.clock.now(account.customerId) + 600_000,
  };
  ownershipChallenges.put(world, account.id, challenge);
  world.behaviour.afterOwnershipChallenge(account);
  return challenge;
}

/** The shape is not shown. A liveness check is hosted elsewhere: it has an address in place of a message. */
function presentOwnershipChallenge(world: World, challenge: OwnershipChallenge): JsonObject {
  const { method, messageToSign, expiresAt } = challenge;
  const hosted = { url: `https://liveness.sandbox.example/${challenge.accountId.slice(-12)}` };
  return {
    method,
    ...(method === 'LIVENESS' ? hosted : { messageToSign }),
    expiresAt: world.behaviour.presentTime(expiresAt),
  };
}

/** Checks the signature; the account has its new status when this returns. @throws Refusal */
function verifyOwnership(world: World, account: ExternalAccount, signature: Json | undefined): void {
  const { behaviour } = world;
  behaviour.awaitsOwnership(account);
  const challenge = ownershipChallenges.get(world, account.id);
  if (!challenge) throw behaviour.refuseConflict('Ask for a challenge first.');
  if (typeof signature !== 'string' || signature === '')
    throw new Refusal(400, 'INVALID_INPUT', 'A signature is needed.');
  if (world.clock.now(account.customerId) >= challenge.expiresAt)
    throw new Refusal(400, 'INVALID_INPUT', 'The challenge has expired.');
  const holds = behaviour.ownershipProven(account, challenge, signature);
  ownershipChallenges.delete(world, account.id);
  behaviour.whenOwnershipKnown(() => behaviour.settleOwnership(account, holds));
}
