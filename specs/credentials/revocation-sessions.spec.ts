import { expect, test, verifies, type CredentialType, type Given } from '../../suite/index.ts';

/** A wallet that its first credential keeps open, with one more credential that is going to be revoked. */
async function withDoomed(given: Given, type: CredentialType) {
  given.mustProve(type);
  const { wallet, session, credential } = await given.signedIn();
  const doomed = await given.credential(wallet, type, session);
  const { session: doomedSession } = await wallet.mustLogin(doomed);
  return { wallet, session, credential, doomed, doomedSession };
}

const FURTHER: readonly CredentialType[] = ['PASSKEY', 'OAUTH', 'SMS_OTP'];

for (const type of FURTHER) {
  test(
    `revoking ${type} ends every session that it issued, and no other`,
    verifies('CREDENTIAL-REVOKE-ENDS-SESSIONS', 'CREDENTIAL-REVOKE-KEEPS-OTHERS'),
    async ({ given, check, need, observe }) => {
      const { wallet, session, credential, doomed, doomedSession } = await withDoomed(given, type);
      const further = await given.session(wallet, doomed);
      const others = [session, await given.session(wallet, credential)];
      for (const one of [doomedSession, further, ...others])
        need.completed(await wallet.probe(one, { label: 'a wallet request before the revocation' }));
      need((await wallet.revoke(doomed.id, session)).answer).accepted();
      for (const one of others) {
        const live = await wallet.probe(one, {
          label: "a wallet request signed by another credential's session after the revocation",
        });
        need.challenged(live);
        await check('CREDENTIAL-REVOKE-KEEPS-OTHERS', () => expect(live.answer).toBeAccepted());
      }
      for (const one of [doomedSession, further]) {
        const dead = await wallet.probe(one, {
          label: 'a wallet request signed by a session of the revoked credential',
        });
        need.challenged(dead);
        await check('CREDENTIAL-REVOKE-ENDS-SESSIONS', () => expect(dead.answer).toBeRefused(401, 403));
        observe('stamp-ended-session-code', { 'of a revoked credential': dead.answer.outcome }, dead.answer);
      }
    },
  );

  test(
    `a revoked ${type} credential logs in no more`,
    verifies('CREDENTIAL-REVOKE-ENDS-LOGIN'),
    async ({ given, check, need, observe }) => {
      const { wallet, session, doomed } = await withDoomed(given, type);
      const challenge =
        type === 'OAUTH'
          ? undefined
          : await wallet.challenge(doomed, { label: 'a challenge before the revocation' });
      need((await wallet.revoke(doomed.id, session)).answer).accepted();
      const login = await wallet.login(doomed);
      await check('CREDENTIAL-REVOKE-ENDS-LOGIN', () => expect(login.answer).toBeRefused());
      observe('unknown-credential', { [`${type}, revoked`]: login.answer.outcome }, login.answer);
      if (challenge?.exchange.response?.status !== 200) return;
      const begun = await wallet.login(doomed, { challenge });
      need.reachedVerify(begun);
      await check('CREDENTIAL-REVOKE-ENDS-LOGIN', () => expect(begun.answer).toBeRefused());
    },
  );
}

test(
  'a request that was begun before the revocation is not completed after it',
  verifies('CREDENTIAL-REVOKE-ENDS-SESSIONS'),
  async ({ given, check, need }) => {
    const { wallet, session, doomed, doomedSession } = await withDoomed(given, 'PASSKEY');
    need.completed(await wallet.probe(doomedSession, { label: 'a wallet request before the revocation' }));
    const late = await wallet.probe(doomedSession, {
      label: "a wallet request whose session's credential is revoked before the retry",
      between: async () => need((await wallet.revoke(doomed.id, session)).answer).accepted(),
    });
    need.challenged(late);
    await check('CREDENTIAL-REVOKE-ENDS-SESSIONS', () => expect(late.answer).toBeRefused(401, 403));
  },
);
