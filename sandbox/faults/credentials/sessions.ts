import { internalAccounts } from '../../areas/accounts/records.ts';
import { type Credential, sessions } from '../../areas/credentials/records.ts';
import type { Replacements } from '../../areas/behaviour.ts';
import { newPrivateKey, pointOf } from '../../crypto/keys.ts';
import type { World } from '../../world/world.ts';
import { type Fault, fault, objectsNever, refused, within } from '../fault.ts';

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

/** Sessions, wallets and the customer's e-mail. */
export const sessionFaults = [
  fault('agent-spends-from-wallet', 'WALLET-PAYMENT-NEEDS-SESSION', { agentMaySpendFrom: objectsNever }),
  fault(
    'agent-executes-wallet-quote',
    'WALLET-PAYMENT-NEEDS-SESSION',
    within('executeAsAgent', { agentMaySpendFrom: objectsNever }),
  ),
  fault('oauth-session-revoked-unsigned', 'RETRY-SESSION-REVOKE', {
    askForSignature: (original) => (world, print, operation) =>
      operation.type === 'OAUTH' && print.operation === 'DELETE /auth/sessions/:sessionId'
        ? operation.complete()
        : original(world, print, operation),
  }),
  fault('oauth-session-stamps-unread', 'STAMP-INVALID', {
    judgeStamp: (original) => (world, request, stamp) =>
      world.behaviour.sessionOfKey(request.signers, stamp.publicKey)?.type === 'OAUTH'
        ? world.behaviour.maySign(request.signers, stamp.publicKey)
        : original(world, request, stamp),
  }),
  fault('passkey-sessions-never-expire', 'STAMP-EXPIRED-SESSION', {
    sessionEndsAt: (original) => (world, session) =>
      session.type === 'PASSKEY' ? Number.MAX_SAFE_INTEGER : original(world, session),
  }),
  fault('email-unsigned-beside-other-fields', 'RETRY-CUSTOMER-EMAIL', {
    askForSignature: (original) => (world, print, operation) =>
      print.operation === 'PATCH /customers/:customerId' && print.body.includes('"fullName"')
        ? operation.complete()
        : original(world, print, operation),
  }),
  fault('wallet-quote-unsigned', 'WALLET-PAYMENT-NEEDS-SESSION', { paymentNeedsSession: () => () => false }),
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
  fault('refresh-refused', 'SESSION-REFRESH-COMPLETES', {
    mayRefresh: () => () => refused('Sessions are not refreshed.'),
  }),
  fault('refreshed-session-dead', 'SESSION-REFRESH-COMPLETES', {
    afterRefresh: () => (world, session) => {
      for (const other of sessions.all(world)) {
        if (other.accountId === session.accountId && other.createdAt >= session.createdAt)
          world.behaviour.revokeSession(other);
      }
    },
  }),
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
    fundAccount: (original) => (world, account, amount) => {
      if (account.type !== 'EMBEDDED_WALLET') original(world, account, amount);
    },
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
  fault('privacy-not-changed', 'WALLET-PRIVACY-COMPLETES', { setPrivacy: () => () => {} }),
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
];
