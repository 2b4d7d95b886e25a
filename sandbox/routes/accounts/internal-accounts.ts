import { bodyOf, platformOf } from '../../core/call.ts';
import { ok } from '../../core/reply.ts';
import type { Route } from '../../core/route.ts';
import { customers } from '../../domain/customer.ts';
import { fund, internalAccounts } from '../../domain/internal-account.ts';
import { list } from '../list.ts';
import { ownedByCustomer, ownedCustomer } from '../owned.ts';

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
          world.rules.platformOwns(world, platformOf(call), customers.get(world, account.customerId)!),
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
      fund(world, account, world.rules.readAmount(world, bodyOf(call)['amount']));
      return ok(world.rules.presentInternalAccount(world, account));
    },
  },
];
