import type { SignedRetry } from '../../client/signed-retry.ts';
import { expect, sessionSigned, test, verifies, type Answer, type Need } from '../../suite/index.ts';

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
      const doomed = await wallet.anotherSession();
      need.completed(await wallet.probe(doomed, { label: 'a wallet request signed before the revocation' }));
      mustEnd(need, await wallet.revokeSession(doomed.id, wallet.signedIn.session));
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
    const doomed = await wallet.anotherSession();
    const { session } = wallet.signedIn;
    let revocation: SignedRetry<Answer> | undefined;
    const late = await wallet.probe(doomed, {
      label: 'a wallet request whose session is revoked before the retry',
      between: async () => void (revocation = await wallet.revokeSession(doomed.id, session)),
    });
    need.challenged(late);
    mustEnd(need, need.that(revocation, 'the session was not revoked'));
    need((await wallet.probe(session)).answer).accepted();
    await check('STAMP-REVOKED-SESSION', () => expectNoAuthority(late.answer));
  },
);

/** The path is not shown: only what asked for a signature and took it has revoked the session. */
function mustEnd(need: Need, revocation: SignedRetry<Answer>): void {
  need(revocation.first).available();
  need.completed(revocation);
}

function expectNoAuthority(answer: Answer): void {
  expect(answer).toBeRefused(401, 403);
}
