import { expect, loggingIn, test, verifies, type WalletRequest } from '../../suite/index.ts';
import { doubtfulAssertions } from '../support/tampered-passkeys.ts';

// ------------------------------------------------------------------------------------------------------ identities

/** Seconds since a young token was issued: within the limit, with room for the way. */
const YOUNG_SECONDS = [15, 40, 57];
/** What the way to the target may take, so that the oldest of them is still young there, in milliseconds. */
const WAY_MS = 2_000;

/** Texts of signatures that somebody else made: of the same length, and by an algorithm with a shorter one. */
const OTHER_SIGNATURES = [
  { says: 'of the same length', make: (bytes: Buffer) => bytes.reverse() },
  { says: 'of 64 bytes', make: (bytes: Buffer) => bytes.subarray(0, 64) },
];

for (const [type, rule, what] of [
  ['OAUTH', 'VERIFY-OAUTH-ACCEPTED', 'a fresh token of the identity'],
  ['PASSKEY', 'VERIFY-PASSKEY-ACCEPTED', 'an assertion over the challenge'],
] as const)
  test(`${what} mints a session in one call`, verifies(rule, 'VERIFY-STATUS'), async ({ given, check }) => {
    const { wallet, credential } = await given.holding(type);
    const login = await wallet.attempt(credential);
    await check(
      rule,
      () => {
        expect(login.answer).toBeAccepted();
        expect(login.answer.status, 'no signed retry is asked for').not.toBe(202);
      },
      { assumes: loggingIn[type] },
    );
  });

test('what the challenge of an identity is answered', async ({ given, observe }) => {
  const { wallet, credential } = await given.holding('OAUTH');
  const operation = { method: 'POST', path: '/auth/credentials/{id}/challenge' };
  const label = 'the challenge of an OAUTH credential';
  const answer = await wallet.send({ operation, label, path: { id: credential.id } });
  observe('challenge-of-oauth-credential', answer);
});

test(
  'a token that was signed by somebody else is taken in a sandbox',
  verifies('OIDC-SANDBOX-SIGNATURE-SKIPPED'),
  async ({ given, check, observe }) => {
    const { wallet, credential } = await given.holding('OAUTH');
    await wallet.needLogin(credential);
    for (const { says, make } of OTHER_SIGNATURES) {
      const login = await wallet.login(credential, {
        token: (good) =>
          good.replace(/[^.]+$/, (text) => make(Buffer.from(text, 'base64url')).toString('base64url')),
        label: `verifying with another signature, ${says}`,
      });
      await check('OIDC-SANDBOX-SIGNATURE-SKIPPED', () => expect(login.answer).toBeAccepted());
    }
    const token = { value: '' };
    await wallet.login(credential, { token: (good) => (token.value = good) });
    const clientKey = wallet.newKey();
    observe(
      'oidc-token-reused',
      (await wallet.login(credential, { clientKey, token: () => token.value })).answer.outcome,
    );
  },
);

test(
  `tokens of ${YOUNG_SECONDS.join(', ')} s ago are young enough`,
  verifies('OIDC-AGE-WITHIN-LIMIT'),
  async ({ given, check, need }) => {
    const { wallet, credential } = await given.holding('OAUTH');
    await wallet.needLogin(credential);
    for (const seconds of YOUNG_SECONDS) {
      const label = `verifying with a token of ${seconds} s ago`;
      const { answer } = await wallet.clock.byEither(async (now) => {
        const iat = Math.ceil(now.getTime() / 1_000) - seconds;
        const start = performance.now();
        const login = await wallet.login(credential, { claims: { iat }, label });
        need.offered(
          performance.now() - start < WAY_MS,
          'the token was too long on its way for its age to be known',
        );
        return login;
      });
      await check('OIDC-AGE-WITHIN-LIMIT', () => expect(answer).toBeAccepted());
    }
  },
);

// -------------------------------------------------------------------------------------------------------- passkeys

