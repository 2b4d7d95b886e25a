import { Table } from '../../world/table.ts';

/** A platform's link to an account with a stablecoin provider. */
export interface ProviderAccount {
  readonly id: string;
  readonly platformId: string;
  readonly status: 'ACTIVE' | 'REVOKED' | 'INVALID';
}

export interface Stablecoin {
  readonly id: string;
  readonly platformId: string;
  readonly name: string;
  readonly symbol: string;
  readonly providerAccountId: string;
  /** Smallest unit of the coin. */
  supply: bigint;
  readonly createdAt: number;
}

/** A mint or a burn on its way to settlement; the amount in the smallest unit of the coin. */
export interface StablecoinOperation {
  readonly id: string;
  readonly stablecoinId: string;
  readonly type: 'MINT' | 'BURN';
  status: 'PENDING' | 'SETTLED';
  readonly amount: bigint;
  readonly createdAt: number;
  updatedAt: number;
}

export const providerAccounts = new Table<ProviderAccount>();
export const stablecoins = new Table<Stablecoin>();
export const stablecoinOperations = new Table<StablecoinOperation>();
