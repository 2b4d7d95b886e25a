import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '../../server/json.ts';
import { mintId, type World } from '../../world/world.ts';
import type { ExternalAccount } from '../accounts/records.ts';
import { type Card, type CardStep, type CardTransaction, cardTransactions } from '../cards/records.ts';
import type { Customer } from '../customers/records.ts';
import { type Refund, refunds } from './records.ts';

/** Any change of an account's status in the ownership verification. */
export function tellAccountStatus(world: World, account: ExternalAccount): void {
  world.rules.tell(
    account.customerId,
    'EXTERNAL_ACCOUNT.STATUS_UPDATED',
    world.rules.accountEventData(account),
  );
}

export function accountEventData(world: World, account: ExternalAccount): Json {
  return world.rules.presentExternalAccount(account);
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

/** A refund begins, pending. */
export function beginRefund(world: World, customer: Customer, direction: Refund['direction']): Refund {
  const id = mintId(world, 'Refund');
  const now = world.clock.now(customer.id);
  const refund: Refund = {
    id,
    direction,
    customerId: customer.id,
    transactionId: mintId(world, 'Transaction'),
    reference: randomUUID().slice(0, 8).toUpperCase(),
    status: 'PENDING',
    amount: 2_500n,
    currency: 'USD',
    initiatedAt: now,
    updatedAt: now,
  };
  refunds.put(world, id, refund);
  world.rules.tellRefund(refund);
  return refund;
}

export function moveRefund(world: World, refund: Refund, to: Refund['status']): void {
  if (refund.status === to) return;
  refund.status = to;
  refund.updatedAt = world.clock.now(refund.customerId);
  world.rules.tellRefund(refund);
}

export function tellRefund(world: World, refund: Refund): void {
  const type = world.rules.refundEventType(refund);
  world.rules.tell(refund.customerId, type, world.rules.presentRefundEvent(refund));
}

export function refundEventType(_world: World, refund: Refund): string {
  return `${refund.direction}_PAYMENT.REFUND_${refund.status}`;
}

/** Refund information. */
export function presentRefundEvent(world: World, refund: Refund): JsonObject {
  const { rules } = world;
  return {
    transactionId: refund.transactionId,
    customerId: refund.customerId,
    refund: {
      id: refund.id,
      reference: refund.reference,
      status: refund.status,
      amount: {
        amount: rules.presentAmount(refund.amount),
        currency: rules.presentCurrency(refund.currency),
      },
      initiatedAt: rules.presentTime(refund.initiatedAt),
    },
  };
}