test(
  'an authenticator that keeps no counter sends 0 each time',
  verifies('VERIFY-PASSKEY-ACCEPTED'),
  async ({ given, check, need }) => {
    const { wallet, session } = await given.signedIn();
    const counting = await wallet.needRegister('PASSKEY', session);
    for (let login = 0; login < 2; login += 1) await wallet.needLogin(counting);
    const passkey = wallet.newPasskey({ counter: 0 });
    const registration = await wallet.register(wallet.draftPasskey({ passkey }), session, {
      label: 'registering a passkey without a counter',
    });
    const credential = need.registered(registration);
    for (const label of ['the first login without a counter', 'the second login without a counter']) {
      const login = await wallet.attempt(credential, {
        assert: (one, challenge) => one.assert(challenge, { counter: 0 }),
        label,
      });
      await check('VERIFY-PASSKEY-ACCEPTED', () => expect(login.answer).toBeAccepted());
    }
  },
);

test(
  'userHandle may be left out of an assertion',
  verifies('VERIFY-PASSKEY-USER-HANDLE'),
  async ({ given, check, need }) => {
    const { wallet, credential } = await given.holding('PASSKEY');
    await wallet.needLogin(credential);
    const without = await wallet.login(credential, {
      assert: (passkey, challenge) => {
        const { userHandle: _left, ...assertion } = passkey.assert(challenge);
        return assertion;
      },
      label: 'verifying without userHandle',
    });
    need.reachedVerify(without);
    await check('VERIFY-PASSKEY-USER-HANDLE', () => expect(without.answer).toBeAccepted());
  },
);

test(
  'the Request-Id of a passkey challenge mints one session only, with the same assertion or another',
  verifies('VERIFY-PASSKEY-REQUEST-ID-REUSED'),
  async ({ given, check, need }) => {
    const { wallet, credential } = await given.holding('PASSKEY');
    let sent: WalletRequest | undefined;
    const login = await wallet.login(credential, { verify: (request) => (sent = request) });
    const { challenge, clientKey } = need.minted(login);
    const same = need.that(sent, 'there was no verify call');
    const again = await wallet.send(same, { label: 'the same verify once more' });
    const options = { ...(challenge ? { challenge } : {}), clientKey };
    const label = 'verifying with a Request-Id that has minted a session';
    const other = await wallet.attempt(credential, { ...options, label });
    for (const answer of [again, other.answer])
      await check('VERIFY-PASSKEY-REQUEST-ID-REUSED', () => expect(answer).toHaveHttpStatus(401));
  },
);

test(
  'an assertion that another passkey of the account has signed is refused',
  verifies('VERIFY-PASSKEY-SIGNATURE'),
  async ({ given, check }) => {
    const { wallet, credential, session } = await given.signedIn('PASSKEY');
    const signingKey = wallet.newKey();
    const draft = wallet.draftPasskey({ passkey: wallet.newPasskey({ key: signingKey }) });
    const second = await wallet.needRegister(draft, session);
    await wallet.needLogin(second);
    await wallet.needLogin(credential);
    const foreign = await wallet.attempt(credential, {
      // All else is of the passkey in the path.
      assert: (passkey, challenge) => passkey.assert(challenge, { signingKey }),
      label: 'verifying with an assertion that another passkey of the account has signed',
    });
    await check('VERIFY-PASSKEY-SIGNATURE', () => expect(foreign.answer).toBeRefused());
  },
);

// A counter that goes back may be taken for a cloned passkey, which then logs in no more: so each is tried on one of its own.
for (const { name, says, options } of doubtfulAssertions)
  test(`whether an assertion is taken that ${says}`, async ({ given, observe }) => {
    const { wallet, credential } = await given.signedIn('PASSKEY');
    const { answer } = await wallet.login(credential, { ceremony: options(credential.passkey) });
    observe('passkey-user-verification', { [name]: answer.outcome }, answer);
    const after = (await wallet.login(credential)).answer;
    observe('passkey-user-verification', { [`a plain one after ${name}`]: after.outcome }, after);
  });

test(
  'an assertion is taken again and again, with and without verification of the user in between',
  verifies('VERIFY-PASSKEY-ACCEPTED'),
  async ({ given, check, observe }) => {
    const { wallet, credential } = await given.signedIn('PASSKEY');
    const unverified = await wallet.login(credential, {
      ceremony: { flags: { userPresent: true, userVerified: false } },
    });
    observe(
      'passkey-user-verification',
      { 'user-not-verified': unverified.answer.outcome },
      unverified.answer,
    );
    const plain = await wallet.attempt(credential);
    await check('VERIFY-PASSKEY-ACCEPTED', () => expect(plain.answer).toBeAccepted(), {
      assumes: loggingIn.PASSKEY,
    });
  },
);
