import { invalidStamps, type InvalidStamp } from '../../client/crypto/index.ts';
import { expect, test, verifies, type Answer } from '../../suite/index.ts';
import { DIALECT } from '../../target/dialect/keys.ts';
import { expectUnauthorized, mistaken, mustChallenge, type Mistake } from './support/attempts.ts';
import { signedOperation, signedOperations } from './support/signed-operations.ts';
import type { Situation } from './support/situation.ts';

/** The key that the stamp names is a live session, and the signature beside it is not its own. */
const NOT_ITS_OWN = ['key-other-signs', 'signature-flipped-bit'];
const ALTERED = invalidStamps.filter(({ part }) => part === 'payload');
/** Tried with every operation: whatever the payload looks like, these change it. */
const ALWAYS_ALTERED = ['payload-other', 'payload-line-end', 'payload-trimmed', 'payload-re-serialised'];

for (const { name, prepare } of signedOperations) {
  test(
    `${name}: a signature that does not verify is told so`,
    verifies('STAMP-INVALID'),
    async ({ given, check, need, profile }) => {
      const situation = await prepare({ given, need, profile });
      for (const answer of await mistaken(
        need,
        situation,
        mistakes(invalidStamps.filter((row) => NOT_ITS_OWN.includes(row.name))),
      ))
        await check('STAMP-INVALID', () => expectUnauthorized(answer, 'WALLET_SIGNATURE_INVALID'));
    },
  );

  test(
    `${name}: a stamp over other bytes than the payloadToSign is refused`,
    verifies('STAMP-ALTERED-BYTES-REFUSED'),
    async ({ given, check, need, observe, profile }) => {
      const situation = await prepare({ given, need, profile });
      const rows = await changing(
        situation,
        ALTERED.filter((row) => ALWAYS_ALTERED.includes(row.name)),
      );
      for (const answer of await mistaken(need, situation, mistakes(rows))) {
        await check('STAMP-ALTERED-BYTES-REFUSED', () => expect(answer).toHaveHttpStatus(401));
        observe('stamp-altered-payload-code', answer);
      }
    },
  );
}

for (const row of ALTERED)
  test(
    `a stamp that ${row.says} is refused`,
    verifies('STAMP-ALTERED-BYTES-REFUSED'),
    async ({ given, check, need, profile }) => {
      const situation = await signedOperation('RETRY-CREDENTIAL-CREATE').prepare({ given, need, profile });
      const rows = await changing(situation, [row]);
      need.offered(rows.length > 0, 'the payloadToSign of this target is the same text afterwards');
      for (const answer of await mistaken(need, situation, mistakes(rows)))
        await check('STAMP-ALTERED-BYTES-REFUSED', () => expect(answer).toHaveHttpStatus(401));
    },
  );

test(
  'a signature of zeros does not verify',
  verifies('STAMP-INVALID'),
  async ({ given, check, need, profile }) => {
    const situation = await signedOperation('RETRY-CREDENTIAL-CREATE').prepare({ given, need, profile });
    for (const answer of await mistaken(
      need,
      situation,
      mistakes(invalidStamps.filter(({ name }) => name === 'signature-zero')),
    ))
      await check('STAMP-INVALID', () =>
        expectUnauthorized(answer, 'WALLET_SIGNATURE_INVALID', 'WALLET_SIGNATURE_MALFORMED'),
      );
  },
);

test(
  'a stamp of the exact bytes is accepted',
  verifies('STAMP-EXACT-BYTES-ACCEPTED'),
  async ({ given, check, need, observe, profile }) => {
    // A passkey signs in without a stamp, so that this one is the first.
    const { wallet, session } = await given.signedIn('PASSKEY');
    const exact = await wallet.probe(session, { label: 'a stamp of the exact bytes' });
    const challenge = mustChallenge(need, exact);
    const evidence: Answer[] = [exact.answer];
    if (!isSuccess(exact.answer)) {
      // How a stamp is built is not shown: only a target that takes it over other bytes has shown that it reads it.
      for (const row of ALTERED) {
        if (row.make(challenge.payloadToSign, session.key, profile.dialect.stamp) === undefined) continue;
        const altered = await wallet.probe(session, { ...bendOf(row), label: `a stamp that ${row.says}` });
        if (isSuccess(altered.answer)) evidence.push(altered.answer);
      }
      need.that(
        evidence.length > 1,
        `no stamp of any kind was accepted (${exact.answer.outcome}), so this target builds them in another way`,
      );
    }
    // A stamp that was taken over other bytes has shown that the target reads ours.
    const assumes = evidence.length > 1 ? [] : (['stamp'] as const);
    await check('STAMP-EXACT-BYTES-ACCEPTED', () => expect(exact.answer).toBeAccepted(), {
      evidence,
      assumes,
    });
    const high = await wallet.probe(session, { sign: { s: 'high' }, label: 'a stamp with a high S' });
    observe('stamp-construction', { 'high S': high.answer.outcome }, high.answer);
  },
);

/** The rows that make another text of this operation's payload. */
async function changing(
  { fresh }: Situation,
  rows: readonly InvalidStamp[],
): Promise<readonly InvalidStamp[]> {
  const attempt = await fresh();
  const { challenge } = await attempt.run({ times: 0 });
  return rows.filter(
    (row) => challenge && row.make(challenge.payloadToSign, attempt.by, DIALECT.stamp.default) !== undefined,
  );
}

function mistakes(rows: readonly InvalidStamp[]): readonly Mistake[] {
  return rows.map((row) => ({ says: `with a stamp that ${row.says}`, bend: bendOf(row) }));
}

/** A row that changes nothing in this payload leaves the stamp empty, which no target takes. */
function bendOf(row: InvalidStamp) {
  return {
    stamp: (...of: Parameters<InvalidStamp['make']>) => row.make(...of) ?? '',
  };
}

function isSuccess(answer: Answer): boolean {
  const status = answer.exchange.response?.status ?? 0;
  return status >= 200 && status < 300;
}
