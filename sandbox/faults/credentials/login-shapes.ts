import type { JsonObject } from '../../server/json.ts';
import { answers, fault, inAList } from '../fault.ts';
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
  fault(
    'challenge-is-an-array', // The challenge of a one-time code is a credential.
    ['CHALLENGE-OBJECT', 'CREDENTIAL-OBJECT'],
    answers(isChallenge, inAList),
  ),
  fault('passkey-challenge-upper-case', 'CHALLENGE-PASSKEY-CHALLENGE', {
    newPasskeyChallenge: (original) => (world, row) => original(world, row).toUpperCase(),
  }),
  fault('passkey-challenge-base64url', 'CHALLENGE-PASSKEY-CHALLENGE', {
    newPasskeyChallenge: (original) => (world, row) =>
      `${Buffer.from(original(world, row), 'hex').toString('base64url')}-_`,
  }),
  fault('otp-bundle-is-no-json', 'CHALLENGE-OTP-BUNDLE', {
    presentTargetBundle: (original) => (world, challenge) =>
      Buffer.from(original(world, challenge)).toString('base64'),
  }),
  fault('session-is-an-array', 'SESSION-OBJECT', answers(isSession, inAList)),
  fault('sealed-key-missing', 'SESSION-SEALED-KEY', {
    presentSealedSession: (original) => async (world, minted) => {
      const { encryptedSessionSigningKey: _, ...rest } = await original(world, minted);
      return rest;
    },
  }),
  fault('otp-session-with-sealed-key', 'SESSION-NO-SEALED-KEY-FOR-OTP', {
    presentOtpSession: (original) => async (world, row) => ({
      ...(await original(world, row)),
      encryptedSessionSigningKey: 'none',
    }),
  }),
  fault('request-is-an-array', 'RETRY-CHALLENGE-OBJECT', answers(isRequest, inAList)),
  fault('request-id-bare', 'RETRY-REQUEST-ID', {
    newRequestId: (original) => (world, print) => original(world, print).split(':')[1]!,
  }),
];
