import type { Route } from '../../server/area.ts';
import { bodyOf, created, ok, type Reply } from '../../server/call.ts';
import { componentReference } from '../../server/contract-schemas.ts';
import type { JsonObject } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import { ownedByCustomer, ownedCustomer, platformOf } from '../auth/callers.ts';
import { list } from '../conventions/operations.ts';
import { customers } from '../customers/records.ts';
import {
  addExternalAccount,
  type ExternalAccount,
  externalAccounts,
  fund,
  internalAccounts,
  type OwnershipChallenge,
} from './records.ts';

export const internalAccountRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/customers/internal-accounts',
    auth: 'platform',
    handle(call) {
      const { world, query } = call;
      const of = query['customerId'];
      if (of !== undefined) ownedCustomer(call, of);
      const mine = internalAccounts
        .all(world)
        .filter((account) =>
          world.rules.platformOwns(platformOf(call), customers.get(world, account.customerId)!),
        )
        .filter((account) => of === undefined || account.customerId === of)
        .filter((account) => query['currency'] === undefined || account.currency === query['currency']);
      return list(world, mine, world.rules.presentInternalAccount);
    },
  },
  {
    method: 'POST',
    path: '/sandbox/internal-accounts/:accountId/fund',
    auth: 'platform',
    body: {
      type: 'object',
      required: ['amount'],
      properties: { amount: { type: 'integer', minimum: 1, maximum: Number(2n ** 63n - 1n) } },
    },
    handle(call) {
      const { world } = call;
      const account = ownedByCustomer(call, internalAccounts, 'internal account', call.params['accountId']!);
      fund(world, account, world.rules.readAmount(bodyOf(call)['amount']));
      return ok(world.rules.presentInternalAccount(account));
    },
  },
];

export const externalAccountRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/customers/external-accounts',
    auth: 'platform',
    body: {
      type: 'object',
      required: ['customerId', 'currency', 'accountInfo'],
      properties: {
        customerId: { type: 'string' },
        currency: { type: 'string', pattern: '^[A-Z0-9]{3,12}$' },
        accountInfo: {
          type: 'object',
          required: ['accountType'],
          properties: {
            accountType: { type: 'string', minLength: 1 },
            paymentRails: { type: 'array', minItems: 1, items: componentReference('PaymentRail') },
          },
        },
      },
    },
    handle(call) {
      const { world } = call;
      const body = bodyOf(call);
      const customer = ownedCustomer(call, body['customerId'] as string);
      const accountInfo = body['accountInfo'] as JsonObject;
      const rails = accountInfo['paymentRails'] as readonly string[] | undefined;
      const account = addExternalAccount(world, customer, body['currency'] as string, {
        accountInfo,
        ...(rails === undefined ? {} : { rails }),
      });
      return created(world.rules.presentExternalAccount(account));
    },
  },
  {
    method: 'GET',
    path: '/customers/external-accounts',
    auth: 'platform',
    handle(call) {
      const { world, query } = call;
      const of = query['customerId'];
      if (of !== undefined) ownedCustomer(call, of);
      const mine = externalAccounts
        .all(world)
        .filter((account) =>
          world.rules.platformOwns(platformOf(call), customers.get(world, account.customerId)!),
        )
        .filter((account) => of === undefined || account.customerId === of);
      return list(world, mine, world.rules.presentExternalAccount);
    },
  },
  {
    method: 'GET',
    path: '/customers/external-accounts/:accountId',
    auth: 'platform',
    handle(call) {
      const account = ownedByCustomer(call, externalAccounts, 'external account', call.params['accountId']!);
      return ok(call.world.rules.presentExternalAccount(account));
    },
  },
];

/** Ownership verification of external accounts. */
export const ownershipRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/customers/external-accounts/:accountId/challenge',
    auth: 'platform',
    body: { type: 'object', properties: { method: { enum: ['WALLET_SIGNATURE', 'LIVENESS'] } } },
    bodyOptional: true,
    handle(call) {
      const account = ownedByCustomer(call, externalAccounts, 'external account', call.params['accountId']!);
      const method = (bodyOf(call)['method'] ?? 'WALLET_SIGNATURE') as OwnershipChallenge['method'];
      const { rules } = call.world;
      return created(rules.presentOwnershipChallenge(rules.challengeOwnership(account, method)));
    },
  },
  {
    method: 'POST',
    path: '/customers/external-accounts/:accountId/verify',
    auth: 'platform',
    body: { type: 'object' },
    handle(call) {
      const account = ownedByCustomer(call, externalAccounts, 'external account', call.params['accountId']!);
      const { rules } = call.world;
      return rules.presentOwnership(account, rules.verifyOwnership(account, bodyOf(call)['signature']));
    },
  },
];

/** The answer to a verification; a failed attempt may also answer 400. */
export function presentOwnership(world: World, account: ExternalAccount, _holds: boolean): Reply {
  return ok(world.rules.presentExternalAccount(account));
}
