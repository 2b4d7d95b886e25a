import type { JsonObject } from '../../server/json.ts';
import { answers, faultsOf, field, inAList, isId, refused, shown } from '../fault.ts';
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
  ...faultsOf([
    [
      'credential-created-answers-200',
      'CREDENTIAL-CREATE-STATUS',
      'A registration answers 200.',
      answers(
        (body, { status }) => status === 201 && isId('AuthMethod', body['id']),
        (reply) => ({ ...reply, status: 200 }),
      ),
    ],
    [
      'credential-list-answers-206',
      'CREDENTIAL-LIST-STATUS',
      'The list of credentials answers 206.',
      answers(
        ({ data }) => Array.isArray(data) && isId('AuthMethod', (data[0] as JsonObject | undefined)?.['id']),
        (reply) => ({ ...reply, status: 206 }),
      ),
    ],
    [
      'credential-list-refused',
      'CREDENTIAL-LIST-STATUS',
      'The credentials of an account are never listed.',
      { listedCredentials: () => () => refused('Credentials are not listed.') },
    ],
    [
      'challenge-answers-201',
      'CHALLENGE-STATUS',
      'A challenge answers 201.',
      answers(isChallenge, (reply) => ({ ...reply, status: 201 })),
    ],
    [
      'verify-answers-201',
      'VERIFY-STATUS',
      'A login answers 201.',
      answers(isSession, (reply) => ({ ...reply, status: 201 })),
    ],
    [
      'credential-is-an-array',
      'CREDENTIAL-OBJECT',
      'A registered credential is answered as an array of one.',
      answers((body) => isId('AuthMethod', body['id']) && !isChallenge(body), inAList),
    ],
    [
      'credential-list-of-ids',
      'CREDENTIAL-OBJECT',
      'The list of credentials holds their ids alone.',
      {
        presentCredentialList: (original) => (world, items) =>
          original(
            world,
            items.map((item) => (item as JsonObject)['id']!),
          ),
      },
    ],
    [
      'credential-list-is-an-array',
      'CREDENTIAL-LIST-DATA',
      'The list of credentials is a bare array.',
      {
        presentCredentialList: () => (_world, items) => items,
      },
    ],
    [
      'credential-list-under-another-name',
      'CREDENTIAL-LIST-DATA',
      'The list of credentials stands under `items`.',
      {
        presentCredentialList: () => (_world, items) => ({ items }),
      },
    ],
    [
      'credential-webauthn-id-missing',
      'CREDENTIAL-WEBAUTHN-ID-FOR-PASSKEY',
      'A passkey has no credentialId.',
      credential('credentialId').drop(),
    ],
    [
      'credential-webauthn-id-everywhere',
      'CREDENTIAL-WEBAUTHN-ID-ONLY-PASSKEY',
      'Credentials of every type have a credentialId.',
      shown('presentCredential', (object) => ({
        credentialId: 'bm90aGluZw',
        ...Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)),
      })),
    ],
  ]),
];
