import { readOtpTargetBundle, sealOtpBundle, type KeyPair } from '../../client/crypto/index.ts';
import { expect, loggingIn, test, verifies, type OtpType } from '../../suite/index.ts';

const KINDS: readonly { type: OtpType; flow: string }[] = [
  { type: 'EMAIL_OTP', flow: 'VERIFY-EMAIL-OTP-ACCEPTED' },
  { type: 'SMS_OTP', flow: 'VERIFY-SMS-OTP-FLOW' },
];

for (const { type, flow } of KINDS)
  test(
    `the code of an ${type} challenge mints a session by the signed retry`,
    verifies('RETRY-OTP-VERIFY', flow, 'VERIFY-STATUS'),
    async ({ given, check, need }) => {
      const { wallet, credential } = await given.holding(type);
      const login = await wallet.login(credential);
      const first = need.reachedVerify(login);
      if (login.problem === undefined)
        await check(flow, () => expect(login.answer).toBeAccepted(), { assumes: loggingIn[type] });
      need(first).accepted();
      await check('RETRY-OTP-VERIFY', () => {
        expect(first).toHaveHttpStatus(202);
        expect(first.body).not.toHaveProperty('encryptedSessionSigningKey');
      });
    },
  );

test(
  'in a sandbox 000000 is the code of an EMAIL_OTP challenge',
  verifies('OTP-SANDBOX-CODE'),
  async ({ given, check, need, profile }) => {
    need.offered(profile.capabilities.includes('sandbox'), 'the profile leaves out sandbox');
    const wallet = await given.wallet({ credentials: ['EMAIL_OTP'] });
    const credential = wallet.credentialOf('EMAIL_OTP');
    const login = await wallet.attempt(credential, { code: '000000' });
    need.that(login.problem === undefined, login.problem ?? '');
    if (!login.session) {
      // It may be that no code at all is taken: the one that was sent tells.
      const challenge = await wallet.challenge(credential);
      const sent = await given.state<{ code: string }>('otp-code', { credentialId: credential.id }, ['code']);
      need.minted(await wallet.login(credential, { challenge, code: sent.code }));
    }
    await check('OTP-SANDBOX-CODE', () => expect(login.answer).toBeAccepted(), {
      assumes: loggingIn.EMAIL_OTP,
    });
  },
);

test(
  'the key that was sealed with the code signs wallet requests',
  verifies('VERIFY-EMAIL-OTP-SESSION-KEY'),
  async ({ given, check, need }) => {
    const wallet = await given.wallet({ credentials: ['EMAIL_OTP'] });
    const { session } = await wallet.needLogin(wallet.credentialOf('EMAIL_OTP'));
    const request = await wallet.tryKey(session);
    need.that(request.challenge, `the first call was answered ${request.first.outcome} without a challenge`);
    if (!request.credential) {
      // Where a session of another credential registers nothing either, it is no matter of this key.
      const other = await given.signedIn('OAUTH');
      need.registered(await other.wallet.tryKey(other.session));
    }
    await check('VERIFY-EMAIL-OTP-SESSION-KEY', () => expect(request.answer).toBeAccepted());
  },
);

test(
  'a session from SMS_OTP authorizes as well',
  verifies('SESSION-ANY-CREDENTIAL'),
  async ({ given, check, need }) => {
    const { wallet, session } = await given.signedIn('SMS_OTP');
    const request = await wallet.tryKey(session);
    need.that(request.challenge, `the first call was answered ${request.first.outcome} without a challenge`);
    await check('SESSION-ANY-CREDENTIAL', () => expect(request.answer).toBeAccepted());
  },
);

