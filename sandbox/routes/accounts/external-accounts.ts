import { bodyOf, platformOf } from '../../core/call.ts';
import { componentReference } from '../../core/contract-schemas.ts';
import type { JsonObject } from '../../core/json.ts';
import { created, ok } from '../../core/reply.ts';
import type { Route } from '../../core/route.ts';
import { customers } from '../../domain/customer.ts';
import { addExternalAccount, externalAccounts } from '../../domain/external-account.ts';
import { list } from '../list.ts';
import { ownedByCustomer, ownedCustomer } from '../owned.ts';

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
      return created(world.rules.presentExternalAccount(world, account));
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
          world.rules.platformOwns(world, platformOf(call), customers.get(world, account.customerId)!),
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
      return ok(call.world.rules.presentExternalAccount(call.world, account));
    },
  },
];
