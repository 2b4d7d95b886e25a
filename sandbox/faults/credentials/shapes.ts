import type { JsonObject } from '../../server/json.ts';
import { answers, fault, field, inAList, isId, refused, shown } from '../fault.ts';
import { shownWrongly, inText } from '../shown-wrongly.ts';

const credential = (name: string) => field('presentCredential', name);

export const seconds = (text: string): number => Math.floor(Date.parse(text) / 1000);

export const day = (text: string): string => text.slice(0, 10);

export const isSession = (body: JsonObject): boolean =>
  isId('Session', body['id']) || typeof body['encryptedSessionSigningKey'] === 'string';

export const isChallenge = (body: JsonObject): boolean =>
  'otpEncryptionTargetBundle' in body || 'challenge' in body;

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
  fault(
    'credential-created-answers-200',
    'CREDENTIAL-CREATE-STATUS',
    answers(
      (body, { status }) => status === 201 && isId('AuthMethod', body['id']),
      (reply) => ({ ...reply, status: 200 }),
    ),
  ),
  fault(
    'credential-list-answers-206',
    'CREDENTIAL-LIST-STATUS',
    answers(
      ({ data }) => Array.isArray(data) && isId('AuthMethod', (data[0] as JsonObject | undefined)?.['id']),
      (reply) => ({ ...reply, status: 206 }),
    ),
  ),
  fault('credential-list-refused', 'CREDENTIAL-LIST-STATUS', {
    listedCredentials: () => () => refused('Credentials are not listed.'),
  }),
  fault(
    'challenge-answers-201',
    'CHALLENGE-STATUS',
    answers(isChallenge, (reply) => ({ ...reply, status: 201 })),
  ),
  fault(
    'verify-answers-201',
    'VERIFY-STATUS',
    answers(isSession, (reply) => ({ ...reply, status: 201 })),
  ),
  fault(
    'credential-is-an-array',
    'CREDENTIAL-OBJECT',
    answers((body) => isId('AuthMethod', body['id']) && !isChallenge(body), inAList),
  ),
  fault('credential-list-of-ids', 'CREDENTIAL-OBJECT', {
    presentCredentialList: (original) => (world, items) =>
      original(
        world,
        items.map((item) => (item as JsonObject)['id']!),
      ),
  }),
  fault('credential-list-is-an-array', 'CREDENTIAL-LIST-DATA', {
    presentCredentialList: () => (_world, items) => items,
  }),
  fault('credential-list-under-another-name', 'CREDENTIAL-LIST-DATA', {
    presentCredentialList: () => (_world, items) => ({ items }),
  }),
  fault(
    'credential-webauthn-id-missing',
    'CREDENTIAL-WEBAUTHN-ID-FOR-PASSKEY',
    credential('credentialId').drop(),
  ),
  fault(
    'credential-webauthn-id-everywhere',
    'CREDENTIAL-WEBAUTHN-ID-ONLY-PASSKEY',
    shown('presentCredential', (object) => ({
      credentialId: 'bm90aGluZw',
      ...Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)),
    })),
  ),
];
