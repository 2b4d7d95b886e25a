import { internalAccounts } from '../../areas/accounts/records.ts';
import type { Replacements } from '../../areas/behaviour.ts';
import {
  type Credential,
  sessions,
  credentials,
  credentialsOf,
  type Session,
  type Signers,
} from '../../areas/credentials/records.ts';
import { newPrivateKey, pointOf } from '../../crypto/keys.ts';
import { isObject, type Json, type JsonObject, printJson } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import { asking, giving, where, no, nothing } from '../../areas/replacements.ts';
import { breaking, type Fault, fault, refused, within } from '../fault.ts';

const hadSession = (world: World, credential: Credential): boolean =>
  sessions
    .all(world)
    .some((session) => session.credentialId === credential.id && session.status === 'EXPIRED');

const oneLoginOf = (name: string, breaks: string, type: 'OAUTH' | 'PASSKEY'): Fault =>
  fault(name, breaks, {
    mintSealedSession: (original) => (world, credential, key) => {
      if (credential.type === type && hadSession(world, credential)) refused('Register again.');
      return original(world, credential, key);
    },
  });

/** A session is minted for a key of the service's own where the client has sent none that fits. */
export const keyMadeWhereNoneFits: Replacements = {
  mintSealedSession: (original) => (world, credential, key) =>
    original(world, credential, pointOf(key) ? key : newPrivateKey().point.toString('hex')),
};

/** Wallets that were exported, by world. */
const exported = new WeakMap<World, Set<string>>();

/** Who has to sign, by operation. */
const operationsOf = new WeakMap<Signers, string>();

const notingOperations: Replacements = {
  askForSignature: asking((print, operation) => {
    operationsOf.set(operation.signers, print.operation);
    return [print, operation];
  }),
};

const signsFor =
  (operation: string) =>
  (signers: Signers): boolean =>
    operationsOf.get(signers) === operation;

const isForPayment = signsFor('POST /quotes/:quoteId/execute');

/** Sessions that a refresh has minted. */
const refreshed = new WeakSet<Session>();

/** A fault of those alone. */
const ofRefreshed = (name: string, breaks: string, replacements: Replacements): Fault =>
  fault(`refreshed-session-${name}`, breaks, {
    afterRefresh: (original) => (world, session) => {
      const minted = sessions.in(world, session.accountId).at(-1);
      if (minted) refreshed.add(minted);
      original(world, session);
    },
    ...replacements,
  });

const isRefreshed = (session: Session): boolean => refreshed.has(session);

const lives = (world: World, id: string): boolean => credentials.get(world, id)?.status === 'ACTIVE';

