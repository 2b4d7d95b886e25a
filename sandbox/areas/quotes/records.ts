import type { JsonObject } from '../../server/json.ts';
import { Table } from '../../world/table.ts';
import type { ScaChallenge } from '../sca/records.ts';

/** What a transfer costs. Fees in the smallest unit of the sending currency, unless said. */
export interface Price {
  readonly totalSendingAmount: bigint;
  readonly totalReceivingAmount: bigint;
  /** Units of the sending currency for one unit of the receiving currency. */
  readonly exchangeRate: number;
  readonly serviceFixedFee: bigint;
  readonly variableFeeAmount: bigint;
  /** Smallest unit of the receiving currency. */
  readonly counterpartyFixedFee: bigint;
  readonly platformFee: bigint;
  readonly feesIncluded: bigint;
}

/** A locked rate for one transfer. */
export interface Quote extends Price {
  readonly id: string;
  readonly platformId: string;
  readonly customerId: string;
  /** Of quotes that an agent asked for. */
  readonly agentId?: string;
  status: 'PENDING' | 'PENDING_AUTHORIZATION' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'EXPIRED';
  /** As the request named it. */
  readonly source: JsonObject;
  readonly destination: JsonObject;
  readonly sendingCurrency: string;
  readonly receivingCurrency: string;
  readonly transactionId: string;
  /** Authorizations given. */
  authorizations: number;
  challenge?: ScaChallenge;
  executedAt?: number;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export const quotes = new Table<Quote>();

/** The account that pays, unless funding comes in real time. */
export function sourceAccountId(quote: Pick<Quote, 'source'>): string | undefined {
  return quote.source['accountId'] as string | undefined;
}

/** What tells one receiver from another: an account id or a UMA address. */
export function counterpartyOf(quote: Pick<Quote, 'destination'>): string {
  return String(quote.destination['accountId'] ?? quote.destination['umaAddress']);
}
