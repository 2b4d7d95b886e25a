import type { PrivateKey } from '../../crypto/p256.ts';
import { Table } from '../../world/table.ts';

/** A one-time code on its way, and the key that the answer is sealed to. */
export interface OtpChallenge {
  readonly code: string;
  readonly target: PrivateKey;
  readonly expiresAt: number;
  /** When its code first came, in milliseconds since the epoch: from then on the signed request has its own time. */
  answeredAt?: number;
  isUsed: boolean;
}

/** A passkey challenge that waits for its assertion. */
export interface PasskeyChallenge {
  readonly requestId: string;
  readonly credentialId: string;
  readonly challenge: string;
  /** As the client sent it: hex, compressed or uncompressed. */
  readonly clientPublicKey: string;
  readonly expiresAt: number;
  isUsed: boolean;
}

/** The challenges of a credential that takes one-time codes, by its id, newest last. */
export const otpChallenges = new Table<OtpChallenge[]>();
/** By requestId. */
export const passkeyChallenges = new Table<PasskeyChallenge>();
/** When challenges were issued, by credential; milliseconds since the epoch, newest last. */
export const challengeTimes = new Table<number[]>();
