import type { PrivateKey } from '../../crypto/p256.ts';
import type { Life } from '../../world/life.ts';
import { Table } from '../../world/table.ts';
import { Waiting } from '../../world/waiting.ts';

export type ChallengeStatus = 'OPEN' | 'USED' | 'EXPIRED';

/** A challenge logs in once, and until it ends. */
export const CHALLENGE_LIFE: Life<ChallengeStatus> = {
  kind: 'login challenge',
  moves: { OPEN: ['USED', 'EXPIRED'], USED: [], EXPIRED: [] },
};

/** A one-time code on its way, and the key that the answer is sealed to. */
export interface OtpChallenge {
  readonly id: string;
  readonly customerId: string;
  readonly status: ChallengeStatus;
  readonly code: string;
  readonly target: PrivateKey;
  readonly expiresAt: number;
  /** When its code first came, in milliseconds since the epoch: from then on the signed request has its own time. */
  answeredAt?: number;
}

/** A passkey challenge that waits for its assertion. */
export interface PasskeyChallenge {
  /** The Request-Id of its login. */
  readonly id: string;
  readonly customerId: string;
  readonly status: ChallengeStatus;
  readonly credentialId: string;
  readonly challenge: string;
  /** As the client sent it: hex, compressed or uncompressed. */
  readonly clientPublicKey: string;
  readonly expiresAt: number;
}

/** The challenges of a credential that takes one-time codes, by its id, newest last. */
export const otpChallenges = new Table<OtpChallenge[]>();
/** By the Request-Id of their login. */
export const passkeyChallenges = new Table<PasskeyChallenge>();
/** Challenges of both kinds that nobody has answered yet. */
export const openLoginChallenges = new Waiting<OtpChallenge | PasskeyChallenge>('OPEN', (world, challenge) =>
  world.rules.challengeEndsAt(challenge),
);
/** When challenges were issued, by credential; milliseconds since the epoch, newest last. */
export const challengeTimes = new Table<number[]>();
