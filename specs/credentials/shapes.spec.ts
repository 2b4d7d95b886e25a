import { shapeRules } from '../../schemas/openapi.ts';
import { expect, lower, test, verifies, type CredentialType } from '../../suite/index.ts';

/** Challenge and session of each type. Which fields they have the schemas judge, wherever one comes up. */
const LOGINS: readonly (readonly [type: CredentialType, challenge: string | undefined, session: string])[] = [
  ['EMAIL_OTP', 'ChallengeEmailOtp', 'AuthSessionEmailOtp'],
  ['SMS_OTP', 'ChallengeEmailOtp', 'AuthSessionEmailOtp'],
  ['PASSKEY', 'PasskeyAuthChallenge', 'AuthSessionSealed'],
  ['OAUTH', undefined, 'AuthSessionSealed'],
];

interface Named {
  readonly accountId?: unknown;
  readonly type?: unknown;
}

for (const [type, challengeShape, sessionShape] of LOGINS) {
  const isCode = challengeShape === 'ChallengeEmailOtp';
  test(
    `whatever a login by ${type} is answered has its parts, and names no other credential and no other account`,
    verifies(
      'SESSION-ACCOUNT-ID',
      'SESSION-TYPE',
      ...(isCode ? ['CHALLENGE-OBJECT', 'RETRY-TYPE'] : []),
      ...(challengeShape ? ['CHALLENGE-STATUS', ...shapeRules(challengeShape)] : []),
      ...shapeRules(sessionShape),
    ),
    async ({ given, check, need }) => {
      const { wallet, credential } = await given.holding(type);
      const login = await wallet.attempt(credential);
      need(login.answer).accepted();
      const isOwn = (accountId: unknown) => expect(lower(accountId)).toBe(lower(wallet.accountId));
      if (isCode) {
        const challenge = need.that(login.challenge, 'there was no challenge call');
        await check('CHALLENGE-OBJECT', () => {
          expect(lower(challenge.body.id), 'the id of the challenged credential').toBe(lower(credential.id));
          isOwn(challenge.body.accountId);
          expect(challenge.body.type, 'its type').toBe(type);
        });
        await check('RETRY-TYPE', () => expect(login.first?.body.type).toBe(type));
      }
      if (isCode) need.minted(login);
      // Neither field is promised of a sealed session.
      const shown = (field: 'accountId' | 'type', own: unknown) =>
        ((login.answer.body ?? {}) as Named)[field] ?? (isCode ? undefined : own);
      const of = [login.answer];
      await check('SESSION-ACCOUNT-ID', () => isOwn(shown('accountId', wallet.accountId)), of);
      await check('SESSION-TYPE', () => expect(shown('type', type)).toBe(type), of);
    },
  );
}
