import type { Route } from '../../core/route.ts';

/** Exchange rates. */
export const ratesRoute: Route = {
  method: 'GET',
  path: '/exchange-rates',
  auth: 'platform',
  handle: ({ world, query }) =>
    world.rules.readRates(world, query['sourceCurrency'], query['destinationCurrency']),
};
