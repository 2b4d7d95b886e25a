import { type Life, Table } from '../../world/table.ts';
import { outside } from '../../world/ledger.ts';
import type { World } from '../../world/world.ts';

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
  readonly createdAt: number;
}

/** A mint or a burn on its way to settlement; the amount in the smallest unit of the coin. */
export interface StablecoinOperation {
  readonly id: string;
  readonly stablecoinId: string;
  readonly type: 'MINT' | 'BURN';
  readonly status: 'PENDING' | 'SETTLED';
  readonly amount: bigint;
  readonly createdAt: number;
  updatedAt: number;
}

export const providerAccounts = new Table<ProviderAccount>();
export const stablecoins = new Table<Stablecoin>();
export const stablecoinOperations = new Table<StablecoinOperation>();

export const ISSUE_LIFE: Life<StablecoinOperation['status']> = {
  kind: 'stablecoin operation',
  moves: { PENDING: ['SETTLED'], SETTLED: [] },
};

/** Coins in circulation, in the smallest unit of the coin. The ledger knows each coin as a currency of its own. */
export function supplyOf(world: World, coin: Stablecoin): bigint {
  return world.ledger.balance(circulation(coin), coin.id);
}

/** @param amount smallest unit of the coin @param reason id of the operation that moves it */
export function bookIssue(
  world: World,
  coin: Stablecoin,
  type: StablecoinOperation['type'],
  amount: bigint,
  reason: string,
): void {
  const [from, to] =
    type === 'MINT' ? [outside('issuer'), circulation(coin)] : [circulation(coin), outside('issuer')];
  world.ledger.post({ from, to, amount, currency: coin.id, reason });
}

const circulation = ({ id }: Stablecoin): string => `circulation:${id}`;
