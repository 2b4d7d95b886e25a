import { platformOf } from '../../core/call.ts';
import type { Route } from '../../core/route.ts';
import { transactions } from '../../domain/transaction.ts';
import { list } from '../list.ts';

/** Transactions of all customers of a platform. */
export const transactionsRoute: Route = {
  method: 'GET',
  path: '/transactions',
  auth: 'platform',
  handle(call) {
    const { world, query } = call;
    const mine = transactions
      .all(world)
      .filter((transaction) => world.rules.platformOwns(world, platformOf(call), transaction))
      .filter(({ customerId }) => query['customerId'] === undefined || customerId === query['customerId']);
    return list(world, mine, world.rules.presentTransaction);
  },
};
