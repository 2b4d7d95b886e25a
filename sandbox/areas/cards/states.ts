import { type State, Unpreparable } from '../../server/area.ts';
import type { JsonObject } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import { balanceOf, fund, internalAccounts } from '../accounts/records.ts';
import { type Customer, customers } from '../customers/records.ts';
import { prepareCustomer } from '../customers/states.ts';
import { CARD_STEPS, cards, type CardStep, cardTransactions } from './records.ts';

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
    const known = cardTransactions.get(world, String(params['cardTransactionId']));
    if (params['cardTransactionId'] !== undefined && !known)
      throw new Unpreparable('there is no such card transaction.');
    const transaction = known ?? authorized(world, customerFrom(world, params));
    if (to !== transaction.status) {
      const decision = rules.cardMayMove(transaction, to);
      if (decision) throw new Unpreparable(decision.message);
      rules.moveCardTransaction(transaction, to);
    }
    const { id, cardId, customerId, status } = transaction;
    return { customerId, cardId, cardTransactionId: id, status };
  },
};

/** The customer that the params name, or a new one. @throws Unpreparable */
export function customerFrom(world: World, params: JsonObject): Customer {
  if (params['customerId'] === undefined) return prepareCustomer(world, {}).customer;
  const customer = customers.get(world, String(params['customerId']));
  if (!customer) throw new Unpreparable('there is no such customer.');
  return customer;
}

const AMOUNT = 1_000n;

/** An authorization for which the money is there. */
function authorized(world: World, customer: Customer) {
  const card = cardOf(world, customer);
  const account = internalAccounts.get(world, card.accountId)!;
  if (balanceOf(world, account) < AMOUNT) fund(world, account, AMOUNT);
  return world.rules.authorizeCard(card, AMOUNT);
}

function cardOf(world: World, customer: Customer) {
  return cards.all(world).find((card) => card.customerId === customer.id) ?? world.rules.addCard(customer);
}
