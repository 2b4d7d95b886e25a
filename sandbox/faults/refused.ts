import { externalAccounts, internalAccounts } from '../areas/accounts/records.ts';
import type { BehaviourSet, Replacements } from '../areas/behaviour.ts';
import { addCredential, type Credential, credentials, otpChallenges } from '../areas/credentials/records.ts';
import { type Quote, quotes, sourceAccountId } from '../areas/quotes/records.ts';
import { type AfterWorld, nothing, where } from '../areas/replacements.ts';
import type { Json } from '../server/json.ts';
import { outside } from '../world/ledger.ts';
import type { World } from '../world/world.ts';
import { anyMoveOf, type Behave, fault, type Fault, refused } from './fault.ts';
import { times } from './later-times.ts';

const EXCHANGE = outside('exchange');

/** Quotes whose execution has been refused once for its time. */
const triedLate = new WeakSet<Quote>();

/**
 * A check that objects once, and then no more.
 *
 * @param whom it is counted for
 * @param beside what must be let through for it
 */
function objectsOnce<Name extends keyof BehaviourSet>(
  check: Name,
  breaks: Parameters<typeof fault>[1],
  whom: (...rest: AfterWorld<BehaviourSet[Name]>) => unknown,
  beside: Replacements = {},
): Fault {
  const name = check.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const replace = (original: Behave): Behave => {
    return (world, ...rest) => {
      try {
        return original(world, ...rest);
      } catch (error) {
        const count = times(world as World, check, String(whom(...(rest as AfterWorld<BehaviourSet[Name]>))));
        if (count === 1) throw error;
        return undefined;
      }
    };
  };
  return fault(`${name}-looked-at-once`, breaks, { [check]: replace, ...beside });
}

