import {
  type Credential,
  credentials,
  credentialsOf,
  type Signers,
} from '../../areas/credentials/records.ts';
import { isObject, type Json, type JsonObject, printJson } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import { fault, within } from '../fault.ts';

/** Wallets that were exported, by world. */
const exported = new WeakMap<World, Set<string>>();

/** Of changes of the e-mail. */
const changesEmail = new WeakSet<Signers>();

const lives = (world: World, id: string): boolean => credentials.get(world, id)?.status === 'ACTIVE';

/** Rules of credentials that are held in the usual path, and broken in another one. */
export const otherPathFaults = [
  fault('email-unsigned-beside-passkey', 'RETRY-CUSTOMER-EMAIL', {
    askForSignature: (original) => (world, print, operation) =>
      print.operation === 'PATCH /customers/:customerId' &&
      operation.signers.accountIds.some((id) =>
        credentialsOf(world, id).some(({ type }) => type === 'PASSKEY'),
      )
        ? operation.complete()
        : original(world, print, operation),
  }),
  fault('adding-unsigned-once-one-was-revoked', 'RETRY-CREDENTIAL-CREATE', {
    askForSignature: (original) => (world, print, operation) =>
      print.operation === 'POST /auth/credentials' &&
      credentials
        .all(world)
        .some((one) => operation.signers.accountIds.includes(one.accountId) && one.status === 'REVOKED')
        ? operation.complete()
        : original(world, print, operation),
  }),
  fault('second-export-unsigned', 'RETRY-WALLET-EXPORT', {
    completeSigned: (original) => (world, operation, proof) => {
      const { operation: name, target } = proof.request.print;
      if (name.endsWith('/export'))
        exported.set(world, (exported.get(world) ?? new Set<string>()).add(target));
      return original(world, operation, proof);
    },
    askForSignature: (original) => (world, print, operation) =>
      print.operation.endsWith('/export') && exported.get(world)?.has(print.target)
        ? operation.complete()
        : original(world, print, operation),
  }),
  fault('text-message-login-never-expires', 'RETRY-EXPIRED', {
    requestEndsAt: (original) => (world, request) =>
      request.type === 'SMS_OTP' && request.signers.key !== undefined
        ? Number.MAX_SAFE_INTEGER
        : original(world, request),
    // A code that has ended would be what refuses it.
    challengeEndsAt: (original) => (world, challenge) =>
      'answeredAt' in challenge && challenge.answeredAt !== undefined
        ? Number.MAX_SAFE_INTEGER
        : original(world, challenge),
  }),
  fault('nested-fields-not-compared', 'RETRY-SAME-BODY', {
    sameBody: () => (_world, request, retried) => top(request.print.body) === top(retried.body),
  }),
  fault(
    'first-call-of-revocation-ends-sessions',
    ['RETRY-FIRST-CALL-CHANGES-NOTHING', 'CREDENTIAL-REVOKE-KEEPS-OTHERS', 'SESSION-REVOKE-KEEPS-OTHERS'],
    {
      askForSignature: (original) => async (world, print, operation) => {
        const reply = await original(world, print, operation);
        const credential = credentialMeant(world, operation.signers.exceptCredential);
        if (credential)
          for (const session of world.behaviour.sessionsToEnd(credential))
            world.behaviour.revokeSession(session);
        return reply;
      },
    },
  ),
  fault('sessions-of-a-revoked-credential-change-the-email', 'CREDENTIAL-REVOKE-ENDS-SESSIONS', {
    ...within(
      'maySign',
      {
        sessionIsRevoked: (original) => (world, session) =>
          lives(world, session.credentialId) && original(world, session),
      },
      (signers: Signers) => changesEmail.has(signers),
    ),
    askForSignature: (original) => (world, print, operation) => {
      if (print.operation === 'PATCH /customers/:customerId') changesEmail.add(operation.signers);
      return original(world, print, operation);
    },
  }),
  fault('passkey-pending-twice', 'CREDENTIAL-PASSKEY-DUPLICATE', {
    completeSigned: (original) => (world, operation, proof) => {
      const skips =
        proof.request.print.operation === 'POST /auth/credentials' && operation.type === 'PASSKEY';
      return original(world, skips ? { ...operation, check: () => {} } : operation, proof);
    },
  }),
  fault('renamed-passkey-is-no-duplicate', 'CREDENTIAL-PASSKEY-DUPLICATE', {
    isNewPasskey: (original) => (world, account, kind) =>
      credentialsOf(world, account.id).every(({ nickname }) => nickname !== kind.nickname)
        ? undefined
        : original(world, account, kind),
  }),
  fault('wallet-request-serves-other-account', 'RETRY-BOUND-TO-ACCOUNT', {
    sameTarget: (original) => (world, request, retried) =>
      retried.operation === 'PATCH /internal-accounts/:accountId' || original(world, request, retried),
  }),
  fault('passkey-session-revocation-without-effect', 'STAMP-REVOKED-SESSION', {
    endSession: (original) => (world, session) => {
      if (session.type !== 'PASSKEY') original(world, session);
    },
  }),
];

function credentialMeant(world: World, id: string | undefined): Credential | undefined {
  return id === undefined ? undefined : credentials.get(world, id);
}

/** A body without what is nested in it. */
function top(body: string): string {
  if (body === '') return body;
  const parsed = JSON.parse(body) as JsonObject;
  const flat = Object.entries(parsed).map(([key, value]): [string, Json | undefined] => [
    key,
    isObject(value) ? null : value,
  ]);
  return printJson(Object.fromEntries(flat));
}
