import { tamperedAssertions } from '../../client/crypto/index.ts';
import { expect, loggingIn, test, verifies } from '../../suite/index.ts';
import { ASSERTION_RULES } from '../support/credentials.ts';

const OBSERVED = tamperedAssertions.filter((row) =>
  ['user-not-present', 'counter-backwards', 'counter-repeated'].includes(row.name),
);

test(
  'an assertion over the challenge mints a session',
  verifies('VERIFY-PASSKEY-ACCEPTED', 'VERIFY-STATUS'),
  async ({ given, check, need }) => {
    const { wallet, credential } = await given.holding('PASSKEY');
    const login = await wallet.login(credential);
    need.reachedVerify(login);
    await check(
      'VERIFY-PASSKEY-ACCEPTED',
      () => {
        expect(login.answer).toBeAccepted();
        expect(login.answer.status, 'no signed retry is asked for').not.toBe(202);
      },
      { assumes: loggingIn.PASSKEY },
    );
  },
);

test(
  'an authenticator that keeps no counter sends 0 each time',
  verifies('VERIFY-PASSKEY-ACCEPTED'),
  async ({ given, check, need }) => {
    const { wallet, session } = await given.signedIn();
    const counting = need.registered(await wallet.register('PASSKEY', session));
    for (let login = 0; login < 2; login += 1) await wallet.mustLogin(counting);
    const passkey = wallet.newPasskey({ counter: 0 });
    const registration = await wallet.register(wallet.draftPasskey({ passkey }), session, {
      label: 'registering a passkey without a counter',
    });
    const credential = need.registered(registration);
    for (const label of ['the first login without a counter', 'the second login without a counter']) {
      const login = await wallet.login(credential, {
        assert: (one, challenge) => one.assert(challenge, { counter: 0 }),
        label,
      });
      need.reachedVerify(login);
      await check('VERIFY-PASSKEY-ACCEPTED', () => expect(login.answer).toBeAccepted());
    }
  },
);

