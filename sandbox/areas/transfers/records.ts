import type { Reply } from '../../server/area.ts';
import type { JsonObject } from '../../server/json.ts';
import { changeStatus, type Life, Table } from '../../world/table.ts';
import type { World } from '../../world/world.ts';

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
  readonly status: 'PENDING_APPROVAL' | 'APPROVED' | 'REJECTED' | 'FAILED';
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

/** A transfer as the limits of its customer see it. */
export function paymentOf({
  customerId,
  type,
  transfer,
}: Pick<AgentAction, 'customerId' | 'type' | 'transfer'>): Payment {
  const { amount, currency, sourceAccountId, destinationAccountId } = transfer!;
  return {
    customerId,
    totalSendingAmount: amount,
    sendingCurrency: currency,
    destination: { accountId: type === 'TRANSFER_IN' ? sourceAccountId : destinationAccountId },
    isPaidOut: type !== 'TRANSFER_IN',
  };
}

/** A payment as limits see it. */
export interface Payment {
  readonly customerId: string;
  /** Smallest unit of the sending currency. */
  readonly totalSendingAmount: bigint;
  readonly sendingCurrency: string;
  /** The other end: an account or a UMA address. */
  readonly destination: JsonObject;
  /** False: the other end pays, and nobody has to prove that it owns a destination. */
  readonly isPaidOut?: boolean;
}

export const actions = new Table<AgentAction>();

/** interface.md > States and transitions > AgentActionStatus. */
export const ACTION_LIFE: Life<AgentAction['status']> = {
  kind: 'action',
  moves: { PENDING_APPROVAL: ['APPROVED', 'REJECTED'], APPROVED: ['FAILED'], REJECTED: [], FAILED: [] },
};

/** Money on its way; the amount in the smallest unit of `currency`. */
export interface Transaction {
  readonly id: string;
  readonly type: 'INCOMING' | 'OUTGOING' | 'CARD';
  readonly status: 'PENDING' | 'PENDING_AUTHORIZATION' | 'PROCESSING' | 'COMPLETED' | 'FAILED';
  readonly customerId: string;
  readonly platformId: string;
  readonly agentId?: string;
  readonly amount: bigint;
  readonly currency: string;
  /** As the wire shows them. */
  readonly source: JsonObject;
  readonly destination: JsonObject;
  /** The customer's own other end: an account id or a UMA address. Limits count by it. */
  readonly counterparty: string;
  /** What the platform takes; of quotes. */
  readonly platformFees?: bigint;
  readonly remittanceInformation?: string;
  failureReason?: string;
  /** Set once it is being given back. */
  refundId?: string;
  /** When its money began to move; of what customers and agents asked for. */
  executedAt?: number;
  readonly createdAt: number;
  updatedAt: number;
}

export const transactions = new Table<Transaction>();

/** Nothing is shown of it but how it fails: these are the statuses of quotes, as far as money knows them. */
const TRANSACTION_LIFE: Life<Transaction['status']> = {
  kind: 'transaction',
  moves: {
    PENDING_AUTHORIZATION: ['PENDING', 'FAILED'],
    PENDING: ['PENDING_AUTHORIZATION', 'PROCESSING', 'FAILED'],
    PROCESSING: ['COMPLETED', 'FAILED'],
    COMPLETED: [],
    FAILED: [],
  },
};

/** What was answered, or is being answered, to a request with an Idempotency-Key. */
export interface Answered {
  /** The first request's body, as text. */
  readonly body: string;
  readonly reply: Promise<Reply>;
}

/** By scope: see idempotencyScope. */
export const answered = new Table<Answered>();

/** Transaction statuses and transitions are not shown; TRANSACTION_LIFE says which there are here. @throws IllegalMove */
export function setTransactionStatus(
  world: World,
  transaction: Transaction,
  status: Transaction['status'],
): void {
  changeStatus(world, TRANSACTION_LIFE, transaction, status);
  transaction.updatedAt = world.clock.now(transaction.customerId);
}
