import { randomUUID } from 'node:crypto';
import { invalidStamps, malformedStamps } from '../../../client/crypto/index.ts';
import { expect, type Answer, type Wallet, type WalletBend } from '../../../suite/index.ts';
import { expectUnauthorized } from '../../credentials/support/attempts.ts';
import { MALFORMED_RULES, MAY_BE_READ } from '../../credentials/support/rules-of-bends.ts';

/** One thing that is wrong with a signed retry, and what the interface says of it. */
export interface RetryMistake {
  readonly says: string;
  readonly rule: string;
  /** Undefined where the mistake cannot be made, as with a payload that it leaves as it is. */
  readonly bend: (wallet: Wallet, payload: string) => WalletBend | undefined;
  readonly expected: (answer: Answer) => void;
}

const unauthorized =
  (...codes: readonly string[]) =>
  (answer: Answer) =>
    expectUnauthorized(answer, ...codes);

/** Every way to get one signed retry wrong for which the interface has a sentence. */
export const RETRY_MISTAKES: readonly RetryMistake[] = [
  {
    says: 'without the wallet signature',
    rule: 'STAMP-MISSING',
    bend: () => ({ stamp: null }),
    expected: unauthorized('WALLET_SIGNATURE_MISSING'),
  },
  {
    says: 'without Request-Id',
    rule: 'RETRY-REQUEST-ID-MISSING',
    bend: () => ({ requestId: null }),
    expected: unauthorized('REQUEST_ID_MISSING'),
  },
  {
    says: 'with a Request-Id that was never issued',
    rule: 'RETRY-REQUEST-ID-UNKNOWN',
    bend: () => ({ requestId: `Request:${randomUUID()}` }),
    expected: (answer) => expect(answer).toBeRefused(),
  },
  {
    says: 'signed by a key that is no session',
    rule: 'STAMP-UNKNOWN-KEY',
    bend: (wallet) => ({ key: wallet.newKey() }),
    expected: (answer) => expect(answer).toBeRefused(401, 403),
  },
  ...malformedStamps
    .filter(({ name, orElse }) => orElse === undefined && !MAY_BE_READ.includes(name))
    .map((row): RetryMistake => ({
      says: `with a stamp that ${row.says}`,
      rule: MALFORMED_RULES[row.part],
      bend: () => ({ stamp: (...of) => row.make(...of) }),
      expected: unauthorized('WALLET_SIGNATURE_MALFORMED'),
    })),
  ...invalidStamps
    .filter(({ name }) => name === 'key-other-signs' || name === 'signature-flipped-bit')
    .map((row): RetryMistake => ({
      says: `with a stamp that ${row.says}`,
      rule: 'STAMP-INVALID',
      bend: () => ({ stamp: (...of) => row.make(...of) ?? '' }),
      expected: unauthorized('WALLET_SIGNATURE_INVALID'),
    })),
  ...invalidStamps
    .filter(({ part }) => part === 'payload')
    .map((row): RetryMistake => ({
      says: `with a stamp that ${row.says}`,
      rule: 'STAMP-ALTERED-BYTES-REFUSED',
      bend: (wallet, payload) =>
        row.make(payload, wallet.newKey(), wallet.stampForm) === undefined
          ? undefined
          : { stamp: (...of) => row.make(...of) ?? '' },
      expected: (answer) => expect(answer).toHaveHttpStatus(401),
    })),
];