/** Sessions, wallets and the customer's e-mail. */
export const sessionFaults = [
  ...breaking('WALLET-PAYMENT-NEEDS-SESSION', {
    'agent-spends-from-wallet': { agentMaySpendFrom: nothing },
    'agent-executes-wallet-quote': within('executeAsAgent', { agentMaySpendFrom: nothing }),
    'wallet-quote-unsigned': { paymentNeedsSession: no },
    'wallet-payment-signed-by-any-account': {
      sessionBelongs: (original) => (world, session, signers) =>
        isForPayment(signers) || original(world, session, signers),
      ...notingOperations,
    },
    'wallet-payment-signed-by-any-key': {
      maySign: where(isForPayment, undefined),
      ...notingOperations,
    },
    'stamp-of-a-wallet-payment-unread': {
      judgeStamp: where(({ signers }) => isForPayment(signers), undefined),
      ...notingOperations,
    },
  }),
  fault('oauth-session-revoked-unsigned', 'RETRY-SESSION-REVOKE', {
    askForSignature: (original) => (world, print, operation) =>
      operation.type === 'OAUTH' && print.operation === 'DELETE /auth/sessions/:sessionId'
        ? operation.complete()
        : original(world, print, operation),
  }),
  fault('email-unsigned-beside-other-fields', 'RETRY-CUSTOMER-EMAIL', {
    askForSignature: (original) => (world, print, operation) =>
      print.operation === 'PATCH /customers/:customerId' && print.body.includes('"fullName"')
        ? operation.complete()
        : original(world, print, operation),
  }),
  fault('otp-logs-in-once', 'SESSION-REAUTHENTICATE-OTP', {
    openChallenges: (original) => (world, credential) =>
      hadSession(world, credential) ? [] : original(world, credential),
  }),
  fault('sms-otp-logs-in-once', 'SESSION-REAUTHENTICATE-OTP', {
    openChallenges: (original) => (world, credential) =>
      credential.type === 'SMS_OTP' && hadSession(world, credential) ? [] : original(world, credential),
  }),
  oneLoginOf('oauth-logs-in-once', 'SESSION-REAUTHENTICATE-OAUTH', 'OAUTH'),
  oneLoginOf('passkey-logs-in-once', 'SESSION-REAUTHENTICATE-PASSKEY', 'PASSKEY'),
  ...breaking('SESSION-REFRESH-COMPLETES', {
    'refresh-refused': { mayRefresh: () => () => refused('Sessions are not refreshed.') },
    'refreshed-session-dead': {
      afterRefresh: () => (world, session) => {
        for (const other of sessions.all(world)) {
          if (other.accountId === session.accountId && other.createdAt >= session.createdAt)
            world.behaviour.revokeSession(other);
        }
      },
    },
  }),
  ofRefreshed('revokes-its-credential', 'CREDENTIAL-REVOKE-OWN-SESSION', {
    isOtherCredential: where((_signers, session) => isRefreshed(session), true),
  }),
  ofRefreshed('survives-revocation', 'CREDENTIAL-REVOKE-ENDS-SESSIONS', {
    sessionsToEnd: giving((usual) => usual.filter((session) => !isRefreshed(session))),
  }),
  ofRefreshed('is-never-ended', 'STAMP-REVOKED-SESSION', { endSession: where(isRefreshed, undefined) }),
  ofRefreshed('signs-for-ever', 'STAMP-EXPIRED-SESSION', { sessionEndsAt: where(isRefreshed, Infinity) }),
  fault('session-revocation-refused', 'SESSION-REVOKE-COMPLETES', {
    endSession: () => () => {
      refused('Sessions stay.');
    },
  }),
  fault('session-revocation-ends-all', 'SESSION-REVOKE-KEEPS-OTHERS', {
    endSession: () => (world, session) => {
      for (const other of sessions.all(world))
        if (other.accountId === session.accountId) world.behaviour.revokeSession(other);
    },
  }),
  fault('receiving-needs-session', 'WALLET-RECEIVE-WITHOUT-SESSION', {
    readBody: (original) => (world, call, route) => {
      const account = internalAccounts.get(world, call.params['accountId'] ?? '');
      if (route.path.endsWith('/fund') && account?.type === 'EMBEDDED_WALLET')
        throw world.behaviour.refuseMissingSignature();
      return original(world, call, route);
    },
  }),
  fault('funds-never-arrive-on-wallets', 'WALLET-RECEIVE-WITHOUT-SESSION', {
    fundAccount: where((account) => account.type === 'EMBEDDED_WALLET', undefined),
  }),
  fault('export-refused', 'WALLET-EXPORT-COMPLETES', {
    exportWallet: () => async () => {
      refused('Wallets are not exported.');
    },
  }),
  fault('privacy-refused', 'WALLET-PRIVACY-COMPLETES', {
    setPrivacy: () => () => {
      refused('The privacy stays.');
    },
  }),
  fault('privacy-not-changed', 'WALLET-PRIVACY-COMPLETES', { setPrivacy: nothing }),
  fault('email-not-changed', 'CUSTOMER-EMAIL-COMPLETES', {
    updateCustomer: (original) => (world, customer, change) => {
      const { email: _, ...rest } = change;
      const isTied = world.behaviour.tiedCredentials(customer).length > 0;
      original(world, customer, isTied ? rest : change);
    },
  }),
  fault('untied-email-signed', 'CUSTOMER-EMAIL-UNTIED', {
    emailNeedsSignature: () => (_world, customer, email) =>
      email !== undefined && email !== customer.data['email'],
  }),
  fault('email-signed-whatever-credential-is-left', 'CUSTOMER-EMAIL-UNTIED', {
    emailNeedsSignature: (original) => (world, customer, email) =>
      original(world, customer, email) ||
      (email !== undefined &&
        internalAccounts
          .all(world)
          .some(({ id, customerId }) => customerId === customer.id && credentialsOf(world, id).length > 0)),
  }),

  // Rules of credentials that are held in the usual path, and broken in another one.
  fault('email-unsigned-beside-passkey', 'RETRY-CUSTOMER-EMAIL', {
    askForSignature: (original) => (world, print, operation) =>
      print.operation === 'PATCH /customers/:customerId' &&
      operation.signers.accountIds.some((id) =>
        credentialsOf(world, id).some(({ type }) => type === 'PASSKEY'),
      )
        ? operation.complete()
        : original(world, print, operation),
  }),
  fault('adding-unsigned-once-one-was-revoked', ['RETRY-CREDENTIAL-CREATE', 'RETRY-REQUEST-ID-SINGLE-USE'], {
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
    requestEndsAt: where(
      (request) => request.type === 'SMS_OTP' && request.signers.key !== undefined,
      Number.MAX_SAFE_INTEGER,
    ),
    // A code that has ended would be what refuses it.
    challengeEndsAt: where(
      (challenge) => 'answeredAt' in challenge && challenge.answeredAt !== undefined,
      Number.MAX_SAFE_INTEGER,
    ),
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
      signsFor('PATCH /customers/:customerId'),
    ),
    ...notingOperations,
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
