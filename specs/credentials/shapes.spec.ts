import { shapeRules } from '../../schemas/openapi.ts';
import { credentialRequests, expect, lower, test, verifies } from '../../suite/index.ts';

// ------------------------------------------------------------------ which fields the answers have: the schemas judge

test(
  'every type of credential is answered as an AuthMethod',
  verifies(...shapeRules('AuthMethod'), ...shapeRules('CredentialList')),
  async ({ given, need }) => {
    const types = ['SMS_OTP', 'OAUTH', 'PASSKEY'] as const;
    for (const type of types) given.mustProve(type);
    const { wallet, session } = await given.signedIn();
    for (const type of types) await wallet.mustRegister(type, session);
    need(await wallet.list()).accepted();
  },
);

const CHALLENGED = [
  ['a one-time code by e-mail carries a bundle', 'EMAIL_OTP', 'ChallengeEmailOtp'],
  ['a one-time code by text message carries a bundle', 'SMS_OTP', 'ChallengeEmailOtp'],
  ['a passkey has its parts', 'PASSKEY', 'PasskeyAuthChallenge'],
] as const;

for (const [says, type, schema] of CHALLENGED)
  test(`the challenge of ${says}`, verifies('CHALLENGE-STATUS', ...shapeRules(schema)), async ({ given }) => {
    const { wallet, credential } = await given.holding(type);
    await wallet.mustChallenge(credential);
  });

const SESSIONS = [
  ['EMAIL_OTP', 'AuthSessionEmailOtp'],
  ['SMS_OTP', 'AuthSessionEmailOtp'],
  ['OAUTH', 'AuthSessionSealed'],
  ['PASSKEY', 'AuthSessionSealed'],
] as const;

for (const [type, schema] of SESSIONS)
  test(
    `the session of ${type} has its parts, and a sealed key where one is due`,
    verifies(...shapeRules(schema)),
    async ({ given, need }) => {
      const { wallet, credential } = await given.holding(type);
      const login = await wallet.attempt(credential);
      need(login.answer).accepted();
    },
  );

test(
  'the 202 of each credential operation has its parts',
  verifies(...shapeRules('CredentialSignedRetryChallenge')),
  async ({ given, need }) => {
    const { wallet, credential } = await given.signedIn();
    const { body } = await wallet.anyDraft();
    need((await wallet.begin(credentialRequests.register(body))).first).accepted();
    await wallet.addCredential('registering another credential');
    need((await wallet.begin(credentialRequests.revoke(credential.id))).first).accepted();
    await wallet.mustLogin(credential);
  },
);

// --------------------------------------------------------------------------- whose credential and session they show

for (const type of ['EMAIL_OTP', 'SMS_OTP'] as const)
  test(
    `challenge, request and session of ${type} name the credential that logs in, and its account`,
    verifies('CHALLENGE-OBJECT', 'RETRY-TYPE', 'SESSION-ACCOUNT-ID', 'SESSION-TYPE'),
    async ({ given, check, need }) => {
      const { wallet, credential } = await given.holding(type);
      const login = await wallet.mustLogin(credential);
      const challenge = need.that(login.challenge, 'there was no challenge call');
      await check('CHALLENGE-OBJECT', () => {
        expect(lower(challenge.body.id), 'the id of the challenged credential').toBe(lower(credential.id));
        expect(lower(challenge.body.accountId), 'its accountId').toBe(lower(wallet.accountId));
        expect(challenge.body.type, 'its type').toBe(type);
      });
      const first = need.reachedVerify(login);
      await check('RETRY-TYPE', () => expect(first.body.type).toBe(type));
      await check('SESSION-ACCOUNT-ID', () =>
        expect(lower(login.answer.body.accountId)).toBe(lower(wallet.accountId)),
      );
      await check('SESSION-TYPE', () => expect(login.answer.body.type).toBe(type));
    },
  );

for (const type of ['OAUTH', 'PASSKEY'] as const)
  test(
    `a session of ${type} names no other account and no other type`,
    verifies('SESSION-ACCOUNT-ID', 'SESSION-TYPE'),
    async ({ given, check, need }) => {
      const { wallet, credential } = await given.holding(type);
      const { answer } = await wallet.attempt(credential);
      need(answer).accepted();
      // Neither field is promised here.
      const { accountId = wallet.accountId, type: shown = type } = (answer.body ?? {}) as Named;
      await check('SESSION-ACCOUNT-ID', () => expect(lower(accountId)).toBe(lower(wallet.accountId)), [
        answer,
      ]);
      await check('SESSION-TYPE', () => expect(shown).toBe(type), [answer]);
    },
  );

interface Named {
  readonly accountId?: unknown;
  readonly type?: unknown;
}

for (const type of ['OAUTH', 'PASSKEY', 'SMS_OTP'] as const)
  test(
    `the request to sign a registration of ${type} tells a type that is concerned`,
    verifies('RETRY-TYPE'),
    async ({ given, check, need }) => {
      given.mustProve(type);
      const { wallet, credential, session } = await given.signedIn('EMAIL_OTP');
      const registration = await wallet.register(type, session);
      need.challenged(registration);
      // "credential type" may be read as that of the new credential, or of one that may sign.
      await check('RETRY-TYPE', () =>
        expect(registration.first.body.type).toBeOneOf([type, credential.type]),
      );
    },
  );
