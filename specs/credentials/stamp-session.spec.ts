import type { SignedRetry } from '../../client/signed-retry.ts';
import { expect, test, verifies, type Answer, type Need } from '../../suite/index.ts';
import { mistaken, mustChallenge } from './support/attempts.ts';
import { mustHaveId } from './support/must.ts';
import { sessionSigned } from './support/signed-operations.ts';

for (const { name, prepare } of sessionSigned) {
  test(
    `${name}: the stamp of a key that is no session is refused`,
    verifies('STAMP-UNKNOWN-KEY'),
    async ({ given, check, need, profile }) => {
      const situation = await prepare({ given, need, profile });
      for (const answer of await mistaken(need, situation, [
        { says: 'signed by a key that is no session', bend: { key: situation.wallet.newKey() } },
      ]))
        await check('STAMP-UNKNOWN-KEY', () => expectNoAuthority(answer));
    },
  );

  test(
    `${name}: a live session of another account does not sign`,
    verifies('STAMP-OTHER-ACCOUNT-SESSION'),
    async ({ given, check, need, observe, profile }) => {
      const other = await given.signedIn();
      const situation = await prepare({ given, need, profile });
      const [answer] = await mistaken(need, situation, [
        { says: 'signed by a session of another account', bend: { key: other.session.key } },
      ]);
      const alive = await other.wallet.probe(other.session, { label: 'the same session on its own account' });
      mustChallenge(need, alive);
      need(alive.answer).accepted();
      const judged = need.that(answer, 'nothing was sent');
      await check('STAMP-OTHER-ACCOUNT-SESSION', () => expectNoAuthority(judged));
      observe('stamp-ended-session-code', { 'of another account': judged.outcome }, judged);
    },
  );

  test(
    `${name}: a revoked session does not sign`,
    verifies('STAMP-REVOKED-SESSION'),
    async ({ given, check, need, observe, profile }) => {
      const base = await prepare({ given, need, profile });
      const { wallet } = base;
      const doomed = await given.session(wallet, base.credential);
      const before = await wallet.probe(doomed, { label: 'a wallet request signed before the revocation' });
      mustChallenge(need, before);
      need(before.answer).accepted();
      const id = mustHaveId(need, doomed);
      mustEnd(need, await wallet.revokeSession(id, base.session));
      const [answer] = await mistaken(need, base, [
        { says: 'signed by a revoked session', bend: { key: doomed.key } },
      ]);
      const judged = need.that(answer, 'nothing was sent');
      await check('STAMP-REVOKED-SESSION', () => expectNoAuthority(judged));
      observe('stamp-ended-session-code', { revoked: judged.outcome }, judged);
    },
  );
}

test(
  'a session that is revoked between the first call and the retry does not sign',
  verifies('STAMP-REVOKED-SESSION'),
  async ({ given, check, need }) => {
    const { wallet, credential, session } = await given.signedIn();
    const doomed = await given.session(wallet, credential);
    const id = mustHaveId(need, doomed);
    let revocation: SignedRetry<Answer> | undefined;
    const late = await wallet.probe(doomed, {
      label: 'a wallet request whose session is revoked before the retry',
      between: async () => void (revocation = await wallet.revokeSession(id, session)),
    });
    mustChallenge(need, late);
    mustEnd(need, need.that(revocation, 'the session was not revoked'));
    need((await wallet.probe(session)).answer).accepted();
    await check('STAMP-REVOKED-SESSION', () => expectNoAuthority(late.answer));
  },
);

/** The path is not shown: only what asked for a signature and took it has revoked the session. */
function mustEnd(need: Need, revocation: SignedRetry<Answer>): void {
  need(revocation.first).available();
  mustChallenge(need, revocation);
  need(revocation.answer).accepted();
}

function expectNoAuthority(answer: Answer): void {
  expect(answer).toBeRefused(401, 403);
}
