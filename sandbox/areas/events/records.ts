import type { JsonObject } from '../../server/json.ts';
import { type Life, Table } from '../../world/table.ts';

/** Where events about one customer go, whatever the platform's own endpoint is; null: nowhere. By customer id. */
export const customerWebhooks = new Table<{ readonly url: string | null }>();

/** Money on its way back to whoever sent it; the amount in the smallest unit of the currency. */
export interface Refund {
  readonly id: string;
  readonly direction: 'INCOMING' | 'OUTGOING';
  readonly customerId: string;
  readonly transactionId: string;
  readonly reference: string;
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED';
  readonly amount: bigint;
  readonly currency: string;
  /** Ledger accounts: where the money goes, and where it goes when the refund fails. */
  readonly to: string;
  readonly otherwise: string;
  readonly initiatedAt: number;
  updatedAt: number;
}

export const refunds = new Table<Refund>();

/** An event on its way to an endpoint, by the event's id. Times in milliseconds since the epoch. */
export interface Delivery {
  readonly id: string;
  readonly customerId: string;
  readonly platformId: string;
  readonly url: string;
  /** As it is sent, each time. */
  readonly envelope: JsonObject;
  status: 'PENDING' | 'DELIVERED' | 'GIVEN_UP';
  readonly attempts: { readonly at: number; readonly isTaken: boolean }[];
  nextAttemptAt?: number;
}

export const deliveries = new Table<Delivery>();

export const REFUND_LIFE: Life<Refund['status']> = {
  kind: 'refund',
  moves: { PENDING: ['COMPLETED', 'FAILED'], COMPLETED: [], FAILED: [] },
};
