import { Table } from '../core/table.ts';

/** What the owner of an external account has to prove; the time in milliseconds since the epoch. */
export interface OwnershipChallenge {
  readonly accountId: string;
  readonly method: 'WALLET_SIGNATURE' | 'LIVENESS';
  readonly messageToSign: string;
  readonly expiresAt: number;
}

/** The latest challenge of each external account, by account id. */
export const ownershipChallenges = new Table<OwnershipChallenge>();
