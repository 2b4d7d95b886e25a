import { tamperedAssertions } from '../../client/crypto/index.ts';
import { expect, loggingIn, test, verifies } from '../../suite/index.ts';
import { ASSERTION_RULES } from '../support/rules-of-mistakes.ts';

const OBSERVED = tamperedAssertions.filter((row) =>
  ['user-not-present', 'counter-backwards', 'counter-repeated'].includes(row.name),
);

for (const row of tamperedAssertions) {
  const rule = ASSERTION_RULES[row.name];
  if (rule === undefined) continue;
  test(`a passkey assertion is refused that ${row.says}`, verifies(rule), async ({ given, check, need }) => {
    const { wallet, credential } = await given.signedIn('PASSKEY');
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