test(
  'userHandle may be left out of an assertion',
  verifies('VERIFY-PASSKEY-USER-HANDLE'),
  async ({ given, check, need }) => {
    const { wallet, credential } = await given.holding('PASSKEY');
    await wallet.mustLogin(credential);
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
  'a passkey verify needs a Request-Id',
  verifies('VERIFY-PASSKEY-REQUEST-ID-MISSING'),
  async ({ given, check, need }) => {
    const { wallet, credential } = await given.holding('PASSKEY');
    await wallet.mustLogin(credential);
    const label = 'verifying without Request-Id';
    const missing = await wallet.login(credential, { label, requestId: null });
    need.reachedVerify(missing);
    await check('VERIFY-PASSKEY-REQUEST-ID-MISSING', () => expect(missing.answer).toBeRefused(400, 401));
  },
);

test(
  'a passkey verify needs the Request-Id of its own challenge',
  verifies('VERIFY-PASSKEY-REQUEST-ID-FOREIGN'),
  async ({ given, check, need }) => {
    const { wallet, credential, session } = await given.signedIn('PASSKEY');
    await wallet.mustLogin(credential);
    const unknown = await wallet.login(credential, {
      label: 'verifying with a Request-Id that was never issued',
      requestId: `Request:${crypto.randomUUID()}`,
    });
    need.reachedVerify(unknown);
    await check('VERIFY-PASSKEY-REQUEST-ID-FOREIGN', () => expect(unknown.answer).toBeRefused());

    const second = await given.credential(wallet, 'PASSKEY', session);
    const elsewhere = await wallet.challenge(second, { label: 'the challenge of another passkey' });
    need(elsewhere).accepted();
    const foreign = await wallet.login(credential, {
      label: "verifying with the Request-Id of another passkey's challenge",
      requestId: String(elsewhere.body.requestId),
    });
    need.reachedVerify(foreign);
    await check('VERIFY-PASSKEY-REQUEST-ID-FOREIGN', () => expect(foreign.answer).toBeRefused());
  },
);

test(
  "the whole challenge of another account's passkey does not serve",
  verifies('VERIFY-PASSKEY-REQUEST-ID-FOREIGN'),
  async ({ given, check, need }) => {
    const { wallet, credential } = await given.holding('PASSKEY');
    await wallet.mustLogin(credential);
    const other = await given.signedIn('PASSKEY');
    const elsewhere = await other.wallet.challenge(other.credential, {
      label: "the challenge of another account's passkey",
    });
    need(elsewhere).accepted();
    const foreign = await wallet.login(credential, { challenge: elsewhere });
    need.reachedVerify(foreign);
    await check('VERIFY-PASSKEY-REQUEST-ID-FOREIGN', () => expect(foreign.answer).toBeRefused());
  },
);

test(
  'the Request-Id of a passkey challenge mints one session only',
  verifies('VERIFY-PASSKEY-REQUEST-ID-REUSED'),
  async ({ given, check, need }) => {
    const { wallet, credential } = await given.holding('PASSKEY');
    const login = await wallet.mustLogin(credential);
    const { challenge, clientKey } = login;
    const again = await wallet.login(credential, {
      ...(challenge ? { challenge } : {}),
      clientKey,
      label: 'verifying with a Request-Id that has minted a session',
    });
    need.reachedVerify(again);
    await check('VERIFY-PASSKEY-REQUEST-ID-REUSED', () => expect(again.answer).toHaveHttpStatus(401));
  },
);

test(
  'the very same passkey verify sent again mints no second session',
  verifies('VERIFY-PASSKEY-REQUEST-ID-REUSED'),
  async ({ given, check, need }) => {
    const { wallet, credential } = await given.signedIn('PASSKEY');
    let sent: Parameters<typeof wallet.send>[0] | undefined;
    await wallet.mustLogin(credential);
    const login = await wallet.login(credential, { verify: (request) => (sent = request) });
    need(login.answer).accepted();
    need.that(sent, 'there was no verify call');
    const again = await wallet.send(sent as NonNullable<typeof sent>, { label: 'the same verify once more' });
    await check('VERIFY-PASSKEY-REQUEST-ID-REUSED', () => expect(again).toHaveHttpStatus(401));
  },
);

for (const row of tamperedAssertions) {
  const rule = ASSERTION_RULES[row.name];
  if (rule === undefined) continue;
  test(`a passkey assertion is refused that ${row.says}`, verifies(rule), async ({ given, check, need }) => {
    const { wallet, credential } = await given.holding('PASSKEY');
    await wallet.mustLogin(credential);
    const challenge = await wallet.challenge(credential);
    need(challenge).accepted();
    // Another rule's concern, but without hex there are no bytes to decode.
    need.that(
      row.name !== 'challenge-decoded' || /^([0-9a-f]{2})+$/i.test(String(challenge.body.challenge)),
      'the challenge is not hex',
    );
    const login = await wallet.login(credential, {
      challenge,
      assert: (passkey, text) => row.make(passkey, text),
      label: `verifying with an assertion that ${row.says}`,
    });
    need.reachedVerify(login);
    await check(rule, () => expect(login.answer).toBeRefused());
  });
}

test(
  'the assertion of another passkey of the account is refused',
  verifies('VERIFY-PASSKEY-FOREIGN-CREDENTIAL'),
  async ({ given, check, need }) => {
    const { wallet, credential, session } = await given.signedIn('PASSKEY');
    const second = await given.credential(wallet, 'PASSKEY', session);
    await wallet.mustLogin(second);
    await wallet.mustLogin(credential);
    const { passkey } = second as Extract<typeof second, { type: 'PASSKEY' }>;
    const foreign = await wallet.login(credential, {
      assert: (_, challenge) => passkey.assert(challenge),
      label: 'verifying with the assertion of another passkey of the account',
    });
    need.reachedVerify(foreign);
    await check('VERIFY-PASSKEY-FOREIGN-CREDENTIAL', () => expect(foreign.answer).toBeRefused());
  },
);

test(
  'an assertion that another passkey of the account has signed is refused',
  verifies('VERIFY-PASSKEY-SIGNATURE'),
  async ({ given, check, need }) => {
    const { wallet, credential, session } = await given.signedIn('PASSKEY');
    const signingKey = wallet.newKey();
    const draft = wallet.draftPasskey({ passkey: wallet.newPasskey({ key: signingKey }) });
    const second = need.registered(await wallet.register(draft, session));
    await wallet.mustLogin(second);
    await wallet.mustLogin(credential);
    const foreign = await wallet.login(credential, {
      // All else is of the passkey in the path.
      assert: (passkey, challenge) => passkey.assert(challenge, { signingKey }),
      label: 'verifying with an assertion that another passkey of the account has signed',
    });
    need.reachedVerify(foreign);
    await check('VERIFY-PASSKEY-SIGNATURE', () => expect(foreign.answer).toBeRefused());
  },
);

test(
  "the assertion of another account's passkey is refused",
  verifies('VERIFY-PASSKEY-FOREIGN-CREDENTIAL'),
  async ({ given, check, need }) => {
    const { wallet, credential } = await given.signedIn('PASSKEY');
    const other = await given.signedIn('PASSKEY');
    await wallet.mustLogin(credential);
    const { passkey } = other.credential as Extract<typeof credential, { type: 'PASSKEY' }>;
    const foreign = await wallet.login(credential, {
      assert: (_, challenge) => passkey.assert(challenge),
      label: "verifying with the assertion of another account's passkey",
    });
    need.reachedVerify(foreign);
    await check('VERIFY-PASSKEY-FOREIGN-CREDENTIAL', () => expect(foreign.answer).toBeRefused());
  },
);

// A counter that goes back may be taken for a cloned passkey, which then logs in no more: so each is tried on one of its own.
for (const row of OBSERVED)
  test(`whether an assertion is taken that ${row.says}`, async ({ given, observe }) => {
    const { wallet, credential } = await given.signedIn('PASSKEY');
    const { answer } = await wallet.login(credential, {
      assert: (passkey, text) => row.make(passkey, text),
    });
    observe('passkey-user-verification', { [row.name]: answer.outcome }, answer);
    const after = await wallet.login(credential);
    observe(
      'passkey-user-verification',
      { [`a plain one after ${row.name}`]: after.answer.outcome },
      after.answer,
    );
  });

test(
  'an assertion is taken again and again, with and without verification of the user in between',
  verifies('VERIFY-PASSKEY-ACCEPTED'),
  async ({ given, check, need, observe }) => {
    const { wallet, credential } = await given.signedIn('PASSKEY');
    const unverified = await wallet.login(credential, {
      ceremony: { flags: { userPresent: true, userVerified: false } },
    });
    observe(
      'passkey-user-verification',
      { 'user-not-verified': unverified.answer.outcome },
      unverified.answer,
    );
    const plain = await wallet.login(credential);
    need.reachedVerify(plain);
    await check('VERIFY-PASSKEY-ACCEPTED', () => expect(plain.answer).toBeAccepted(), {
      assumes: loggingIn.PASSKEY,
    });
  },
);
