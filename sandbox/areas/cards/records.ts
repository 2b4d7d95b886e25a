import { type Life, Table } from '../../world/table.ts';

export interface Card {
  readonly id: string;
  readonly customerId: string;
  /** The internal account that pays. */
  readonly accountId: string;
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
  readonly status: CardStep;
  readonly accountId: string;
  readonly amount: bigint;
  /** What has left for good. */
  settled: bigint;
  readonly currency: string;
  readonly createdAt: number;
  updatedAt: number;
}

/** interface.md > Events names the states; their order is that of cards everywhere. */
export const CARD_LIFE: Life<CardStep> = {
  kind: 'card transaction',
  moves: {
    AUTHORIZED: ['PARTIALLY_SETTLED', 'SETTLED', 'EXCEPTION'],
    PARTIALLY_SETTLED: ['SETTLED', 'REFUNDED', 'EXCEPTION'],
    SETTLED: ['REFUNDED', 'EXCEPTION'],
    REFUNDED: [],
    EXCEPTION: [],
  },
};

export const cards = new Table<Card>();
export const cardTransactions = new Table<CardTransaction>();
