import type { Route } from '../../server/area.ts';
import { bodyOf, type Call } from '../../server/call.ts';
import { ownedBy, platformOf } from '../auth/callers.ts';
import { list } from '../conventions/list.ts';
import { type Stablecoin, type StablecoinOperation, stablecoins } from './records.ts';

const issue = {
  type: 'object',
  required: ['amount'],
  properties: { amount: { type: 'integer', minimum: 1, maximum: Number(2n ** 63n - 1n) } },
};

/** Issuance of stablecoins. */
export const stablecoinRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/stablecoins',
    auth: 'platform',
    body: { type: 'object', properties: { name: { type: 'string', minLength: 1 } } },
    handle: (call) => call.world.rules.registerStablecoin(platformOf(call).id, bodyOf(call)),
  },
  {
    method: 'POST',
    path: '/stablecoins/:stablecoinId/mints',
    auth: 'platform',
    body: issue,
    handle: (call) => move(call, 'MINT'),
  },
  {
    method: 'POST',
    path: '/stablecoins/:stablecoinId/burns',
    auth: 'platform',
    body: issue,
    handle: (call) => move(call, 'BURN'),
  },
  {
    method: 'GET',
    path: '/stablecoins/:stablecoinId/operations',
    auth: 'platform',
    handle: ({ world, ...call }) =>
      list(world, world.rules.operationsOf(coinOf({ world, ...call })), world.rules.presentIssue),
  },
];

function move(call: Call, type: StablecoinOperation['type']) {
  const { world } = call;
  const coin = coinOf(call);
  world.rules.providerAccountFor(
    coin.platformId,
    bodyOf(call)['stablecoinProviderAccountId'] ?? coinsAccount(coin),
  );
  return world.rules.issueStablecoin(coin, type, world.rules.readAmount(bodyOf(call)['amount']));
}

/** A coin goes on using the account that it was registered with, unless that is the sandbox's own. */
function coinsAccount(coin: Stablecoin): string | undefined {
  return coin.providerAccountId === 'StablecoinProviderAccount:sandbox' ? undefined : coin.providerAccountId;
}

function coinOf(call: Call): Stablecoin {
  return ownedBy(call, stablecoins, 'stablecoin', call.params['stablecoinId']!);
}
