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
import { RACE_MILLISECONDS, type Fault, fault, objectsNever } from '../fault.ts';

/** Credentials that were revoked, by world. */
const asleep = new WeakMap<World, readonly Credential[]>();

const removed = new Table<Credential>();

/** Sessions of one-time codes whose key the service made: those of a refresh. */
const refreshed = new WeakSet<Session>();

/** Listing and revoking credentials. */
export const listingFaults = [
  fault('list-without-sms-otp', ['CREDENTIAL-LIST-COMPLETE', 'CREDENTIAL-CREATE-LISTED'], {
    listedCredentials: (original) => (world, account) =>
      original(world, account).filter(({ type }) => type !== 'SMS_OTP'),
  }),
  fault('list-shows-one-twice', 'CREDENTIAL-LIST-COMPLETE', {
    listedCredentials: (original) => (world, account) => {
      const rows = original(world, account);
      return rows.length > 1 ? [...rows, rows[0]!] : rows;
    },
  }),
  fault('list-leaks-another-account', 'CREDENTIAL-LIST-ONLY-ACCOUNT', {
    listedCredentials: (original) => (world, account) => [
      ...original(world, account),
      ...credentials
        .all(world)
        .filter(({ accountId }) => accountId !== account.id)
        .slice(-1),
    ],
  }),
  ...[10, 100].map((size): Fault =>
    fault(`list-pages-of-${size}`, 'CREDENTIAL-LIST-NOT-PAGINATED', {
      listedCredentials: (original) => (world, account) => original(world, account).slice(0, size),
    }),
  ),
  fault('list-keeps-revoked', 'CREDENTIAL-LIST-DROPS-REVOKED', {
    removeCredential: (original) => (world, credential) => {
      removed.put(world, credential.id, credential);
      original(world, credential);
    },
    listedCredentials: (original) => (world, account) => [
      ...original(world, account),
      ...removed.all(world).filter(({ accountId }) => accountId === account.id),
    ],
  }),
  fault('revocation-refused', 'CREDENTIAL-REVOKE-COMPLETES', {
    revokeCredential: () => () => {
      throw new Refusal(400, 'INVALID_INPUT', 'Credentials stay.');
    },
  }),
  fault('revocation-answers-200', 'CREDENTIAL-REVOKE-STATUS', {
    revocationReply: () => (world, credential) => ({
      status: 200,
      body: world.behaviour.presentCredential(credential),
    }),
  }),
  fault('sessions-survive-revocation', 'CREDENTIAL-REVOKE-ENDS-SESSIONS', { sessionsToEnd: () => () => [] }),
  fault('email-sessions-survive-revocation', 'CREDENTIAL-REVOKE-ENDS-SESSIONS', {
    sessionsToEnd: (original) => (world, credential) =>
      credential.type === 'EMAIL_OTP' ? [] : original(world, credential),
  }),
  fault('refreshed-session-survives-revocation', 'CREDENTIAL-REVOKE-ENDS-SESSIONS', {
    mintSealedSession: (original) => (world, credential, key) => {
      const minted = original(world, credential, key);
      if (credential.type === 'EMAIL_OTP') refreshed.add(minted.session);
      return minted;
    },
    sessionsToEnd: (original) => (world, credential) =>
      original(world, credential).filter((session) => !refreshed.has(session)),
  }),
  fault('revocation-ends-last-session-only', 'CREDENTIAL-REVOKE-ENDS-SESSIONS', {
    sessionsToEnd: (original) => (world, credential) => original(world, credential).slice(-1),
  }),
  fault('revocation-ends-all-sessions', 'CREDENTIAL-REVOKE-KEEPS-OTHERS', {
    sessionsToEnd: () => (world, credential) =>
      sessions.all(world).filter(({ accountId }) => accountId === credential.accountId),
  }),
  fault('revoked-credential-logs-in', 'CREDENTIAL-REVOKE-ENDS-LOGIN', {
    removeCredential: () => (world, credential) => {
      credentials.put(world, credential.id, { ...credential, accountId: mintId(world, 'InternalAccount') });
    },
  }),
  fault('revoked-credential-wakes-with-the-next', 'CREDENTIAL-REVOKE-ENDS-LOGIN', {
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
  }),
  fault('only-credential-revoked', 'CREDENTIAL-REVOKE-ONLY', {
    isNotOnlyCredential: objectsNever,
    isOtherCredential: (original) => (world, signers, session) =>
      credentialsOf(world, session.accountId).length === 1 || original(world, signers, session),
  }),
  fault('only-credential-answers-409', 'CREDENTIAL-REVOKE-ONLY', {
    refuseOnlyCredential: (original) => (world) => new Refusal(409, 'CONFLICT', original(world).message),
  }),
  fault('revocations-race', 'CREDENTIAL-REVOKE-RACE', {
    completeSigned: (original) => async (world, operation, proof) => {
      if (proof.request.signers.exceptCredential === undefined) return original(world, operation, proof);
      world.behaviour.requestIsUnused(proof.request);
      world.behaviour.maySign(proof.request.signers, proof.stamp.publicKey);
      operation.check?.(true);
      world.behaviour.useRequest(proof.request);
      await delay(RACE_MILLISECONDS);
      return operation.complete();
    },
  }),
  fault('revocation-by-other-credential-refused', 'CREDENTIAL-REVOKE-OTHER-CREDENTIAL', {
    isOtherCredential: () => (_world, signers) => signers.exceptCredential === undefined,
  }),
  fault('revocation-by-own-session', 'CREDENTIAL-REVOKE-OWN-SESSION', {
    isOtherCredential: () => () => true,
  }),
];
