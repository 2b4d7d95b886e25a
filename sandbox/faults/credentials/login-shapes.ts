import type { JsonObject } from '../../server/json.ts';
import { answers, faultsOf, field, inAList } from '../fault.ts';
import { day, isChallenge, isSession, seconds } from './shapes.ts';

const session = (name: string) => field('presentSession', name);

const request = (name: string) => field('presentRequest', name);

const challenge = (name: string) => field('presentPasskeyChallenge', name);

const dayBefore = (text: string): string => new Date(Date.parse(text) - 86_400_000).toISOString();

const isRequest = (body: JsonObject): boolean => typeof body['payloadToSign'] === 'string';

/** Shapes of challenges, sessions and requests to sign. */
export const loginShapeFaults = faultsOf([
  [
    'challenge-is-an-array',
    'CHALLENGE-OBJECT',
    'A challenge is answered as an array of one.',
    answers(isChallenge, inAList),
    // The challenge of a one-time code is a credential.
    ['CREDENTIAL-OBJECT'],
  ],
  [
    'otp-bundle-missing',
    'CHALLENGE-OTP-BUNDLE',
    'The challenge of a one-time code has no bundle.',
    field('presentOtpChallenge', 'otpEncryptionTargetBundle').drop(),
  ],
  [
    'otp-bundle-object',
    'CHALLENGE-OTP-BUNDLE',
    'The bundle is an object and not JSON text.',
    field('presentOtpChallenge', 'otpEncryptionTargetBundle').mapText(
      (text) => JSON.parse(text) as JsonObject,
    ),
  ],
  [
    'passkey-challenge-upper-case',
    'CHALLENGE-PASSKEY-CHALLENGE',
    'The challenge of a passkey is upper-case hex.',
    {
      newPasskeyChallenge: (original) => (world, row) => original(world, row).toUpperCase(),
    },
  ],
  [
    'passkey-challenge-base64url',
    'CHALLENGE-PASSKEY-CHALLENGE',
    'The challenge of a passkey is base64url.',
    {
      newPasskeyChallenge: (original) => (world, row) =>
        `${Buffer.from(original(world, row), 'hex').toString('base64url')}-_`,
    },
  ],
  [
    'passkey-challenge-without-request-id',
    'CHALLENGE-PASSKEY-REQUEST-ID',
    'The challenge of a passkey has no requestId.',
    challenge('requestId').drop(),
  ],
  [
    'passkey-challenge-without-end',
    'CHALLENGE-PASSKEY-EXPIRES-AT',
    'The challenge of a passkey has no expiresAt.',
    challenge('expiresAt').drop(),
  ],
  [
    'passkey-challenge-end-in-seconds',
    'CHALLENGE-PASSKEY-EXPIRES-AT',
    'expiresAt of a passkey challenge is a number of seconds.',
    challenge('expiresAt').mapText(seconds),
  ],
  [
    'passkey-challenge-ends-before-it-begins',
    'CHALLENGE-PASSKEY-EXPIRES-AT',
    'expiresAt of a passkey challenge is a day before its issue.',
    challenge('expiresAt').mapText(dayBefore),
  ],
  [
    'session-ends-before-it-begins',
    'SESSION-EXPIRES-AT',
    'expiresAt of a session is a day before it was to be.',
    session('expiresAt').mapText(dayBefore),
  ],
  [
    'request-ends-before-it-begins',
    'RETRY-EXPIRES-AT',
    'expiresAt of a 202 is a day before its issue.',
    request('expiresAt').mapText(dayBefore),
  ],
  [
    'otp-bundle-is-no-json',
    'CHALLENGE-OTP-BUNDLE',
    'The bundle of a challenge is base64 of what should stand there.',
    {
      presentTargetBundle: (original) => (world, challenge) =>
        Buffer.from(original(world, challenge)).toString('base64'),
    },
  ],
  [
    'session-is-an-array',
    'SESSION-OBJECT',
    'A session is answered as an array of one.',
    answers(isSession, inAList),
  ],
  ['session-without-end', 'SESSION-EXPIRES-AT', 'A session has no expiresAt.', session('expiresAt').drop()],
  [
    'session-end-in-seconds',
    'SESSION-EXPIRES-AT',
    'expiresAt of a session is a number of seconds.',
    session('expiresAt').mapText(seconds),
  ],
  [
    'session-id-prefix',
    'SESSION-ID',
    'The id of a session begins with AuthSession.',
    session('id').mapText((id) => `Auth${id}`),
  ],
  ['session-id-missing', 'SESSION-ID', 'A session has no id.', session('id').drop()],
  [
    'session-account-bare',
    'SESSION-ACCOUNT-ID',
    'The accountId of a session is a bare uuid.',
    session('accountId').mapText((id) => id.split(':')[1]!),
  ],
  [
    'session-account-missing',
    'SESSION-ACCOUNT-ID',
    'A session does not name its account.',
    session('accountId').drop(),
  ],
  [
    'session-type-lower-case',
    'SESSION-TYPE',
    'The type of a session is written in lower case.',
    session('type').mapText((type) => type.toLowerCase()),
  ],
  [
    'session-nickname-object',
    'SESSION-NICKNAME',
    'The nickname of a session is an object.',
    session('nickname').map((value) => ({ value })),
  ],
  [
    'session-created-at-missing',
    'SESSION-CREATED-AT',
    'A session has no createdAt.',
    session('createdAt').drop(),
  ],
  [
    'session-updated-at-day',
    'SESSION-UPDATED-AT',
    'updatedAt of a session is a day.',
    session('updatedAt').mapText(day),
  ],
  [
    'sealed-key-missing',
    'SESSION-SEALED-KEY',
    'A session from a token or a passkey has no sealed key.',
    {
      presentSealedSession: (original) => async (world, minted) => {
        const { encryptedSessionSigningKey: _, ...rest } = await original(world, minted);
        return rest;
      },
    },
  ],
  [
    'otp-session-with-sealed-key',
    'SESSION-NO-SEALED-KEY-FOR-OTP',
    'A session from a one-time code has an encryptedSessionSigningKey.',
    {
      presentOtpSession: (original) => async (world, row) => ({
        ...(await original(world, row)),
        encryptedSessionSigningKey: 'none',
      }),
    },
  ],
  [
    'request-is-an-array',
    'RETRY-CHALLENGE-OBJECT',
    'The 202 is an array of one.',
    answers(isRequest, inAList),
  ],
  [
    'request-without-type',
    'RETRY-TYPE',
    'The 202 does not tell the type of the credential.',
    request('type').drop(),
  ],
  [
    'request-type-lower-case',
    'RETRY-TYPE',
    'The type in the 202 is written in lower case.',
    request('type').mapText((type) => type.toLowerCase()),
  ],
  [
    'request-without-payload',
    'RETRY-PAYLOAD',
    'The 202 has nothing to sign.',
    request('payloadToSign').drop(),
  ],
  [
    'request-payload-object',
    'RETRY-PAYLOAD',
    'payloadToSign is an object.',
    request('payloadToSign').mapText((text) => ({ text })),
  ],
  [
    'request-id-bare',
    'RETRY-REQUEST-ID',
    'The requestId is a bare uuid.',
    {
      newRequestId: (original) => (world, print) => original(world, print).split(':')[1]!,
    },
  ],
  [
    'request-end-in-seconds',
    'RETRY-EXPIRES-AT',
    'expiresAt of a 202 is a number of seconds.',
    request('expiresAt').mapText(seconds),
  ],
  ['request-without-end', 'RETRY-EXPIRES-AT', 'The 202 has no expiresAt.', request('expiresAt').drop()],
]);
