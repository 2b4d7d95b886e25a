import { bodyOf, type Call, created, ok, operation, type Route } from '../../server/area.ts';
import { type JsonObject, readAmount } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import {
  type Filters,
  list,
  listQuery,
  ownedBy,
  ownedByCustomer,
  ownedCustomer,
  platformOf,
} from '../conventions/operations.ts';
import type { Customer } from '../customers/records.ts';
import {
  type Card,
  cards,
  type CardStep,
  cardTransactions,
  configOf,
  presentConfig,
  type Stablecoin,
  type StablecoinOperation,
  stablecoins,
  supplyOf,
} from './records.ts';
import { addCard, authorizeCard, cardMayMove, moveCardTransaction } from './cards.ts';

/** Settings of a platform. */
export const configRoutes: readonly Route[] = [
  {
    ...operation('GET /config'),
    handle: (world, call) => ok(presentConfig(configOf(world, platformOf(call).id))),
  },
  {
    ...operation('PATCH /config'),
    handle(world, call) {
      const config = configOf(world, platformOf(call).id);
      world.behaviour.updateConfig(config, bodyOf(call));
      return ok(presentConfig(config));
    },
  },
];

const issueFilters: Filters<StablecoinOperation> = {
  type: ({ type }) => type,
  status: ({ status }) => status,
};

/** Issuance of stablecoins. */
export const stablecoinRoutes: readonly Route[] = [
  {
    ...operation('POST /stablecoins'),
    handle(world, call) {
      const coin = world.behaviour.registerStablecoin(platformOf(call).id, bodyOf(call));
      return created(presentStablecoin(world, coin));
    },
  },
  {
    ...operation('POST /stablecoins/:stablecoinId/mints'),
    handle: (_world, call) => move(call, 'MINT'),
  },
  {
    ...operation('POST /stablecoins/:stablecoinId/burns'),
    handle: (_world, call) => move(call, 'BURN'),
  },
  {
    ...operation('GET /stablecoins/:stablecoinId/operations'),
    query: listQuery(issueFilters),
    handle: ({ behaviour }, call) =>
      list(call, behaviour.operationsOf(coinOf(call)), behaviour.presentIssue, issueFilters),
  },
];

function move(call: Call, type: StablecoinOperation['type']) {
  const { world } = call;
  const coin = coinOf(call);
  world.behaviour.providerAccountFor(
    coin.platformId,
    bodyOf(call)['stablecoinProviderAccountId'] ?? coinsAccount(coin),
  );
  const amount = readAmount(bodyOf(call)['amount']);
  const operation = world.behaviour.issueStablecoin(coin, type, amount);
  const reply = created(world.behaviour.presentIssue(operation));
  world.behaviour.settleIssue(operation);
  return reply;
}

/** The fields of a stablecoin are not shown. */
function presentStablecoin(world: World, coin: Stablecoin): JsonObject {
  const { id, name, symbol, providerAccountId } = coin;
  return {
    id,
    name,
    symbol,
    stablecoinProviderAccountId: providerAccountId,
    status: 'ACTIVE',
    supply: supplyOf(world, coin),
    createdAt: world.behaviour.presentTime(coin.createdAt),
  };
}

/** A coin goes on using the account that it was registered with, unless that is the sandbox's own. */
function coinsAccount(coin: Stablecoin): string | undefined {
  return coin.providerAccountId === 'StablecoinProviderAccount:sandbox' ? undefined : coin.providerAccountId;
}

function coinOf(call: Call): Stablecoin {
  return ownedBy(call, stablecoins, 'stablecoin', call.params['stablecoinId']!);
}

/** Steps that can be simulated on a card transaction, by the last segment of the path. */
const STEPS: Readonly<Record<string, CardStep>> = {
  'partial-settlement': 'PARTIALLY_SETTLED',
  settlement: 'SETTLED',
  refund: 'REFUNDED',
  exception: 'EXCEPTION',
};

/** Issuance of cards, and the simulated life of card transactions. */
export const cardRoutes: readonly Route[] = [
  {
    ...operation('POST /cards'),
    handle(world, call) {
      const { cardholderId, customerId } = bodyOf(call);
      const card = issueCard(world, ownedCustomer(call, String(cardholderId ?? customerId)));
      return created(presentCard(world, card));
    },
  },
  {
    ...operation('POST /sandbox/cards/:cardId/simulate/authorization'),
    handle(world, call) {
      const card = ownedByCustomer(call, cards, 'card', call.params['cardId']!);
      const transaction = authorizeCard(world, card, readAmount(bodyOf(call)['amount'] ?? 1_000));
      return created(world.behaviour.presentCardTransaction(transaction));
    },
  },
  ...Object.entries(STEPS).map(([segment, to]): Route => ({
    ...operation(`POST /sandbox/cards/:cardId/simulate/${segment}`),
    body: {
      type: 'object',
      required: ['cardTransactionId'],
      properties: { cardTransactionId: { type: 'string' } },
    },
    handle: (_world, call) => step(call, to),
  })),
];

function step(call: Call, to: CardStep) {
  const { world } = call;
  const transaction = ownedByCustomer(
    call,
    cardTransactions,
    'Transaction',
    String(bodyOf(call)['cardTransactionId']),
  );
  cardMayMove(world, transaction, to);
  moveCardTransaction(world, transaction, to);
  return ok(world.behaviour.presentCardTransaction(transaction));
}

/** Issues a card. @throws Refusal */
function issueCard(world: World, customer: Customer): Card {
  world.behaviour.kycApproved(customer);
  return addCard(world, customer);
}

function presentCard(world: World, card: Card): JsonObject {
  const { id, customerId, last4 } = card;
  return { id, customerId, last4, status: 'ACTIVE', createdAt: world.behaviour.presentTime(card.createdAt) };
}
