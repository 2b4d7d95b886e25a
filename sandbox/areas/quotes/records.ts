import type { JsonObject } from '../../server/json.ts';
import { type Life, Table } from '../../world/table.ts';
import type { ScaChallenge } from '../sca/records.ts';
import type { TransferDetails } from '../transfers/records.ts';

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
  readonly status: 'PENDING' | 'PENDING_AUTHORIZATION' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'EXPIRED';
  /** As the request named it. */
  readonly source: JsonObject;
  readonly destination: JsonObject;
  readonly sendingCurrency: string;
  readonly receivingCurrency: string;
  readonly transactionId: string;
  /** Authorizations given. */
  authorizations: number;
  challenge?: ScaChallenge;
  /** The action whose execution it is. */
  executedBy?: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export const quotes = new Table<Quote>();

/** Quotes that time can still end, by id; some of them may have left that meanwhile. */
export const openQuotes = new Table<Quote>();

/** interface.md > States and transitions > Quote status; where it shows no transition, the least that it speaks of. */
export const QUOTE_LIFE: Life<Quote['status']> = {
  kind: 'quote',
  moves: {
    PENDING_AUTHORIZATION: ['PENDING', 'FAILED', 'EXPIRED'],
    PENDING: ['PENDING_AUTHORIZATION', 'PROCESSING', 'FAILED', 'EXPIRED'],
    PROCESSING: ['COMPLETED', 'FAILED'],
    COMPLETED: [],
    FAILED: [],
    EXPIRED: [],
  },
};

/** Neither executed nor over: time can still end it. */
export function isOpen({ status }: Pick<Quote, 'status'>): boolean {
  return status === 'PENDING' || status === 'PENDING_AUTHORIZATION';
}

/** The account that pays, unless funding comes in real time. */
export function sourceAccountId(quote: Pick<Quote, 'source'>): string | undefined {
  return quote.source['accountId'] as string | undefined;
}

/** What tells one receiver from another: an account id or a UMA address. */
export function counterpartyOf(quote: Pick<Quote, 'destination'>): string {
  return String(quote.destination['accountId'] ?? quote.destination['umaAddress']);
}

/** What limits and thresholds of a policy see of a quote. */
export function spendingOfQuote(quote: Quote): TransferDetails {
  return {
    amount: quote.totalSendingAmount,
    currency: quote.sendingCurrency,
    sourceAccountId: sourceAccountId(quote) ?? '',
    destinationAccountId: counterpartyOf(quote),
  };
}
