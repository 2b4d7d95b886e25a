import type { JsonObject } from '../../server/json.ts';
import type { Fault } from '../fault.ts';
import { field, shown } from '../fault.ts';
import { answers, fault, isId } from './bend.ts';

const credential = (name: string) => field('presentCredential', name);
const session = (name: string) => field('presentSession', name);
const request = (name: string) => field('presentRequest', name);
const challenge = (name: string) => field('presentPasskeyChallenge', name);
const seconds = (text: string): number => Math.floor(Date.parse(text) / 1000);
const dayBefore = (text: string): string => new Date(Date.parse(text) - 86_400_000).toISOString();
const day = (text: string): string => text.slice(0, 10);

const isSession = (body: JsonObject): boolean =>
  isId('Session', body['id']) || typeof body['encryptedSessionSigningKey'] === 'string';
const isRequest = (body: JsonObject): boolean => typeof body['payloadToSign'] === 'string';
const isChallenge = (body: JsonObject): boolean => 'otpEncryptionTargetBundle' in body || 'challenge' in body;

/** Fields and statuses of answers. */
export const shapeFaults: readonly Fault[] = [
  fault(
    'credential-created-answers-200',
    'CREDENTIAL-CREATE-STATUS',
    'A registration answers 200.',
    answers(
      (body, { status }) => status === 201 && isId('AuthMethod', body['id']),
      (reply) => ({ ...reply, status: 200 }),
    ),
  ),
  fault(
    'credential-list-answers-206',
    'CREDENTIAL-LIST-STATUS',
    'The list of credentials answers 206.',
    answers(
      ({ data }) => Array.isArray(data) && isId('AuthMethod', (data[0] as JsonObject | undefined)?.['id']),
      (reply) => ({ ...reply, status: 206 }),
    ),
  ),
  fault(
    'challenge-answers-201',
    'CHALLENGE-STATUS',
    'A challenge answers 201.',
    answers(isChallenge, (reply) => ({ ...reply, status: 201 })),
  ),
  fault(
    'verify-answers-201',
    'VERIFY-STATUS',
    'A login answers 201.',
    answers(isSession, (reply) => ({ ...reply, status: 201 })),
  ),
  fault(
    'credential-is-an-array',
    'CREDENTIAL-OBJECT',
    'A registered credential is answered as an array of one.',
    answers(
      (body) => isId('AuthMethod', body['id']) && !isChallenge(body),
      (reply) => ({ ...reply, body: [reply.body!] }),
    ),
  ),
  fault('credential-list-of-ids', 'CREDENTIAL-OBJECT', 'The list of credentials holds their ids alone.', {
    presentCredentialList: (original) => (world, items) =>
      original(
        world,
        items.map((item) => (item as JsonObject)['id']!),
      ),
  }),
  fault('credential-list-is-an-array', 'CREDENTIAL-LIST-DATA', 'The list of credentials is a bare array.', {
    presentCredentialList: () => (_world, items) => items,
  }),
  fault(
    'credential-list-under-another-name',
    'CREDENTIAL-LIST-DATA',
    'The list of credentials stands under `items`.',
    {
      presentCredentialList: () => (_world, items) => ({ items }),
    },
  ),
  fault(
    'credential-id-prefix',
    'CREDENTIAL-ID',
    'The id of a credential begins with Credential.',
    credential('id').mapText((id) => id.replace('AuthMethod', 'Credential')),
  ),
  fault('credential-id-missing', 'CREDENTIAL-ID', 'A credential has no id.', credential('id').drop()),
  fault(
    'credential-account-missing',
    'CREDENTIAL-ACCOUNT-ID',
    'A credential does not name its account.',
    credential('accountId').drop(),
  ),
  fault(
    'credential-account-bare',
    'CREDENTIAL-ACCOUNT-ID',
    'The accountId of a credential is a bare uuid.',
    credential('accountId').mapText((id) => id.split(':')[1]!),
  ),
  fault(
    'credential-type-lower-case',
    'CREDENTIAL-TYPE',
    'The type of a credential is written in lower case.',
    credential('type').mapText((type) => type.toLowerCase()),
  ),
  fault(
    'credential-webauthn-id-base64',
    'CREDENTIAL-WEBAUTHN-ID',
    'The credentialId has characters that base64url has not.',
    credential('credentialId').mapText((id) => `${id}+/`),
  ),
  fault(
    'credential-webauthn-id-missing',
    'CREDENTIAL-WEBAUTHN-ID-FOR-PASSKEY',
    'A passkey has no credentialId.',
    credential('credentialId').drop(),
  ),
  fault(
    'credential-webauthn-id-everywhere',
    'CREDENTIAL-WEBAUTHN-ID-ONLY-PASSKEY',
    'Credentials of every type have a credentialId.',
    shown('presentCredential', (object) => ({
      credentialId: 'bm90aGluZw',
      ...Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)),
    })),
  ),
  fault(
    'credential-nickname-object',
    'CREDENTIAL-NICKNAME',
    'The nickname of a credential is an object.',
    credential('nickname').map((value) => ({ value })),
  ),
  fault(
    'credential-created-at-missing',
    'CREDENTIAL-CREATED-AT',
    'A credential has no createdAt.',
    credential('createdAt').drop(),
  ),
  fault(
    'credential-created-at-seconds',
    'CREDENTIAL-CREATED-AT',
    'createdAt of a credential is a number of seconds.',
    credential('createdAt').mapText(seconds),
  ),
  fault(
    'credential-updated-at-missing',
    'CREDENTIAL-UPDATED-AT',
    'A credential has no updatedAt.',
    credential('updatedAt').drop(),
  ),
  fault(
    'credential-updated-at-day',
    'CREDENTIAL-UPDATED-AT',
    'updatedAt of a credential is a day.',
    credential('updatedAt').mapText(day),
  ),
  fault(
    'challenge-is-an-array',
    'CHALLENGE-OBJECT',
    'A challenge is answered as an array of one.',
    answers(isChallenge, (reply) => ({ ...reply, body: [reply.body!] })),
  ),
  fault(
    'otp-bundle-missing',
    'CHALLENGE-OTP-BUNDLE',
    'The challenge of a one-time code has no bundle.',
    field('presentOtpChallenge', 'otpEncryptionTargetBundle').drop(),
  ),
  fault(
    'otp-bundle-object',
    'CHALLENGE-OTP-BUNDLE',
    'The bundle is an object and not JSON text.',
    field('presentOtpChallenge', 'otpEncryptionTargetBundle').mapText(
      (text) => JSON.parse(text) as JsonObject,
    ),
  ),
  fault(
    'passkey-challenge-upper-case',
    'CHALLENGE-PASSKEY-CHALLENGE',
    'The challenge of a passkey is upper-case hex.',
    {
      newPasskeyChallenge: (original) => (world, row) => original(world, row).toUpperCase(),
    },
  ),
  fault(
    'passkey-challenge-base64url',
    'CHALLENGE-PASSKEY-CHALLENGE',
    'The challenge of a passkey is base64url.',
    {
      newPasskeyChallenge: (original) => (world, row) =>
        `${Buffer.from(original(world, row), 'hex').toString('base64url')}-_`,
    },
  ),
  fault(
    'passkey-challenge-without-request-id',
    'CHALLENGE-PASSKEY-REQUEST-ID',
    'The challenge of a passkey has no requestId.',
    challenge('requestId').drop(),
  ),
  fault(
    'passkey-challenge-without-end',
    'CHALLENGE-PASSKEY-EXPIRES-AT',
    'The challenge of a passkey has no expiresAt.',
    challenge('expiresAt').drop(),
  ),
  fault(
    'passkey-challenge-end-in-seconds',
    'CHALLENGE-PASSKEY-EXPIRES-AT',
    'expiresAt of a passkey challenge is a number of seconds.',
    challenge('expiresAt').mapText(seconds),
  ),
  fault(
    'passkey-challenge-ends-before-it-begins',
    'CHALLENGE-PASSKEY-EXPIRES-AT',
    'expiresAt of a passkey challenge is a day before its issue.',
    challenge('expiresAt').mapText(dayBefore),
  ),
  fault(
    'session-ends-before-it-begins',
    'SESSION-EXPIRES-AT',
    'expiresAt of a session is a day before it was to be.',
    session('expiresAt').mapText(dayBefore),
  ),
  fault(
    'request-ends-before-it-begins',
    'RETRY-EXPIRES-AT',
    'expiresAt of a 202 is a day before its issue.',
    request('expiresAt').mapText(dayBefore),
  ),
  fault(
    'otp-bundle-is-no-json',
    'CHALLENGE-OTP-BUNDLE',
    'The bundle of a challenge is base64 of what should stand there.',
    {
      presentTargetBundle: (original) => (world, challenge) =>
        Buffer.from(original(world, challenge)).toString('base64'),
    },
  ),
  fault(
    'session-is-an-array',
    'SESSION-OBJECT',
    'A session is answered as an array of one.',
    answers(isSession, (reply) => ({ ...reply, body: [reply.body!] })),
  ),
  fault(
    'session-without-end',
    'SESSION-EXPIRES-AT',
    'A session has no expiresAt.',
    session('expiresAt').drop(),
  ),
  fault(
    'session-end-in-seconds',
    'SESSION-EXPIRES-AT',
    'expiresAt of a session is a number of seconds.',
    session('expiresAt').mapText(seconds),
  ),
  fault(
    'session-id-prefix',
    'SESSION-ID',
    'The id of a session begins with AuthSession.',
    session('id').mapText((id) => `Auth${id}`),
  ),
  fault('session-id-missing', 'SESSION-ID', 'A session has no id.', session('id').drop()),
  fault(
    'session-account-bare',
    'SESSION-ACCOUNT-ID',
    'The accountId of a session is a bare uuid.',
    session('accountId').mapText((id) => id.split(':')[1]!),
  ),
  fault(
    'session-account-missing',
    'SESSION-ACCOUNT-ID',
    'A session does not name its account.',
    session('accountId').drop(),
  ),
  fault(
    'session-type-lower-case',
    'SESSION-TYPE',
    'The type of a session is written in lower case.',
    session('type').mapText((type) => type.toLowerCase()),
  ),
  fault(
    'session-nickname-object',
    'SESSION-NICKNAME',
    'The nickname of a session is an object.',
    session('nickname').map((value) => ({ value })),
  ),
  fault(
    'session-created-at-missing',
    'SESSION-CREATED-AT',
    'A session has no createdAt.',
    session('createdAt').drop(),
  ),
  fault(
    'session-updated-at-day',
    'SESSION-UPDATED-AT',
    'updatedAt of a session is a day.',
    session('updatedAt').mapText(day),
  ),
  fault(
    'sealed-key-missing',
    'SESSION-SEALED-KEY',
    'A session from a token or a passkey has no sealed key.',
    {
      presentSealedSession: (original) => async (world, minted) => {
        const { encryptedSessionSigningKey: _, ...rest } = await original(world, minted);
        return rest;
      },
    },
  ),
  fault(
    'otp-session-with-sealed-key',
    'SESSION-NO-SEALED-KEY-FOR-OTP',
    'A session from a one-time code has an encryptedSessionSigningKey.',
    {
      presentOtpSession: (original) => async (world, row) => ({
        ...(await original(world, row)),
        encryptedSessionSigningKey: 'none',
      }),
    },
  ),
  fault(
    'request-is-an-array',
    'RETRY-CHALLENGE-OBJECT',
    'The 202 is an array of one.',
    answers(isRequest, (reply) => ({ ...reply, body: [reply.body!] })),
  ),
  fault(
    'request-without-type',
    'RETRY-TYPE',
    'The 202 does not tell the type of the credential.',
    request('type').drop(),
  ),
  fault(
    'request-type-lower-case',
    'RETRY-TYPE',
    'The type in the 202 is written in lower case.',
    request('type').mapText((type) => type.toLowerCase()),
  ),
  fault(
    'request-without-payload',
    'RETRY-PAYLOAD',
    'The 202 has nothing to sign.',
    request('payloadToSign').drop(),
  ),
  fault(
    'request-payload-object',
    'RETRY-PAYLOAD',
    'payloadToSign is an object.',
    request('payloadToSign').mapText((text) => ({ text })),
  ),
  fault('request-id-bare', 'RETRY-REQUEST-ID', 'The requestId is a bare uuid.', {
    newRequestId: (original) => (world, print) => original(world, print).split(':')[1]!,
  }),
  fault(
    'request-end-in-seconds',
    'RETRY-EXPIRES-AT',
    'expiresAt of a 202 is a number of seconds.',
    request('expiresAt').mapText(seconds),
  ),
  fault('request-without-end', 'RETRY-EXPIRES-AT', 'The 202 has no expiresAt.', request('expiresAt').drop()),
];
