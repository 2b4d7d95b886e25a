import { setTimeout as delay } from 'node:timers/promises';
import {
  type Credential,
  credentials,
  credentialsOf,
  type Session,
  sessions,
} from '../../areas/credentials/records.ts';
import { Refusal } from '../../server/refusal.ts';
import { Table } from '../../world/table.ts';
import { mintId, type World } from '../../world/world.ts';
import { RACE_MILLISECONDS, type Row, faultsOf, objectsNever } from '../fault.ts';

/** Credentials that were revoked, by world. */
const asleep = new WeakMap<World, readonly Credential[]>();

const removed = new Table<Credential>();

/** Sessions of one-time codes whose key the service made: those of a refresh. */
const refreshed = new WeakSet<Session>();

/** Listing and revoking credentials. */
export const listingFaults = faultsOf([
  [
    'list-without-sms-otp',
    'CREDENTIAL-LIST-COMPLETE',
    'The list leaves out credentials of type SMS_OTP.',
    {
      listedCredentials: (original) => (world, account) =>
        original(world, account).filter(({ type }) => type !== 'SMS_OTP'),
    },
    ['CREDENTIAL-CREATE-LISTED'],
  ],
  [
    'list-shows-one-twice',
    'CREDENTIAL-LIST-COMPLETE',
    'The list shows the first of several credentials twice.',
    {
      listedCredentials: (original) => (world, account) => {
        const rows = original(world, account);
        return rows.length > 1 ? [...rows, rows[0]!] : rows;
      },
    },
  ],
  [
    'list-leaks-another-account',
    'CREDENTIAL-LIST-ONLY-ACCOUNT',
    'The list holds a credential of another account.',
    {
      listedCredentials: (original) => (world, account) => [
        ...original(world, account),
        ...credentials
          .all(world)
          .filter(({ accountId }) => accountId !== account.id)
          .slice(-1),
      ],
    },
  ],
  ...[10, 100].map((size): Row => [
    `list-pages-of-${size}`,
    'CREDENTIAL-LIST-NOT-PAGINATED',
    `The list ends after ${size} credentials.`,
    {
      listedCredentials: (original) => (world, account) => original(world, account).slice(0, size),
    },
  ]),
  [
    'list-keeps-revoked',
    'CREDENTIAL-LIST-DROPS-REVOKED',
    'A revoked credential stays in the list.',
    {
      removeCredential: (original) => (world, credential) => {
        removed.put(world, credential.id, credential);
        original(world, credential);
      },
      listedCredentials: (original) => (world, account) => [
        ...original(world, account),
        ...removed.all(world).filter(({ accountId }) => accountId === account.id),
      ],
    },
  ],
  [
    'revocation-refused',
    'CREDENTIAL-REVOKE-COMPLETES',
    'The signed retry of a revocation is refused.',
    {
      revokeCredential: () => () => {
        throw new Refusal(400, 'INVALID_INPUT', 'Credentials stay.');
      },
    },
  ],
  [
    'revocation-answers-200',
    'CREDENTIAL-REVOKE-STATUS',
    'A revocation answers 200 and the credential.',
    {
      revocationReply: () => (world, credential) => ({
        status: 200,
        body: world.behaviour.presentCredential(credential),
      }),
    },
  ],
  [
    'sessions-survive-revocation',
    'CREDENTIAL-REVOKE-ENDS-SESSIONS',
    'The sessions of a revoked credential go on signing.',
    {
      sessionsToEnd: () => () => [],
    },
  ],
  [
    'email-sessions-survive-revocation',
    'CREDENTIAL-REVOKE-ENDS-SESSIONS',
    'The sessions of a revoked EMAIL_OTP credential go on signing.',
    {
      sessionsToEnd: (original) => (world, credential) =>
        credential.type === 'EMAIL_OTP' ? [] : original(world, credential),
    },
  ],
  [
    'refreshed-session-survives-revocation',
    'CREDENTIAL-REVOKE-ENDS-SESSIONS',
    'A session that was refreshed goes on signing when its credential is revoked.',
    {
      mintSealedSession: (original) => (world, credential, key) => {
        const minted = original(world, credential, key);
        if (credential.type === 'EMAIL_OTP') refreshed.add(minted.session);
        return minted;
      },
      sessionsToEnd: (original) => (world, credential) =>
        original(world, credential).filter((session) => !refreshed.has(session)),
    },
  ],
  [
    'revocation-ends-last-session-only',
    'CREDENTIAL-REVOKE-ENDS-SESSIONS',
    'Of the sessions of a revoked credential only the newest ends.',
    {
      sessionsToEnd: (original) => (world, credential) => original(world, credential).slice(-1),
    },
  ],
  [
    'revocation-ends-all-sessions',
    'CREDENTIAL-REVOKE-KEEPS-OTHERS',
    'A revocation ends every session of the account.',
    {
      sessionsToEnd: () => (world, credential) =>
        sessions.all(world).filter(({ accountId }) => accountId === credential.accountId),
    },
  ],
  [
    'revoked-credential-logs-in',
    'CREDENTIAL-REVOKE-ENDS-LOGIN',
    'A revoked credential is out of the list and can still be challenged and verified.',
    {
      removeCredential: () => (world, credential) => {
        credentials.put(world, credential.id, { ...credential, accountId: mintId(world, 'InternalAccount') });
      },
    },
  ],
  [
    'revoked-credential-wakes-with-the-next',
    'CREDENTIAL-REVOKE-ENDS-LOGIN',
    'A revoked credential can be verified again once another one is registered.',
    {
      removeCredential: (original) => (world, credential) => {
        asleep.set(world, [...(asleep.get(world) ?? []), { ...credential }]);
        original(world, credential);
      },
      registerCredential: (original) => (world, account, kind) => {
        for (const credential of asleep.get(world) ?? [])
          if (credential.accountId === account.id)
            // Out of the list, as it belongs to no account that anybody asks for.
            credentials.put(world, credential.id, {
              ...credential,
              accountId: mintId(world, 'InternalAccount'),
            });
        return original(world, account, kind);
      },
    },
  ],
  [
    'only-credential-revoked',
    'CREDENTIAL-REVOKE-ONLY',
    'The only credential of an account can be revoked, by a session of its own.',
    {
      isNotOnlyCredential: objectsNever,
      isOtherCredential: (original) => (world, signers, session) =>
        credentialsOf(world, session.accountId).length === 1 || original(world, signers, session),
    },
  ],
  [
    'only-credential-answers-409',
    'CREDENTIAL-REVOKE-ONLY',
    'Revoking the only credential answers 409.',
    {
      refuseOnlyCredential: (original) => (world) => new Refusal(409, 'CONFLICT', original(world).message),
    },
  ],
  [
    'revocations-race',
    'CREDENTIAL-REVOKE-RACE',
    'Two revocations at once do not see each other, and leave an account without credentials.',
    {
      completeSigned: (original) => async (world, operation, proof) => {
        if (proof.request.signers.exceptCredential === undefined) return original(world, operation, proof);
        world.behaviour.requestIsUnused(proof.request);
        world.behaviour.maySign(proof.request.signers, proof.stamp.publicKey);
        operation.check?.(true);
        world.behaviour.useRequest(proof.request);
        await delay(RACE_MILLISECONDS);
        return operation.complete();
      },
    },
  ],
  [
    'revocation-by-other-credential-refused',
    'CREDENTIAL-REVOKE-OTHER-CREDENTIAL',
    'A session of a different credential may not sign a revocation.',
    {
      isOtherCredential: () => (_world, signers) => signers.exceptCredential === undefined,
    },
  ],
  [
    'revocation-by-own-session',
    'CREDENTIAL-REVOKE-OWN-SESSION',
    'A credential can be revoked by a session of its own.',
    {
      isOtherCredential: () => () => true,
    },
  ],
]);
