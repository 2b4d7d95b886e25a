import { Table } from '../../world/table.ts';

/** Logins that were started and not yet completed, by challenge id. */
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
  readonly expiresAt: number;
}
