import { type Call, type Reply, type Route, bodyOf, created } from '../../server/area.ts';
import type { World } from '../../world/world.ts';
import { ownedBy, platformOf } from '../auth/callers.ts';
import { type Filters, list, listQuery } from '../conventions/operations.ts';
import { type Stablecoin, type StablecoinOperation, stablecoins } from './records.ts';

const issue = {
  type: 'object',
  required: ['amount'],
  properties: { amount: { type: 'integer', minimum: 1, maximum: Number(2n ** 63n - 1n) } },
};

/** What the operations of a coin may be asked for. */
const issueFilters: Filters<StablecoinOperation> = {
  type: ({ type }) => type,
  status: ({ status }) => status,
};

/** Issuance of stablecoins. */
export const stablecoinRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/stablecoins',
    auth: 'platform',
    body: { type: 'object', properties: { name: { type: 'string', minLength: 1 } } },
    handle(call) {
      const { rules } = call.world;
      return rules.presentRegisteredCoin(rules.registerStablecoin(platformOf(call).id, bodyOf(call)));
    },
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
    query: listQuery(issueFilters),
    handle(call) {
      const { rules } = call.world;
      return list(call, rules.operationsOf(coinOf(call)), rules.presentIssue, issueFilters);
    },
  },
];

function move(call: Call, type: StablecoinOperation['type']) {
  const { world } = call;
  const coin = coinOf(call);
  world.rules.providerAccountFor(
    coin.platformId,
    bodyOf(call)['stablecoinProviderAccountId'] ?? coinsAccount(coin),
  );
  const amount = world.rules.readAmount(bodyOf(call)['amount']);
  const operation = world.rules.issueStablecoin(coin, type, amount);
  const reply = world.rules.presentIssued(operation);
  world.rules.whenIssueSettles(() => world.rules.settleIssue(operation));
  return reply;
}

/** A coin goes on using the account that it was registered with, unless that is the sandbox's own. */
function coinsAccount(coin: Stablecoin): string | undefined {
  return coin.providerAccountId === 'StablecoinProviderAccount:sandbox' ? undefined : coin.providerAccountId;
}

function coinOf(call: Call): Stablecoin {
  return ownedBy(call, stablecoins, 'stablecoin', call.params['stablecoinId']!);
}

/** The answer to a registration. */
export function presentRegisteredCoin(world: World, coin: Stablecoin): Reply {
  return created(world.rules.presentStablecoin(coin));
}

/** The answer to a mint or a burn. */
export function presentIssued(world: World, operation: StablecoinOperation): Reply {
  return created(world.rules.presentIssue(operation));
}
