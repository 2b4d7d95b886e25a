import { Table } from '../../world/table.ts';

export interface Card {
  readonly id: string;
  readonly customerId: string;
  readonly last4: string;
  readonly createdAt: number;
}

export const CARD_STEPS = ['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED', 'EXCEPTION'] as const;
export type CardStep = (typeof CARD_STEPS)[number];

/** A payment with a card; the amount in the smallest unit of the currency. */
export interface CardTransaction {
  readonly id: string;
  readonly cardId: string;
  readonly customerId: string;
  status: CardStep;
  readonly amount: bigint;
  readonly currency: string;
  readonly createdAt: number;
  updatedAt: number;
}

export const cards = new Table<Card>();
export const cardTransactions = new Table<CardTransaction>();
