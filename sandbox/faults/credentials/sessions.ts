import { internalAccounts } from '../../areas/accounts/records.ts';
import { type Credential, sessions } from '../../areas/credentials/records.ts';
import type { Replacements } from '../../areas/behaviour.ts';
import { newPrivateKey, pointOf } from '../../crypto/keys.ts';
import type { World } from '../../world/world.ts';
import { type Row, faultsOf, objectsNever, refused, within } from '../fault.ts';

const hadSession = (world: World, credential: Credential): boolean =>
  sessions
    .all(world)
    .some((session) => session.credentialId === credential.id && session.status === 'EXPIRED');

const oneLoginOf = (name: string, breaks: string, type: 'OAUTH' | 'PASSKEY'): Row => [
  name,
  breaks,
  `Once a session of it has expired, an ${type} credential mints no other.`,
  {
    mintSealedSession: (original) => (world, credential, key) => {
      if (credential.type === type && hadSession(world, credential)) refused('Register again.');
      return original(world, credential, key);
    },
  },
];

/** A session is minted for a key of the service's own where the client has sent none that fits. */
export const keyMadeWhereNoneFits: Replacements = {
  mintSealedSession: (original) => (world, credential, key) =>
    original(world, credential, pointOf(key) ? key : newPrivateKey().point.toString('hex')),
};