for (const { type, flow } of KINDS) {
  /** Of text messages it is said that they follow the flow of e-mails. */
  const ruleOrFlow = (rule: string) => (type === 'EMAIL_OTP' ? rule : flow);

  test(
    `a wrong ${type} code mints no session`,
    verifies(ruleOrFlow('VERIFY-EMAIL-OTP-WRONG-CODE')),
    async ({ given, check, need, observe }) => {
      const rule = ruleOrFlow('VERIFY-EMAIL-OTP-WRONG-CODE');
      const { wallet, credential } = await given.holding(type);
      const { session } = await wallet.needLogin(credential);
      await wallet.needSign(session);
      let key: KeyPair | undefined;
      for (const code of ['000001', '', '0000000', '999999']) {
        const login = await wallet.attempt(credential, { code });
        await check(rule, () => expect(login.answer).toBeRefused());
        key ??= login.clientKey;
        observe(
          'otp-wrong-code-answer',
          `${login.answer.outcome} at ${login.retries.length > 0 ? 'the signed retry' : 'the first call'}`,
          login.answer,
        );
        if (login.answer.exchange.response?.status === 429) break;
      }
      const signed = await wallet.signedBy(
        need.that(key, 'no code was tried'),
        'signed by the key that was sealed with a wrong code',
      );
      await check(rule, () => expect(signed).toBeRefused(401, 403));
    },
  );

  test(
    `the retry of an ${type} login must be signed with the key that was sealed in the bundle`,
    verifies(ruleOrFlow('VERIFY-EMAIL-OTP-SIGNER')),
    async ({ given, check, need }) => {
      const { wallet, credential } = await given.holding(type);
      const { session } = await wallet.needLogin(credential);
      const unknown = await wallet.login(credential, { retry: { tamper: { key: wallet.newKey() } } });
      need.that(unknown.retries.length > 0, 'there was no signed retry to sign with another key');
      await check(ruleOrFlow('VERIFY-EMAIL-OTP-SIGNER'), () => expect(unknown.answer).toBeRefused(401, 403));
      const older = await wallet.login(credential, { retry: { tamper: { key: session.key } } });
      need.that(older.retries.length > 0, 'there was no signed retry to sign with an older session');
      await check(ruleOrFlow('VERIFY-EMAIL-OTP-SIGNER'), () => expect(older.answer).toBeRefused(401, 403));
    },
  );
}

test(
  'the same credential logs in again and again without being registered anew',
  verifies('VERIFY-EMAIL-OTP-ACCEPTED'),
  async ({ given, check, need, observe }) => {
    const wallet = await given.wallet({ credentials: ['EMAIL_OTP'] });
    const credential = wallet.credentialOf('EMAIL_OTP');
    const one = await wallet.needLogin(credential);
    const two = await wallet.attempt(credential);
    await check('VERIFY-EMAIL-OTP-ACCEPTED', () => expect(two.answer).toBeAccepted());
    need.minted(two);
    observe(
      'session-concurrent',
      (await wallet.tryKey(one.session, { label: 'a request signed by the first of two sessions' })).answer,
    );
    const reused = await wallet.login(credential, {
      challenge: two.challenge as NonNullable<typeof two.challenge>,
    });
    observe('otp-code-single-use', reused.answer);
  },
);

/** One service may have a ring of keys, each of which opens every bundle. */
test("whether a bundle sealed to the key of another account's challenge opens", async ({
  given,
  need,
  observe,
}) => {
  const wallet = await given.wallet({ credentials: ['EMAIL_OTP'] });
  const credential = wallet.credentialOf('EMAIL_OTP');
  await wallet.needLogin(credential);
  const other = await given.wallet({ credentials: ['EMAIL_OTP'] });
  const foreign = await other.needChallenge(other.credentialOf('EMAIL_OTP'), {
    label: "the other account's challenge",
  });
  const target: unknown = foreign.body.otpEncryptionTargetBundle;
  const own = await wallet.needChallenge(credential);
  need.offered(
    targetKey(own.body.otpEncryptionTargetBundle) !== targetKey(target),
    'the target has one key for all challenges',
  );
  const login = await wallet.attempt(credential, {
    challenge: own,
    seal: (_, proof, form) => sealOtpBundle(target, proof, form),
  });
  observe('otp-bundle-old', { "of another account's challenge": login.answer.outcome }, login.answer);
});

test(
  'the newest challenge serves, whatever becomes of the ones before',
  verifies('VERIFY-EMAIL-OTP-ACCEPTED'),
  async ({ given, check, need, observe }) => {
    const wallet = await given.wallet({ credentials: ['EMAIL_OTP'] });
    const credential = wallet.credentialOf('EMAIL_OTP');
    const old = await wallet.challenge(credential);
    const fresh = await wallet.challenge(credential);
    need(old).accepted();
    need(fresh).accepted();
    observe('otp-bundle-old', (await wallet.login(credential, { challenge: old })).answer);
    const newest = await wallet.challenge(credential);
    const login = await wallet.attempt(credential, { challenge: newest });
    await check('VERIFY-EMAIL-OTP-ACCEPTED', () => expect(login.answer).toBeAccepted(), {
      assumes: loggingIn.EMAIL_OTP,
    });
  },
);

function targetKey(bundle: unknown): string | undefined {
  try {
    return readOtpTargetBundle(bundle).targetPublic;
  } catch {
    return undefined;
  }
}
