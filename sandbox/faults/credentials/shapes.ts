import { sessions } from '../../areas/credentials/records.ts';
import type { JsonObject } from '../../server/json.ts';
import { refuse } from '../../server/refusal.ts';
import { giving, answeringWith } from '../../areas/replacements.ts';
import { answers, bare, breaking, fault, field, inAList, isId, refused, shown } from '../fault.ts';
import { shownWrongly, inText } from '../shown-wrongly.ts';

const credential = (name: string) => field('presentCredential', name);

const LIST = 'GET /auth/credentials';
const VERIFY = 'POST /auth/credentials/:credentialId/verify';

const isSession = (body: JsonObject): boolean =>
  isId('Session', body['id']) || typeof body['encryptedSessionSigningKey'] === 'string';

const isChallenge = (body: JsonObject): boolean => 'otpEncryptionTargetBundle' in body || 'challenge' in body;

const isRequest = (body: JsonObject): boolean => typeof body['payloadToSign'] === 'string';

/** The uuid of no record. */
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** Fields and statuses of answers. */
export const shapeFaults = [
  ...shownWrongly('presentCredential', 'credential', {
    id: ['CREDENTIAL-ID', ['prefix', inText((id) => id.replace('AuthMethod', 'Credential'))], 'missing'],
    accountId: ['CREDENTIAL-ACCOUNT-ID', 'missing', 'bare-uuid'],
    type: ['CREDENTIAL-TYPE', 'in-small-letters'],
    credentialId: ['CREDENTIAL-WEBAUTHN-ID', ['webauthn-id-base64', inText((id) => `${id}+/`)]],
    nickname: ['CREDENTIAL-NICKNAME', ['object', (value) => ({ value })]],
    createdAt: ['CREDENTIAL-CREATED-AT', 'missing', 'in-seconds'],
    updatedAt: ['CREDENTIAL-UPDATED-AT', 'missing', 'without-time'],
  }),
  fault('credential-created-answers-200', 'CREDENTIAL-CREATE-STATUS', {
    ...answers(
      (body, { status }) => status === 201 && isId('AuthMethod', body['id']),
      (reply) => ({ ...reply, status: 200 }),
    ),
  }),
  ...breaking('CREDENTIAL-LIST-STATUS', {
    'credential-list-answers-206': answers(
      ({ data }) => Array.isArray(data) && isId('AuthMethod', (data[0] as JsonObject | undefined)?.['id']),
      (reply) => ({ ...reply, status: 206 }),
    ),
    'empty-credential-list-answers-404': {
      listedCredentials: giving((listed, world, { id }) =>
        listed.length === 0 ? refuse(world.behaviour.refuseNotFound('InternalAccount', id)) : listed,
      ),
    },
    'credential-list-refused': { listedCredentials: () => () => refused('Credentials are not listed.') },
  }),
  fault('revocation-announces-a-body', 'CREDENTIAL-REVOKE-NO-BODY', {
    handleCall: (original) => async (world, call, route) => {
      const reply = await original(world, call, route);
      const isRevocation = reply.status === 204 && route.path === '/auth/credentials/:credentialId';
      return isRevocation ? { ...reply, headers: { ...reply.headers, 'content-length': '2' } } : reply;
    },
  }),
  fault('challenge-answers-201', 'CHALLENGE-STATUS', {
    ...answers(isChallenge, (reply) => ({ ...reply, status: 201 })),
  }),
  fault('verify-answers-201', 'VERIFY-STATUS', {
    ...answers(isSession, (reply) => ({ ...reply, status: 201 })),
  }),
  // A refresh answers as a creation does.
  fault('refreshed-session-shown-as-expired', 'SESSION-EXPIRES-AT', {
    ...answers(
      (body, { status }) => status === 201 && isSession(body),
      (reply) => ({
        ...reply,
        body: { ...(reply.body as JsonObject), expiresAt: new Date(Date.now() - 7_200_000).toISOString() },
      }),
    ),
  }),
  fault('sessions-of-a-credential-show-one-end', 'SESSION-EXPIRES-AT', {
    presentSession: (original) => (world, session) => {
      const first = sessions.all(world).find(({ credentialId }) => credentialId === session.credentialId);
      return original(world, { ...session, expiresAt: first!.expiresAt });
    },
  }),
  fault('credential-is-an-array', 'CREDENTIAL-OBJECT', {
    ...answers((body) => isId('AuthMethod', body['id']) && !isChallenge(body), inAList),
  }),
  fault('credential-list-of-ids', 'CREDENTIAL-OBJECT', {
    ...answeringWith(LIST, ({ data }) => ({ data: (data as JsonObject[]).map(({ id }) => id!) })),
  }),
  fault('sms-otp-listed-as-email-otp', 'CREDENTIAL-LIST-COMPLETE', {
    ...answeringWith(LIST, ({ data }) => ({
      data: (data as JsonObject[]).map((one) =>
        one['type'] === 'SMS_OTP' ? { ...one, type: 'EMAIL_OTP' } : one,
      ),
    })),
  }),
  ...breaking('CREDENTIAL-LIST-DATA', {
    'credential-list-is-an-array': answeringWith(LIST, ({ data }) => data!),
    'credential-list-under-another-name': answeringWith(LIST, ({ data }) => ({ items: data })),
  }),
  fault('credential-webauthn-id-missing', 'CREDENTIAL-WEBAUTHN-ID-FOR-PASSKEY', {
    ...credential('credentialId').drop(),
  }),
  fault('credential-webauthn-id-everywhere', 'CREDENTIAL-WEBAUTHN-ID-ONLY-PASSKEY', {
    ...shown('presentCredential', (object) => ({
      credentialId: 'bm90aGluZw',
      ...Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)),
    })),
  }),

  // Shapes of challenges, sessions and requests to sign.
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
    newPasskeyChallenge: giving((usual) => `${Buffer.from(usual, 'hex').toString('base64url')}-_`),
  }),
  fault('otp-bundle-is-no-json', 'CHALLENGE-OTP-BUNDLE', {
    presentTargetBundle: giving((usual) => Buffer.from(usual).toString('base64')),
  }),
  fault('session-is-an-array', 'SESSION-OBJECT', answers(isSession, inAList)),
  fault('sealed-key-missing', 'SESSION-SEALED-KEY', {
    ...answeringWith(VERIFY, ({ encryptedSessionSigningKey: _, ...rest }) => rest),
  }),
  fault('otp-session-with-sealed-key', 'SESSION-NO-SEALED-KEY-FOR-OTP', {
    ...answeringWith(VERIFY, (body) => ({ encryptedSessionSigningKey: 'none', ...body })),
  }),
  fault('request-is-an-array', 'RETRY-CHALLENGE-OBJECT', answers(isRequest, inAList)),
  ...breaking('RETRY-REQUEST-ID', {
    'request-id-bare': { newRequestId: giving(bare) },
    'request-id-of-revocations-bare': {
      newRequestId: giving((id, _world, { operation }) => (operation.startsWith('DELETE ') ? bare(id) : id)),
    },
  }),
];
