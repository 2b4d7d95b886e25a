import type { JsonObject } from '../../server/json.ts';
import { answers, faultsOf, inAList } from '../fault.ts';
import { shownWrongly, inText } from '../shown-wrongly.ts';
import { isChallenge, isSession } from './shapes.ts';

const isRequest = (body: JsonObject): boolean => typeof body['payloadToSign'] === 'string';

/** The uuid of no record. */
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** Shapes of challenges, sessions and requests to sign. */
export const loginShapeFaults = [
  ...shownWrongly('presentOtpChallenge', 'one-time-code challenge', {
    otpEncryptionTargetBundle: [
      'CHALLENGE-OTP-BUNDLE',
      'missing',
      ['object', inText((text) => JSON.parse(text) as JsonObject)],
    ],
    id: ['CHALLENGE-OBJECT', ['of-no-credential', () => `AuthMethod:${NOBODY}`]],
    accountId: ['CHALLENGE-OBJECT', ['of-nobody', () => `InternalAccount:${NOBODY}`]],
    type: ['CHALLENGE-OBJECT', ['always-oauth', () => 'OAUTH']],
  }),
  ...shownWrongly('presentPasskeyChallenge', 'passkey challenge', {
    requestId: ['CHALLENGE-PASSKEY-REQUEST-ID', 'missing'],
    expiresAt: ['CHALLENGE-PASSKEY-EXPIRES-AT', 'missing', 'in-seconds', 'a-day-before'],
  }),
  ...shownWrongly('presentSession', 'session', {
    expiresAt: ['SESSION-EXPIRES-AT', 'a-day-before', 'missing', 'in-seconds'],
    id: ['SESSION-ID', ['prefix', inText((id) => `Auth${id}`)], 'missing'],
    accountId: [
      'SESSION-ACCOUNT-ID',
      'bare-uuid',
      'missing',
      ['of-nobody', () => `InternalAccount:${NOBODY}`],
    ],
    type: ['SESSION-TYPE', 'in-small-letters', ['always-oauth', () => 'OAUTH']],
    nickname: ['SESSION-NICKNAME', ['object', (value) => ({ value })]],
    createdAt: ['SESSION-CREATED-AT', 'missing'],
    updatedAt: ['SESSION-UPDATED-AT', 'without-time'],
  }),
  ...shownWrongly('presentRequest', 'signed-retry challenge', {
    expiresAt: ['RETRY-EXPIRES-AT', 'a-day-before', 'in-seconds', 'missing'],
    type: ['RETRY-TYPE', 'missing', 'in-small-letters', ['always-passkey', () => 'PASSKEY']],
    payloadToSign: ['RETRY-PAYLOAD', 'missing', ['request-payload-object', inText((text) => ({ text }))]],
  }),
  ...faultsOf([
    [
      'challenge-is-an-array',
      'CHALLENGE-OBJECT',
      'A challenge is answered as an array of one.',
      answers(isChallenge, inAList),
      // The challenge of a one-time code is a credential.
      ['CREDENTIAL-OBJECT'],
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
      'request-id-bare',
      'RETRY-REQUEST-ID',
      'The requestId is a bare uuid.',
      {
        newRequestId: (original) => (world, print) => original(world, print).split(':')[1]!,
      },
    ],
  ]),
];