/** What is refused at first and taken when it is asked for again; and what is refused, and done all the same. */
export const refusedFaults = [
  objectsOnce('permissionGranted', ['TRANSFER-PERMISSION-REQUIRED', 'AGENT-POLICY-CURRENT'], ({ id }) => id),
  objectsOnce(
    'withinTransactionLimit',
    ['TRANSFER-SPENDING-LIMIT', 'AGENT-QUOTE-SPENDING-LIMIT'],
    ({ id }) => id,
  ),
  objectsOnce('customerIsReady', 'ERROR-CUSTOMER-NOT-READY', ({ id }) => id),
  objectsOnce('counterpartyAllowed', 'ERROR-COUNTERPARTY-NOT-ALLOWED', ({ customer }) => customer.id),
  objectsOnce('partiesDiffer', 'QUOTE-SELF-PAYMENT', ({ accountId }) => accountId),
  objectsOnce('withinTransactionSize', 'LIMIT-TRANSACTION-SIZE', ({ customerId }) => customerId),
  objectsOnce('withinDailyVolume', 'LIMIT-DAILY-VOLUME', ({ customerId }) => customerId),
  objectsOnce('withinVelocity', 'LIMIT-VELOCITY', ({ customerId }) => customerId),
  objectsOnce('ownershipSuffices', 'ACCOUNT-VERIFICATION-REQUIRED', ({ customerId }) => customerId),
  objectsOnce('quoteAuthorized', 'QUOTE-AUTHORIZATION-BEFORE-EXECUTION', ({ id }) => id),
  objectsOnce('agentMaySpendFrom', 'WALLET-PAYMENT-NEEDS-SESSION', (account) => account?.id),
  fault('expiry-of-a-quote-looked-at-once', 'QUOTE-EXPIRED-NOT-EXECUTABLE', {
    quoteExpired: where((quote) => triedLate.has(quote), false),
    expireQuote: nothing,
    executeQuote: (original) => (world, quote) => {
      try {
        original(world, quote);
      } catch (error) {
        if (world.behaviour.quoteExpired(quote)) triedLate.add(quote);
        throw error;
      }
    },
  }),
  objectsOnce('termsAccepted', 'QUOTE-TERMS-NOT-ACCEPTED', ({ id }) => id),
  objectsOnce('mayApprove', 'ACTION-APPROVE-ONLY-PENDING', ({ id }) => id, anyMoveOf('action')),
  objectsOnce('scaSessionAlive', ['SCA-SESSION-REQUIRED', 'SCA-WRONG-PROOF'], (customerId) => customerId),
  objectsOnce('kycApproved', 'CARD-KYC-REQUIRED', ({ id }) => id),
  objectsOnce('isSameIssuer', 'OIDC-ISS', (_claims, { sub }) => sub),
  objectsOnce('registrationTokenIsCurrent', 'OIDC-CREATE-TOO-OLD', ({ sub }) => sub),
  objectsOnce(
    'passkeyChallengeIsFresh',
    'VERIFY-PASSKEY-EXPIRED',
    ({ id }) => id,
    anyMoveOf('login challenge'),
  ),
  objectsOnce('nonceFits', ['OIDC-NONCE', 'OIDC-NONCE-MISSING'], ({ sub }) => sub),
  objectsOnce('isOnlySmsOtp', 'CREDENTIAL-SMS-OTP-DUPLICATE', ([other]) => other?.id),
  objectsOnce('isOnlyEmailOtp', 'CREDENTIAL-EMAIL-OTP-DUPLICATE', ([other]) => other?.id),

  // Refused, and done all the same.
  doneAllTheSame(
    'refused-execution-after-expiry-takes-the-money',
    'QUOTE-EXPIRED-NOT-EXECUTABLE',
    'executeQuote',
    (world, quote) => {
      if (world.behaviour.quoteExpired(quote)) takePayment(world, quote);
    },
  ),
  doneAllTheSame(
    'refused-execution-before-authorization-takes-the-money',
    'QUOTE-AUTHORIZATION-BEFORE-EXECUTION',
    'executeQuote',
    (world, quote) => {
      if (quote.status === 'PENDING_AUTHORIZATION') takePayment(world, quote);
    },
  ),
  fault('execution-refused-to-another-platform-is-done', 'AUTH-OTHER-PLATFORM', {
    handleCall: (original) => (world, call, route) => {
      const quote = quotes.get(world, call.params['quoteId'] ?? '');
      const isOfAnother = call.caller?.kind === 'platform' && quote?.platformId !== call.caller.id;
      if (quote?.status === 'PENDING' && isOfAnother && route.path.endsWith('/execute'))
        world.behaviour.executeQuote(quote);
      return original(world, call, route);
    },
  }),
  doneAllTheSame(
    'transfer-out-refused-for-its-foreign-source-takes-the-money',
    'TRANSFER-SOURCE-FOREIGN',
    'submitTransferOut',
    (world, agent, body) => {
      const { accountId } = (body['source'] ?? {}) as { accountId?: Json };
      const source = internalAccounts.get(world, String(accountId));
      if (source && source.customerId !== agent.customerId) takeFrom(world, source.id, source.currency);
    },
  ),
  doneAllTheSame(
    'revocation-refused-to-its-own-session-is-done',
    'CREDENTIAL-REVOKE-OWN-SESSION',
    'maySign',
    (world, signers, publicKey) => {
      const session = world.behaviour.sessionOfKey(signers, publicKey);
      const own = session && session.credentialId === signers.exceptCredential && session.status === 'ACTIVE';
      const credential = own && credentials.get(world, session.credentialId);
      if (credential) world.behaviour.revokeCredential(credential);
    },
  ),
  doneAllTheSame(
    'wrong-code-refused-and-its-key-signs',
    'VERIFY-EMAIL-OTP-WRONG-CODE',
    'codeIsRight',
    (world, { challenge, publicKey }) => {
      const credential = credentials
        .all(world)
        .find(({ id, type }) => type === 'EMAIL_OTP' && otpChallenges.get(world, id)?.includes(challenge));
      if (credential) world.behaviour.mintSession(credential, publicKey);
    },
  ),

  doneAllTheSame(
    'only-credential-is-revoked-and-refused',
    ['CREDENTIAL-REVOKE-ONLY', 'CREDENTIAL-LIST-COMPLETE', 'RETRY-CREDENTIAL-CREATE'],
    'isNotOnlyCredential',
    (world, credential) => revoke(world, [credential]),
  ),
  doneAllTheSame(
    'refused-duplicate-of-email-otp-ends-the-first',
    'CREDENTIAL-EMAIL-OTP-DUPLICATE',
    'isOnlyEmailOtp',
    revoke,
  ),
  doneAllTheSame(
    'refused-duplicate-of-email-otp-is-stored',
    'CREDENTIAL-EMAIL-OTP-DUPLICATE',
    'isOnlyEmailOtp',
    addSecond,
  ),
  doneAllTheSame(
    'refused-duplicate-of-sms-otp-is-stored',
    'CREDENTIAL-SMS-OTP-DUPLICATE',
    'isOnlySmsOtp',
    addSecond,
  ),
  doneAllTheSame(
    'refused-duplicate-of-a-passkey-is-stored',
    'CREDENTIAL-PASSKEY-DUPLICATE',
    'isNewPasskey',
    addCredential,
  ),
  doneAllTheSame(
    'refused-duplicate-of-a-passkey-ends-the-first',
    'CREDENTIAL-PASSKEY-DUPLICATE',
    'isNewPasskey',
    (world, account) => revoke(world, world.behaviour.passkeysBeside(account)),
  ),

  // Refused as if the service were to blame, or without a reason.
  ...(
    [
      ['quotes', 'POST /quotes', []],
      ['an-update-of-a-customer', 'PATCH /customers/:customerId', []],
      ['registrations', 'POST /auth/credentials', ['CREDENTIAL-CREATE-BODY']],
      [
        'verifications',
        'POST /auth/credentials/:credentialId/verify',
        ['VERIFY-EMAIL-OTP-UNREADABLE', 'VERIFY-OAUTH-CLIENT-KEY'],
      ],
    ] as const
  ).map(([what, operation, also]) =>
    fault(`what-${what}-cannot-read-answers-500`, ['ERROR-MALFORMED-JSON', ...also], {
      readBody: (original) => (world, call, route) => {
        try {
          return original(world, call, route);
        } catch (error) {
          if (`${route.method} ${route.path}` === operation) throw new Error('The body broke something.');
          throw error;
        }
      },
    }),
  ),
  fault('pending-account-takes-no-transfer-out', 'ACCOUNT-PENDING-USABLE', {
    ownershipSuffices: (original) => (world, payment) => {
      const { destination } = payment;
      const account = externalAccounts.get(world, String(destination['accountId']));
      if (account?.status === 'PENDING_OWNERSHIP_VERIFICATION' && !('feesIncluded' in payment))
        refused('Its ownership is not verified.');
      return original(world, payment);
    },
  }),
];

