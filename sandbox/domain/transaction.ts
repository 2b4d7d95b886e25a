import { Table } from '../core/table.ts';

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
  readonly createdAt: number;
  updatedAt: number;
}

export const transactions = new Table<Transaction>();
