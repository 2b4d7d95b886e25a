import { type State, Unpreparable } from '../../server/area.ts';
import type { JsonObject } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import type { Customer } from '../customers/records.ts';
import { prepareCustomer } from '../customers/states.ts';
import { cardOf, ensureFunds, findCardTransaction, findCustomer } from '../sandbox/steering.ts';
import { CARD_STEPS, type CardStep } from './records.ts';
import { refusalOf } from '../../server/refusal.ts';

/** A cardholder, and the request that issues a card to it. */
export const cardState: State = {
  name: 'card',
  params: { kyc: { enum: ['APPROVED', 'PENDING', 'REJECTED'] } },
  setup(world, params) {
    const { values } = prepareCustomer(world, params);
    const { customerId } = values;
    return {
      ...values,
      issue: { method: 'POST', path: '/cards', body: { cardholderId: customerId, form: 'VIRTUAL' } },
    };
  },
};

/** One state change of a card transaction, now. */
export const cardTransactionState: State = {
  name: 'card-transaction',
  params: { customerId: { type: 'string' }, cardTransactionId: { type: 'string' }, to: { enum: CARD_STEPS } },
  setup(world, params) {
    const { rules } = world;
    const to = (params['to'] ?? 'AUTHORIZED') as CardStep;
    const transaction =
      params['cardTransactionId'] === undefined
        ? authorized(world, customerFrom(world, params))
        : findCardTransaction(world, params['cardTransactionId']);
    if (to !== transaction.status) {
      const refusal = refusalOf(() => rules.cardMayMove(transaction, to));
      if (refusal) throw new Unpreparable(refusal.message);
      rules.moveCardTransaction(transaction, to);
    }
    const { id, cardId, customerId, status } = transaction;
    return { customerId, cardId, cardTransactionId: id, status };
  },
};

/** The customer that the params name, or a new one. @throws Unpreparable */
export function customerFrom(world: World, params: JsonObject): Customer {
  return params['customerId'] === undefined
    ? prepareCustomer(world, {}).customer
    : findCustomer(world, params['customerId']);
}

const AMOUNT = 1_000n;

/** An authorization for which the money is there. */
function authorized(world: World, customer: Customer) {
  const card = cardOf(world, customer) ?? world.rules.addCard(customer);
  ensureFunds(world, card, AMOUNT);
  return world.rules.authorizeCard(card, AMOUNT);
}
