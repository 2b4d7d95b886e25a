import type { Reply } from '../../server/call.ts';
import { Table } from '../../world/table.ts';

/** What a transfer action moves; the amount in the smallest unit of `currency`. */
export interface TransferDetails {
  readonly amount: bigint;
  readonly currency: string;
  readonly sourceAccountId: string;
  readonly destinationAccountId: string;
}

/** An action submitted by an agent. */
export interface AgentAction {
  readonly id: string;
  readonly platformId: string;
  readonly agentId: string;
  readonly customerId: string;
  readonly type: 'EXECUTE_QUOTE' | 'TRANSFER_OUT' | 'TRANSFER_IN';
  status: 'PENDING_APPROVAL' | 'APPROVED' | 'REJECTED' | 'FAILED';
  /** Of transfer actions. */
  readonly transfer?: TransferDetails;
  readonly paymentRail?: string;
  readonly remittanceInformation?: string;
  readonly purposeOfPayment?: string;
  /** Of EXECUTE_QUOTE actions. */
  readonly quoteId?: string;
  /** Set once execution has begun. */
  transactionId?: string;
  rejectionReason?: string;
  readonly createdAt: number;
  updatedAt: number;
}

export const actions = new Table<AgentAction>();

/** What a refund is told as; its fields are not shown. */
export interface Refund {
  readonly reference: string;
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED';
  readonly initiatedAt: number;
}

/** Money on its way; the amount in the smallest unit of `currency`. */
export interface Transaction {
  readonly id: string;
  readonly type: 'INCOMING' | 'OUTGOING' | 'CARD';
  status: 'PENDING' | 'PENDING_AUTHORIZATION' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'EXPIRED';
  readonly customerId: string;
  readonly platformId: string;
  readonly agentId?: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly sourceAccountId: string;
  readonly destinationAccountId: string;
  readonly paymentRail?: string;
  readonly remittanceInformation?: string;
  failureReason?: string;
  /** The debited amount on its way back, once the execution has failed. */
  refund?: Refund;
  readonly createdAt: number;
  updatedAt: number;
}

export const transactions = new Table<Transaction>();

/** What was answered, or is being answered, to a request with an Idempotency-Key. */
export interface Answered {
  /** The first request's body, as text. */
  readonly body: string;
  readonly reply: Promise<Reply>;
}

/** By scope: see the rule idempotencyScope. */
export const answered = new Table<Answered>();
