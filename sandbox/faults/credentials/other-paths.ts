import {
  type Credential,
  credentials,
  credentialsOf,
  type Signers,
} from '../../areas/credentials/records.ts';
import { isObject, type Json, type JsonObject, printJson } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import { faultsOf, within } from '../fault.ts';

/** Wallets that were exported, by world. */
const exported = new WeakMap<World, Set<string>>();

/** Of changes of the e-mail. */
const changesEmail = new WeakSet<Signers>();

const lives = (world: World, id: string): boolean => credentials.get(world, id)?.status === 'ACTIVE';

/** Rules of credentials that are held in the usual path, and broken in another one. */
export const otherPathFaults = faultsOf([
  [
    'email-unsigned-beside-passkey',
    'RETRY-CUSTOMER-EMAIL',
    'Where the account has a passkey too, its tied e-mail is changed without a signature.',
    {
      askForSignature: (original) => (world, print, operation) =>
        print.operation === 'PATCH /customers/:customerId' &&
        operation.signers.accountIds.some((id) =>
          credentialsOf(world, id).some(({ type }) => type === 'PASSKEY'),
        )
          ? operation.complete()
          : original(world, print, operation),
    },
  ],
  [
    'adding-unsigned-once-one-was-revoked',
    'RETRY-CREDENTIAL-CREATE',
    'Where the account has lost a credential, another one is added without a signature.',
    {
      askForSignature: (original) => (world, print, operation) =>
        print.operation === 'POST /auth/credentials' &&
        credentials
          .all(world)
          .some((one) => operation.signers.accountIds.includes(one.accountId) && one.status === 'REVOKED')
          ? operation.complete()
          : original(world, print, operation),
    },
  ],
  [
    'second-export-unsigned',
    'RETRY-WALLET-EXPORT',
    'A wallet that was exported once is exported again without a signature.',
    {
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
    },
  ],
  [
    'text-message-login-never-expires',
    'RETRY-EXPIRED',
    'The signed retry of a login by text message is taken however late it comes.',
    {
      requestEndsAt: (original) => (world, request) =>
        request.type === 'SMS_OTP' && request.signers.key !== undefined
          ? Number.MAX_SAFE_INTEGER
          : original(world, request),
      // A code that has ended would be what refuses it.
      challengeEndsAt: (original) => (world, challenge) =>
        'answeredAt' in challenge && challenge.answeredAt !== undefined
          ? Number.MAX_SAFE_INTEGER
          : original(world, challenge),
    },
  ],
  [
    'nested-fields-not-compared',
    'RETRY-SAME-BODY',
    'Of the body of a retry only the fields at its top are compared.',
    { sameBody: () => (_world, request, retried) => top(request.print.body) === top(retried.body) },
  ],
  [
    'first-call-of-revocation-ends-sessions',
    'RETRY-FIRST-CALL-CHANGES-NOTHING',
    'The first call of a revocation ends the sessions of the credential.',
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
    ['CREDENTIAL-REVOKE-KEEPS-OTHERS', 'SESSION-REVOKE-KEEPS-OTHERS'],
  ],
  [
    'sessions-of-a-revoked-credential-change-the-email',
    'CREDENTIAL-REVOKE-ENDS-SESSIONS',
    'The sessions of a revoked credential still sign a change of the e-mail.',
    {
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
    },
  ],
  [
    'passkey-pending-twice',
    'CREDENTIAL-PASSKEY-DUPLICATE',
    'Two registrations of one passkey that are both begun are both completed.',
    {
      completeSigned: (original) => (world, operation, proof) => {
        const skips =
          proof.request.print.operation === 'POST /auth/credentials' && operation.type === 'PASSKEY';
        return original(world, skips ? { ...operation, check: () => {} } : operation, proof);
      },
    },
  ],
  [
    'renamed-passkey-is-no-duplicate',
    'CREDENTIAL-PASSKEY-DUPLICATE',
    'A passkey is registered a second time on the account if it gets another nickname.',
    {
      isNewPasskey: (original) => (world, account, kind) =>
        credentialsOf(world, account.id).every(({ nickname }) => nickname !== kind.nickname)
          ? undefined
          : original(world, account, kind),
    },
  ],
  [
    'wallet-request-serves-other-account',
    'RETRY-BOUND-TO-ACCOUNT',
    'A requestId for the privacy of one wallet changes that of another.',
    {
      sameTarget: (original) => (world, request, retried) =>
        retried.operation === 'PATCH /internal-accounts/:accountId' || original(world, request, retried),
    },
  ],
  [
    'passkey-session-revocation-without-effect',
    'STAMP-REVOKED-SESSION',
    'A session that a passkey minted goes on signing when it is revoked.',
    {
      endSession: (original) => (world, session) => {
        if (session.type !== 'PASSKEY') original(world, session);
      },
    },
  ],
]);

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
