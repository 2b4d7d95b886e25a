import type { InvalidStamp, MalformedStamp } from '../../client/crypto/index.ts';
import type { SignedRetry } from '../../client/signed-retry.ts';
import type { Answer, Mistake, Wallet } from '../../suite/index.ts';

export const INVALID = 'WALLET_SIGNATURE_INVALID';

/** "INVALID_SIGNATURE (signature header invalid)": the only signature header of the interface is the wallet's. */
export const GENERAL = 'INVALID_SIGNATURE';

/** A row that changes nothing in a payload leaves the stamp empty, which no target takes. */
export function mistake(row: InvalidStamp | MalformedStamp): Mistake {
  return {
    label: `with a stamp that ${row.says}`,
    tamper: { stamp: (...of) => row.make(...of) ?? '' },
  };
}

/** Whether a row makes another text of this payload. */
export function changes(row: InvalidStamp, payloadToSign: string, wallet: Wallet): boolean {
  return row.make(payloadToSign, wallet.newKey(), wallet.stampForm) !== undefined;
}

/** The path is not shown: only what asked for a signature and took it has revoked the session. */
export function mustEnd({ need }: Wallet, revocation: SignedRetry<Answer>): void {
  need(revocation.first).available();
  need.completed(revocation);
}
