import { type Call, type Route, bodyOf, created, ok } from '../../server/area.ts';
import { ownedByCustomer, ownedCustomer } from '../auth/callers.ts';
import { cards, type CardStep, cardTransactions } from './records.ts';

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
    method: 'POST',
    path: '/cards',
    auth: 'platform',
    body: { type: 'object' },
    handle(call) {
      const { cardholderId, customerId } = bodyOf(call);
      const { rules } = call.world;
      const card = rules.issueCard(ownedCustomer(call, String(cardholderId ?? customerId)));
      return created(rules.presentCard(card));
    },
  },
  {
    method: 'POST',
    path: '/sandbox/cards/:cardId/simulate/authorization',
    auth: 'platform',
    body: { type: 'object', properties: { amount: { type: 'integer', minimum: 1, maximum: 1e12 } } },
    bodyOptional: true,
    handle(call) {
      const { world } = call;
      const card = ownedByCustomer(call, cards, 'card', call.params['cardId']!);
      const transaction = world.rules.authorizeCard(
        card,
        world.rules.readAmount(bodyOf(call)['amount'] ?? 1_000),
      );
      return created(world.rules.presentCardTransaction(transaction));
    },
  },
  ...Object.entries(STEPS).map(([segment, to]): Route => ({
    method: 'POST',
    path: `/sandbox/cards/:cardId/simulate/${segment}`,
    auth: 'platform',
    body: {
      type: 'object',
      required: ['cardTransactionId'],
      properties: { cardTransactionId: { type: 'string' } },
    },
    handle: (call) => step(call, to),
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
  world.rules.cardMayMove(transaction, to);
  world.rules.moveCardTransaction(transaction, to);
  return ok(world.rules.presentCardTransaction(transaction));
}
