import { type Life, Table, Waiting } from '../../world/table.ts';

/** Challenges of logins, by id. */
export const scaLogins = new Table<ScaChallenge>();

/** The code of every text message of strong customer authentication, as in other sandboxes. */
export const SMS_CODE = '123456';

/** What a customer of an SCA region has to authorize next. Times in milliseconds since the epoch. */
export interface ScaChallenge {
  readonly id: string;
  readonly customerId: string;
  readonly factor: string;
  readonly availableFactors: readonly string[];
  readonly purpose?: string;
  /** WebAuthn challenge, base64url; of passkey challenges. */
  readonly nonce?: string;
  readonly status: 'OPEN' | 'USED' | 'EXPIRED';
  readonly expiresAt: number;
}

/** interface.md > ScaChallenge: after expiresAt it cannot be authorized. */
export const SCA_CHALLENGE_LIFE: Life<ScaChallenge['status']> = {
  kind: 'SCA challenge',
  moves: { OPEN: ['USED', 'EXPIRED'], USED: [], EXPIRED: [] },
};

export const openScaChallenges = new Waiting<ScaChallenge>('OPEN', (_world, { expiresAt }) => expiresAt);