/** What is refused, and done all the same. @param done gets what the refused one was asked */
function doneAllTheSame<Name extends keyof BehaviourSet>(
  name: string,
  breaks: Parameters<typeof fault>[1],
  asked: Name,
  done: (...args: Parameters<BehaviourSet[Name]>) => void,
): Fault {
  const replace = (original: Behave): Behave => {
    return (world, ...rest) => {
      try {
        return original(world, ...rest);
      } catch (error) {
        done(...([world, ...rest] as Parameters<BehaviourSet[Name]>));
        throw error;
      }
    };
  };
  return fault(name, breaks, { [asked]: replace });
}

function revoke(world: World, revoked: readonly Credential[]): void {
  for (const one of revoked) world.behaviour.revokeCredential(one);
}

/** A second credential beside the only one of its type. */
function addSecond(world: World, [first, ...others]: readonly Credential[]): void {
  if (!first || others.length > 0) return;
  addCredential(world, internalAccounts.get(world, first.accountId)!, { type: first.type });
}

function takePayment(world: World, quote: Quote): void {
  const from = sourceAccountId(quote);
  if (from !== undefined) takeFrom(world, from, quote.sendingCurrency);
}

function takeFrom(world: World, from: string, currency: string): void {
  world.ledger.overdraw({ from, to: EXCHANGE, amount: 1_000n, currency, reason: 'refused' });
}
