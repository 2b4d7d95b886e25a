import { invalidStamps, type InvalidStamp } from '../../client/crypto/index.ts';
import type { SignedRetry } from '../../client/signed-retry.ts';
import {
  expect,
  sessionSigned,
  signedOperation,
  signedOperations,
  succeeded,
  test,
  verifies,
  type Answer,
  type Mistake,
  type Need,
  type Wallet,
} from '../../suite/index.ts';

/** The key that the stamp names is a live session, and the signature beside it is not its own. */
const NOT_ITS_OWN = rows('key-other-signs', 'signature-flipped-bit');
const ALTERED = invalidStamps.filter(({ part }) => part === 'payload');
/** Tried with every operation: whatever the payload looks like, these change it. */
const ALWAYS_ALTERED = rows('payload-other', 'payload-line-end', 'payload-trimmed', 'payload-re-serialised');
/** The other text of the 202; some target may give the same one as both. */
const SIGNS_REQUEST_ID: Mistake = {
  label: 'with a stamp that signs the requestId',
  tamper: { payload: (_, requestId) => requestId },
};
const ADDING = signedOperation('RETRY-CREDENTIAL-CREATE');

for (const operation of signedOperations) {
  test(
    `${operation.name}: a signature that does not verify is told so`,
    verifies('STAMP-INVALID'),
    async ({ given, check }) => {
      const { wallet } = await given.signedIn(operation.signsInWith);
      const answers = await wallet.mistakenRetries(operation, NOT_ITS_OWN.map(mistake));
      await wallet.mustComplete(operation);
      for (const answer of answers)
        await check('STAMP-INVALID', () => expect(answer).toBeUnauthorized('WALLET_SIGNATURE_INVALID'));
    },
  );

  test(
    `${operation.name}: a stamp over other bytes than the payloadToSign is refused`,
    verifies('STAMP-ALTERED-BYTES-REFUSED'),
    async ({ given, check, observe }) => {
      const { wallet } = await given.signedIn(operation.signsInWith);
      const { challenge } = await (await wallet.prepare(operation)).send({ times: 0 });
      const changing = ALWAYS_ALTERED.filter(
        (row) => challenge && changes(row, challenge.payloadToSign, wallet),
      );
      const mistakes = changing.map(mistake);
      if (challenge && challenge.payloadToSign !== challenge.requestId) mistakes.push(SIGNS_REQUEST_ID);
      const answers = await wallet.mistakenRetries(operation, mistakes);
      await wallet.mustComplete(operation);
      for (const answer of answers) {
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
    async ({ given, check, need }) => {
      const { wallet } = await given.signedIn();
      const { challenge } = await (await wallet.prepare(ADDING)).send({ times: 0 });
      need.offered(
        challenge && changes(row, challenge.payloadToSign, wallet),
        'the payloadToSign of this target is the same text afterwards',
      );
      const altered = await wallet.signedRetry(ADDING, mistake(row));
      await wallet.mustComplete(ADDING);
      await check('STAMP-ALTERED-BYTES-REFUSED', () => expect(altered.answer).toHaveHttpStatus(401));
    },
  );

test('a signature of zeros does not verify', verifies('STAMP-INVALID'), async ({ given, check }) => {
  const { wallet } = await given.signedIn();
  const answers = await wallet.mistakenRetries(ADDING, rows('signature-zero').map(mistake));
  await wallet.mustComplete(ADDING);
  for (const answer of answers)
    await check('STAMP-INVALID', () =>
      expect(answer).toBeUnauthorized('WALLET_SIGNATURE_INVALID', 'WALLET_SIGNATURE_MALFORMED'),
    );
});

test(
  'a stamp of the exact bytes is accepted',
  verifies('STAMP-EXACT-BYTES-ACCEPTED'),
  async ({ given, check, need, observe }) => {
    // A passkey signs in without a stamp, so that this one is the first.
    const { wallet, session } = await given.signedIn('PASSKEY');
    const exact = await wallet.probe(session, { label: 'a stamp of the exact bytes' });
    const { payloadToSign } = need.challenged(exact);
    // How a stamp is built is not shown: only a target that takes it over other bytes has shown that it reads it.
    const taken: Answer[] = [];
    for (const row of succeeded(exact.answer) ? [] : ALTERED) {
      if (!changes(row, payloadToSign, wallet)) continue;
      const altered = await wallet.probe(session, { ...mistake(row), label: `a stamp that ${row.says}` });
      if (succeeded(altered.answer)) taken.push(altered.answer);
    }
    need.that(
      succeeded(exact.answer) || taken.length > 0,
      `no stamp of any kind was accepted (${exact.answer.outcome}), so this target builds them in another way`,
    );
    await check('STAMP-EXACT-BYTES-ACCEPTED', () => expect(exact.answer).toBeAccepted(), {
      evidence: [exact.answer, ...taken],
      assumes: taken.length > 0 ? [] : ['stamp'],
    });
    const high = await wallet.probe(session, { sign: { s: 'high' }, label: 'a stamp with a high S' });
    observe('stamp-construction', { 'high S': high.answer.outcome }, high.answer);
  },
);

for (const operation of sessionSigned) {
  test(
    `${operation.name}: the stamp of a key that is no session is refused`,
    verifies('STAMP-UNKNOWN-KEY'),
    async ({ given, check }) => {
      const { wallet } = await given.signedIn(operation.signsInWith);
      const unknown = await wallet.signedRetry(operation, {
        label: 'signed by a key that is no session',
        tamper: { key: wallet.newKey() },
      });
      await wallet.mustComplete(operation);
      await check('STAMP-UNKNOWN-KEY', () => expectNoAuthority(unknown.answer));
    },
  );

  test(
    `${operation.name}: a live session of another account does not sign`,
    verifies('STAMP-OTHER-ACCOUNT-SESSION'),
    async ({ given, check, need, observe }) => {
      const other = await given.signedIn();
      const { wallet } = await given.signedIn(operation.signsInWith);
      const { answer } = await wallet.signedRetry(operation, {
        label: 'signed by a session of another account',
        tamper: { key: other.session.key },
      });
      await wallet.mustComplete(operation);
      need.completed(
        await other.wallet.probe(other.session, { label: 'the same session on its own account' }),
      );
      await check('STAMP-OTHER-ACCOUNT-SESSION', () => expectNoAuthority(answer));
      observe('stamp-ended-session-code', { 'of another account': answer.outcome }, answer);
    },
  );

  test(
    `${operation.name}: a revoked session does not sign`,
    verifies('STAMP-REVOKED-SESSION'),
    async ({ given, check, need, observe }) => {
      const { wallet } = await given.signedIn(operation.signsInWith);
      const doomed = await wallet.sessions.another();
      need.completed(await wallet.probe(doomed, { label: 'a wallet request signed before the revocation' }));
      mustEnd(need, await wallet.sessions.revoke(doomed.id, wallet.signer.session));
      const { answer } = await wallet.signedRetry(operation, {
        label: 'signed by a revoked session',
        tamper: { key: doomed.key },
      });
      await wallet.mustComplete(operation);
      await check('STAMP-REVOKED-SESSION', () => expectNoAuthority(answer));
      observe('stamp-ended-session-code', { revoked: answer.outcome }, answer);
    },
  );
}

test(
  'a session that is revoked between the first call and the retry does not sign',
  verifies('STAMP-REVOKED-SESSION'),
  async ({ given, check, need }) => {
    const { wallet } = await given.signedIn();
    const doomed = await wallet.sessions.another();
    const { session } = wallet.signer;
    let revocation: SignedRetry<Answer> | undefined;
    const late = await wallet.probe(doomed, {
      label: 'a wallet request whose session is revoked before the retry',
      between: async () => void (revocation = await wallet.sessions.revoke(doomed.id, session)),
    });
    need.challenged(late);
    mustEnd(need, need.that(revocation, 'the session was not revoked'));
    need((await wallet.probe(session)).answer).accepted();
    await check('STAMP-REVOKED-SESSION', () => expectNoAuthority(late.answer));
  },
);

function rows(...names: readonly string[]): readonly InvalidStamp[] {
  return invalidStamps.filter((row) => names.includes(row.name));
}

/** Whether a row makes another text of this payload. */
function changes(row: InvalidStamp, payloadToSign: string, wallet: Wallet): boolean {
  return row.make(payloadToSign, wallet.newKey(), wallet.stampForm) !== undefined;
}

/** A row that changes nothing in a payload leaves the stamp empty, which no target takes. */
function mistake(row: InvalidStamp): Mistake {
  return {
    label: `with a stamp that ${row.says}`,
    tamper: { stamp: (...of) => row.make(...of) ?? '' },
  };
}

/** The path is not shown: only what asked for a signature and took it has revoked the session. */
function mustEnd(need: Need, revocation: SignedRetry<Answer>): void {
  need(revocation.first).available();
  need.completed(revocation);
}

function expectNoAuthority(answer: Answer): void {
  expect(answer).toBeRefused(401, 403);
}
