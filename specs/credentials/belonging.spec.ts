import { expect, lower, test, verifies } from '../../suite/index.ts';

/** Whose credential and session an answer shows: its shape is the matter of other tests. */
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

interface Named {
  readonly accountId?: unknown;
  readonly type?: unknown;
}
