import type { KeyPair } from '../../../client/crypto/index.ts';
import type { CredentialType } from './credential.ts';

/** A session that was minted: the key that signs the account's wallet requests. */
export interface WalletSession {
  readonly key: KeyPair;
  /** The credential that issued it. */
  readonly credentialId: string;
  readonly type: CredentialType;
  /** As answered; ISO 8601. */
  readonly expiresAt: string | undefined;
  /** Session:uuid; promised for one-time codes only. */
  readonly id: string | undefined;
}
