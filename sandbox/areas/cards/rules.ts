import { randomInt } from 'node:crypto';
import type { JsonObject } from '../../server/json.ts';
import { type Decision, enforce, Refusal } from '../../server/refusal.ts';
import { mintId, type World } from '../../world/world.ts';
import { type Customer, traitsOf } from '../customers/records.ts';
import { type Card, cards, type CardStep, type CardTransaction, cardTransactions } from './records.ts';

/** Issues a card. @throws Refusal */
export function issueCard(world: World, customer: Customer): Card {
  enforce(world.rules.kycApproved(customer));
  return world.rules.addCard(customer);
}

/** Cards are for cardholders whose KYC status is APPROVED. */
export function kycApproved(world: World, customer: Customer): Decision {
  return traitsOf(world, customer.id).kyc === 'APPROVED' ? undefined : world.rules.refuseWithoutKyc();
}

export function refuseWithoutKyc(_world: World): Refusal {
  return new Refusal(400, 'CARDHOLDER_KYC_NOT_APPROVED', "The cardholder's KYC status is not APPROVED.");
}

export function addCard(world: World, customer: Customer): Card {
  const id = mintId(world, 'Card');
  const last4 = String(randomInt(10_000)).padStart(4, '0');
  return cards.put(world, id, {
    id,
    customerId: customer.id,
    last4,
    createdAt: world.clock.now(customer.id),
  });
}

export function presentCard(world: World, card: Card): JsonObject {
  const { id, customerId, last4 } = card;
  return {
    id,
    customerId,
    last4,
    status: 'ACTIVE',
    createdAt: world.rules.presentTime(card.createdAt),
  };
}

/** @param amount smallest unit of US dollars */
export function authorizeCard(world: World, card: Card, amount: bigint): CardTransaction {
  const id = mintId(world, 'Transaction');
  const now = world.clock.now(card.customerId);
  const transaction: CardTransaction = {
    id,
    cardId: card.id,
    customerId: card.customerId,
    status: 'AUTHORIZED',
    amount,
    currency: 'USD',
    createdAt: now,
    updatedAt: now,
  };
  cardTransactions.put(world, id, transaction);
  world.rules.tellCardChange(transaction);
  return transaction;
}

export function moveCardTransaction(world: World, transaction: CardTransaction, to: CardStep): void {
  transaction.status = to;
  transaction.updatedAt = world.clock.now(transaction.customerId);
  world.rules.tellCardChange(transaction);
}

/** Every state change of a card transaction. */
export function tellCardChange(world: World, transaction: CardTransaction): void {
  const type = world.rules.cardEventType(transaction.status);
  world.rules.tell(transaction.customerId, type, world.rules.presentCardTransaction(transaction));
}

/** The suffixes are not shown. */
export function cardEventType(_world: World, status: CardStep): string {
  return `CARD_TRANSACTION.${status}`;
}

export function presentCardTransaction(world: World, transaction: CardTransaction): JsonObject {
  const { rules } = world;
  const { id, cardId, customerId, status, currency } = transaction;
  return {
    id,
    type: 'CARD',
    status,
    cardId,
    customerId,
    amount: {
      amount: rules.presentAmount(transaction.amount),
      currency: rules.presentCurrency(currency),
    },
    createdAt: rules.presentTime(transaction.createdAt),
    updatedAt: rules.presentTime(transaction.updatedAt),
  };
}