/** Sessions, wallets and the customer's e-mail. */
export const sessionFaults = faultsOf([
  [
    'agent-spends-from-wallet',
    'WALLET-PAYMENT-NEEDS-SESSION',
    'An agent moves money out of a Global Account with its token alone.',
    { agentMaySpendFrom: objectsNever },
  ],
  [
    'agent-executes-wallet-quote',
    'WALLET-PAYMENT-NEEDS-SESSION',
    'An agent executes a quote that takes its money from a Global Account with its token alone.',
    within('executeAsAgent', { agentMaySpendFrom: objectsNever }),
  ],
  [
    'oauth-session-revoked-unsigned',
    'RETRY-SESSION-REVOKE',
    'A session that an OAUTH credential minted is revoked without a signature.',
    {
      askForSignature: (original) => (world, print, operation) =>
        operation.type === 'OAUTH' && print.operation === 'DELETE /auth/sessions/:sessionId'
          ? operation.complete()
          : original(world, print, operation),
    },
  ],
  [
    'oauth-session-stamps-unread',
    'STAMP-INVALID',
    'What a session of OAUTH signs is not verified.',
    {
      judgeStamp: (original) => (world, request, stamp) =>
        world.behaviour.sessionOfKey(request.signers, stamp.publicKey)?.type === 'OAUTH'
          ? world.behaviour.maySign(request.signers, stamp.publicKey)
          : original(world, request, stamp),
    },
  ],
  [
    'passkey-sessions-never-expire',
    'STAMP-EXPIRED-SESSION',
    'Sessions that a passkey minted sign for ever.',
    {
      sessionEndsAt: (original) => (world, session) =>
        session.type === 'PASSKEY' ? Number.MAX_SAFE_INTEGER : original(world, session),
    },
  ],
  [
    'email-unsigned-beside-other-fields',
    'RETRY-CUSTOMER-EMAIL',
    'An e-mail that is updated together with other fields needs no signature.',
    {
      askForSignature: (original) => (world, print, operation) =>
        print.operation === 'PATCH /customers/:customerId' && print.body.includes('"fullName"')
          ? operation.complete()
          : original(world, print, operation),
    },
  ],
  [
    'wallet-quote-unsigned',
    'WALLET-PAYMENT-NEEDS-SESSION',
    'A quote that takes its money from a Global Account is executed without a session.',
    { paymentNeedsSession: () => () => false },
  ],
  [
    'otp-logs-in-once',
    'SESSION-REAUTHENTICATE-OTP',
    'Once a session of it has expired, a one-time code credential mints no other.',
    {
      openChallenges: (original) => (world, credential) =>
        hadSession(world, credential) ? [] : original(world, credential),
    },
  ],
  [
    'sms-otp-logs-in-once',
    'SESSION-REAUTHENTICATE-OTP',
    'Once a session of it has expired, an SMS_OTP credential mints no other.',
    {
      openChallenges: (original) => (world, credential) =>
        credential.type === 'SMS_OTP' && hadSession(world, credential) ? [] : original(world, credential),
    },
  ],
  oneLoginOf('oauth-logs-in-once', 'SESSION-REAUTHENTICATE-OAUTH', 'OAUTH'),
  oneLoginOf('passkey-logs-in-once', 'SESSION-REAUTHENTICATE-PASSKEY', 'PASSKEY'),
  [
    'refresh-refused',
    'SESSION-REFRESH-COMPLETES',
    'The signed retry of a refresh is refused.',
    {
      mayRefresh: () => () => refused('Sessions are not refreshed.'),
    },
  ],
  [
    'refreshed-session-dead',
    'SESSION-REFRESH-COMPLETES',
    'A refresh ends the new session together with the old one.',
    {
      afterRefresh: () => (world, session) => {
        for (const other of sessions.all(world)) {
          if (other.accountId === session.accountId && other.createdAt >= session.createdAt)
            world.behaviour.revokeSession(other);
        }
      },
    },
  ],
  [
    'session-revocation-refused',
    'SESSION-REVOKE-COMPLETES',
    'The signed retry of a session revocation is refused.',
    {
      endSession: () => () => {
        refused('Sessions stay.');
      },
    },
  ],
  [
    'session-revocation-ends-all',
    'SESSION-REVOKE-KEEPS-OTHERS',
    'Revoking one session ends every session of the account.',
    {
      endSession: () => (world, session) => {
        for (const other of sessions.all(world))
          if (other.accountId === session.accountId) world.behaviour.revokeSession(other);
      },
    },
  ],
  [
    'receiving-needs-session',
    'WALLET-RECEIVE-WITHOUT-SESSION',
    'A wallet receives funds only with a wallet signature.',
    {
      readBody: (original) => (world, call, route) => {
        const account = internalAccounts.get(world, call.params['accountId'] ?? '');
        if (route.path.endsWith('/fund') && account?.type === 'EMBEDDED_WALLET')
          throw world.behaviour.refuseMissingSignature();
        return original(world, call, route);
      },
    },
  ],
  [
    'funds-never-arrive-on-wallets',
    'WALLET-RECEIVE-WITHOUT-SESSION',
    'Funds for a wallet are taken, and its balance stays as it was.',
    {
      fundAccount: (original) => (world, account, amount) => {
        if (account.type !== 'EMBEDDED_WALLET') original(world, account, amount);
      },
    },
  ],
  [
    'export-refused',
    'WALLET-EXPORT-COMPLETES',
    'The signed retry of a wallet export is refused.',
    {
      exportWallet: () => async () => {
        refused('Wallets are not exported.');
      },
    },
  ],
  [
    'privacy-refused',
    'WALLET-PRIVACY-COMPLETES',
    'The signed retry of a privacy update is refused.',
    {
      setPrivacy: () => () => {
        refused('The privacy stays.');
      },
    },
  ],
  [
    'privacy-not-changed',
    'WALLET-PRIVACY-COMPLETES',
    'A privacy update answers well and changes nothing.',
    {
      setPrivacy: () => () => {},
    },
  ],
  [
    'email-not-changed',
    'CUSTOMER-EMAIL-COMPLETES',
    'The update of a tied e-mail answers well and changes nothing.',
    {
      updateCustomer: (original) => (world, customer, change) => {
        const { email: _, ...rest } = change;
        const isTied = world.behaviour.tiedCredentials(customer).length > 0;
        original(world, customer, isTied ? rest : change);
      },
    },
  ],
  [
    'untied-email-signed',
    'CUSTOMER-EMAIL-UNTIED',
    'The update of an e-mail asks for a signature although no credential hangs on it.',
    {
      emailNeedsSignature: () => (_world, customer, email) =>
        email !== undefined && email !== customer.data['email'],
    },
  ],
]);
