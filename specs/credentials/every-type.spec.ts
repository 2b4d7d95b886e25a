import { invalidStamps } from '../../client/crypto/index.ts';
import {
  asksForSignature,
  expect,
  movesClock,
  sessionSigned,
  signedOperation,
  test,
  verifies,
  type CredentialType,
  type Draft,
} from '../../suite/index.ts';

/** What the other specs of this folder do with a session of the usual type holds of every other type too. */
const TYPES = ['OAUTH', 'PASSKEY', 'SMS_OTP'] as const satisfies readonly CredentialType[];
const ADDING = signedOperation('RETRY-CREDENTIAL-CREATE');
const REVOKING = signedOperation('RETRY-CREDENTIAL-REVOKE');
const CHANGING_EMAIL = signedOperation('RETRY-CUSTOMER-EMAIL');
const VERIFYING = signedOperation('RETRY-OTP-VERIFY');
/** Seconds beyond an end, for clocks that differ. */
const BEYOND_SECONDS = 60;
/** The stamp names a live session, and the signature beside it is not its own. */
const NOT_ITS_OWN = invalidStamps.filter(({ name }) => name === 'key-other-signs');

for (const type of TYPES) {
  for (const operation of sessionSigned) {
    if (operation.signsInWith !== undefined) continue;
    test(
      `${operation.name} in a session of ${type}: the first call asks for a signature`,
      verifies(operation.rule),
      async ({ given, check, need }) => {
        const { wallet } = await given.signedIn(type);
        const { first } = await (await wallet.prepare(operation)).send({ times: 0 });
        if (!asksForSignature(first)) need(first).available();
        await check(operation.rule, () => expect(first).toHaveHttpStatus(202), {
          assumes: operation.assumes,
        });
      },
    );
  }

  test(
    `a signature that is not of the session is told so in a session of ${type}`,
    verifies('STAMP-INVALID'),
    async ({ given, check }) => {
      const { wallet } = await given.signedIn(type);
      const [answer] = await wallet.mistakenRetries(
        ADDING,
        NOT_ITS_OWN.map((row) => ({
          label: `with a stamp that ${row.says}`,
          tamper: { stamp: (...of) => row.make(...of) ?? '' },
        })),
      );
      await wallet.mustComplete(ADDING);
      await check('STAMP-INVALID', () => expect(answer).toBeUnauthorized('WALLET_SIGNATURE_INVALID'));
    },
  );

  test(
    `a revoked session of ${type} does not sign`,
    verifies('STAMP-REVOKED-SESSION'),
    async ({ given, check, need }) => {
      const { wallet, credential, session } = await given.signedIn(type);
      const { session: ended } = await wallet.mustLogin(credential);
      const id = need.offered(ended.id, 'the session came without an id');
      await wallet.mustSign(ended, 'a wallet request before the session is revoked');
      need((await wallet.sessions.revoke(id, session)).answer).available();
      const late = await wallet.signedBy(ended, 'a wallet request signed by the revoked session');
      await wallet.mustSign(session);
      await check('STAMP-REVOKED-SESSION', () => expect(late).toBeRefused(401, 403));
    },
  );

  test(
    `an expired session of ${type} does not sign`,
    movesClock(verifies('STAMP-EXPIRED-SESSION')),
    async ({ given, check }) => {
      const { wallet, credential, session } = await given.signedIn(type);
      await wallet.mustSign(session, 'a wallet request before the session expires');
      await wallet.clock.letPass(Math.ceil(wallet.clock.secondsLeft(session)) + BEYOND_SECONDS);
      const late = await wallet.signedBy(session, 'a wallet request signed by the expired session');
      await wallet.mustSign(await given.session(wallet, credential));
      await check('STAMP-EXPIRED-SESSION', () => expect(late).toBeRefused(401, 403));
    },
  );
}

for (const type of TYPES)
  test(
    `the e-mail of a customer with EMAIL_OTP beside ${type} is not changed without a signature`,
    verifies(CHANGING_EMAIL.rule),
    async ({ given, check, need }) => {
      given.mustProve(type);
      const { wallet, session } = await given.signedIn('EMAIL_OTP');
      await given.credential(wallet, type, session);
      const { first } = await (await wallet.prepare(CHANGING_EMAIL)).send({ times: 0 });
      if (!asksForSignature(first)) need(first).available();
      await check(CHANGING_EMAIL.rule, () => expect(first).toHaveHttpStatus(202), {
        assumes: CHANGING_EMAIL.assumes,
      });
    },
  );

test(
  'verifying a code by text message: a requestId serves once',
  verifies('RETRY-REQUEST-ID-SINGLE-USE'),
  async ({ given, check, need }) => {
    const { wallet } = await given.signedIn('SMS_OTP');
    const twice = await wallet.signedRetry(VERIFYING, { label: 'sent twice', times: 2 });
    need(twice.answer).accepted();
    const again = need.that(twice.retries[1], 'the second retry was not sent');
    await check('RETRY-REQUEST-ID-SINGLE-USE', () => expect(again).toHaveHttpStatus(401));
  },
);

test(
  'verifying a code by text message: a retry after expiresAt is refused',
  movesClock(verifies('RETRY-EXPIRED')),
  async ({ given, check }) => {
    const { wallet } = await given.signedIn('SMS_OTP');
    const window = wallet.clock.secondsLeft((await wallet.mustComplete(VERIFYING)).first);
    const late = await wallet.signedRetry(VERIFYING, {
      label: 'retried after expiresAt',
      between: () => wallet.clock.letPass(Math.ceil(window) + BEYOND_SECONDS),
    });
    await wallet.mustComplete(VERIFYING);
    await check('RETRY-EXPIRED', () => expect(late.answer).toBeRefused());
  },
);

for (const type of [...TYPES, 'EMAIL_OTP'] as const) {
  test(
    `${type} is not added to an account without a signature`,
    verifies(ADDING.rule),
    async ({ given, check, need }) => {
      given.mustProve(type);
      const { wallet } = await given.signedIn(type === 'EMAIL_OTP' ? 'PASSKEY' : undefined);
      const draft: Draft = await wallet.draft(type);
      const { first } = await wallet.register(draft, wallet.signer.session, { times: 0 });
      // What an account may hold besides is another rule's matter.
      if (!asksForSignature(first)) need(first).available();
      await check(ADDING.rule, () => expect(first).toHaveHttpStatus(202));
    },
  );

  test(
    `${type} is not revoked without a signature`,
    verifies(REVOKING.rule),
    async ({ given, check, need }) => {
      given.mustProve(type);
      const { wallet, credential, session } = await given.signedIn(type === 'EMAIL_OTP' ? type : undefined);
      const further = await given.credential(wallet, type === 'EMAIL_OTP' ? 'PASSKEY' : type, session);
      const revoked = type === 'EMAIL_OTP' ? credential : further;
      const { first } = await wallet.revoke(revoked.id, session, { times: 0 });
      if (!asksForSignature(first)) need(first).available();
      await check(REVOKING.rule, () => expect(first).toHaveHttpStatus(202));
    },
  );
}
