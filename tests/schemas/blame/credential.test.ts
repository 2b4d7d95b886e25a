import {
  type Case,
  TIME,
  authMethod,
  blames,
  fieldCases,
  otpSession,
  passkeyChallenge,
  put,
  signedRetry,
  without,
} from './hold.ts';

const absentOrNumber = (object: object, field: string) =>
  [
    ['absent', without(object, field)],
    ['a number', put(object, field, 1)],
  ] as const;

blames('AuthMethod', [
  ['a legal one', authMethod],
  ...fieldCases(
    authMethod,
    {
      id: 'CREDENTIAL-ID',
      accountId: 'CREDENTIAL-ACCOUNT-ID',
      type: 'CREDENTIAL-TYPE',
      createdAt: 'CREDENTIAL-CREATED-AT',
      updatedAt: 'CREDENTIAL-UPDATED-AT',
    },
    absentOrNumber,
  ),
  [
    'a credentialId beside a passkey',
    { ...authMethod, credentialId: 'abc' },
    'CREDENTIAL-WEBAUTHN-ID-ONLY-PASSKEY',
  ],
  [
    'a passkey without credentialId',
    { ...authMethod, type: 'PASSKEY' },
    'CREDENTIAL-WEBAUTHN-ID-FOR-PASSKEY',
  ],
  [
    'a credentialId in plain base64',
    { ...authMethod, type: 'PASSKEY', credentialId: 'a+/=' },
    'CREDENTIAL-WEBAUTHN-ID',
  ],
  ['a numeric nickname', { ...authMethod, nickname: 1 }, 'CREDENTIAL-NICKNAME'],
]);

blames('CredentialList', [
  ['one credential', { data: [authMethod] }],
  ['none', { data: [] }],
  ['a bare list', [authMethod], 'CREDENTIAL-LIST-DATA'],
  ['no data', {}, 'CREDENTIAL-LIST-DATA'],
  ['a wrong id in it', { data: [put(authMethod, 'id', 'x')] }, 'CREDENTIAL-ID'],
  ['a text in it', { data: ['x'] }, 'CREDENTIAL-OBJECT'],
]);

blames('ChallengeEmailOtp', [
  ['with the bundle', { ...authMethod, otpEncryptionTargetBundle: '{}' }],
  ['without the bundle', authMethod, 'CHALLENGE-OTP-BUNDLE'],
]);

blames('CredentialChallenge', [
  ['an e-mail challenge without the bundle', authMethod, 'CHALLENGE-OTP-BUNDLE'],
  ['a bundle that is an object', { ...authMethod, otpEncryptionTargetBundle: {} }, 'CHALLENGE-OTP-BUNDLE'],
  ['a passkey challenge', passkeyChallenge],
  [
    'a passkey challenge with its credential',
    { ...authMethod, type: 'PASSKEY', credentialId: 'a', ...passkeyChallenge },
  ],
  ['a challenge in capitals', put(passkeyChallenge, 'challenge', '0AF0'), 'CHALLENGE-PASSKEY-CHALLENGE'],
  ['no requestId', without(passkeyChallenge, 'requestId'), 'CHALLENGE-PASSKEY-REQUEST-ID'],
  ['a number in place of the object', 1, 'CHALLENGE-OBJECT'],
]);

blames('PasskeyAuthChallenge', [
  ['no challenge', without(passkeyChallenge, 'challenge'), 'CHALLENGE-PASSKEY-CHALLENGE'],
  ['no end', without(passkeyChallenge, 'expiresAt'), 'CHALLENGE-PASSKEY-EXPIRES-AT'],
]);

blames('AuthSessionEmailOtp', [
  ['a legal one', otpSession],
  ...fieldCases(
    otpSession,
    {
      id: 'SESSION-ID',
      accountId: 'SESSION-ACCOUNT-ID',
      type: 'SESSION-TYPE',
      createdAt: 'SESSION-CREATED-AT',
      updatedAt: 'SESSION-UPDATED-AT',
      expiresAt: 'SESSION-EXPIRES-AT',
    },
    absentOrNumber,
  ),
]);

blames('VerifiedSession', [
  ['of a one-time code', otpSession],
  [
    'a sealed key for a one-time code',
    { ...otpSession, encryptedSessionSigningKey: 'x' },
    'SESSION-NO-SEALED-KEY-FOR-OTP',
  ],
  ['a full one of OAUTH', { ...otpSession, type: 'OAUTH', encryptedSessionSigningKey: 'x' }],
  ['a short one of OAUTH', { expiresAt: TIME, encryptedSessionSigningKey: 'x' }],
  ['nothing', {}, 'SESSION-EXPIRES-AT'],
]);

blames('AuthSessionSealed', [['no sealed key', { expiresAt: TIME }, 'SESSION-SEALED-KEY']]);

const RETRY = {
  payloadToSign: 'RETRY-PAYLOAD',
  requestId: 'RETRY-REQUEST-ID',
  expiresAt: 'RETRY-EXPIRES-AT',
};
const retryCases: readonly Case[] = fieldCases(signedRetry, RETRY, (object, field) => [
  ['absent', without(object, field)],
  ['an object', put(object, field, {})],
]);

blames('CredentialSignedRetryChallenge', [
  ['a legal one', signedRetry],
  ['no type', without(signedRetry, 'type'), 'RETRY-TYPE'],
  ['a number in place of the object', 3, 'RETRY-CHALLENGE-OBJECT'],
  ...retryCases,
]);
blames('SignedRetryChallenge', [['no type, elsewhere', without(signedRetry, 'type')], ...retryCases]);
blames('CustomerUpdateAccepted', [['an answer of another kind', {}], ...retryCases]);
