import { randomUUID } from 'node:crypto';
import { invalidStamps, malformedStamps } from '../../../client/crypto/index.ts';
import { expect, type Answer, type Mistake, type Wallet } from '../../../suite/index.ts';
import { MALFORMED_RULES } from '../../support/credentials.ts';
import { GENERAL } from '../../support/credentials.ts';

/** One thing that is wrong with a signed retry, and what the interface says of it. */
export interface RetryMistake {
  readonly says: string;
  readonly rule: string;
  /** Undefined where the mistake cannot be made, as with a payload that it leaves as it is. */
  readonly tampering: (wallet: Wallet, payload: string) => Mistake['tamper'] | undefined;
  readonly expected: (answer: Answer) => void;
}

const unauthorized =
  (...codes: readonly string[]) =>
  (answer: Answer) =>
    expect(answer).toBeUnauthorized(...codes);

/** Every way to get one signed retry wrong for which the interface has a sentence. */
export const RETRY_MISTAKES: readonly RetryMistake[] = [
  {
    says: 'without the wallet signature',
    rule: 'STAMP-MISSING',
    tampering: () => ({ stamp: null }),
    expected: unauthorized('WALLET_SIGNATURE_MISSING'),
  },
  {
    says: 'without Request-Id',
    rule: 'RETRY-REQUEST-ID-MISSING',
    tampering: () => ({ requestId: null }),
    expected: unauthorized('REQUEST_ID_MISSING'),
  },
  {
    says: 'with a Request-Id that was never issued',
    rule: 'RETRY-REQUEST-ID-UNKNOWN',
    tampering: () => ({ requestId: `Request:${randomUUID()}` }),
    expected: (answer) => expect(answer).toBeRefused(),
  },
  {
    says: 'signed by a key that is no session',
    rule: 'STAMP-UNKNOWN-KEY',
    tampering: (wallet) => ({ key: wallet.newKey() }),
    expected: (answer) => expect(answer).toBeRefused(401, 403),
  },
  ...malformedStamps
    .filter(({ orElse }) => orElse === undefined)
    .map((row): RetryMistake => ({
      says: `with a stamp that ${row.says}`,
      rule: MALFORMED_RULES[row.part],
      tampering: () => ({ stamp: (...of) => row.make(...of) }),
      expected: unauthorized('WALLET_SIGNATURE_MALFORMED', GENERAL),
    })),
  ...invalidStamps
    .filter(({ name }) => name === 'key-other-signs' || name === 'signature-flipped-bit')
    .map((row): RetryMistake => ({
      says: `with a stamp that ${row.says}`,
      rule: 'STAMP-INVALID',
      tampering: () => ({ stamp: (...of) => row.make(...of) ?? '' }),
      expected: unauthorized('WALLET_SIGNATURE_INVALID', GENERAL),
    })),
  ...invalidStamps
    .filter(({ part }) => part === 'payload')
    .map((row): RetryMistake => ({
      says: `with a stamp that ${row.says}`,
      rule: 'STAMP-ALTERED-BYTES-REFUSED',
      tampering: (wallet, payload) =>
        row.make(payload, wallet.newKey(), wallet.stampForm) === undefined
          ? undefined
          : { stamp: (...of) => row.make(...of) ?? '' },
      expected: (answer) => expect(answer).toHaveHttpStatus(401),
    })),
];
