import { externalAccounts, internalAccounts } from '../areas/accounts/records.ts';
import type { BehaviourSet } from '../areas/behaviour.ts';
import { addCredential, type Credential, credentials } from '../areas/credentials/records.ts';
import { type Quote, quotes, sourceAccountId } from '../areas/quotes/records.ts';
import type { AfterWorld } from '../areas/replacements.ts';
import type { Json } from '../server/json.ts';
import { outside } from '../world/ledger.ts';
import type { World } from '../world/world.ts';
import { type Behave, fault, type Fault, refused } from './fault.ts';
import { times } from './later-times.ts';

const EXCHANGE = outside('exchange');

/** A check that objects once, and then no more. @param whom it is counted for */
function objectsOnce<Name extends keyof BehaviourSet>(
  check: Name,
  breaks: Parameters<typeof fault>[1],
  whom: (...rest: AfterWorld<BehaviourSet[Name]>) => unknown,
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
  return fault(`${name}-looked-at-once`, breaks, { [check]: replace });
}

/** What is refused at first and taken when it is asked for again; and what is refused, and done all the same. */
export const refusedFaults = [
  objectsOnce('permissionGranted', 'TRANSFER-PERMISSION-REQUIRED', ({ id }) => id),
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
  objectsOnce('scaSessionAlive', ['SCA-SESSION-REQUIRED', 'SCA-WRONG-PROOF'], (customerId) => customerId),
  objectsOnce('kycApproved', 'CARD-KYC-REQUIRED', ({ id }) => id),
  objectsOnce('isSameIssuer', 'OIDC-ISS', (_claims, { sub }) => sub),
  objectsOnce('nonceFits', ['OIDC-NONCE', 'OIDC-NONCE-MISSING'], ({ sub }) => sub),
  objectsOnce('isOnlySmsOtp', 'CREDENTIAL-SMS-OTP-DUPLICATE', ([other]) => other?.id),
  objectsOnce('isOnlyEmailOtp', 'CREDENTIAL-EMAIL-OTP-DUPLICATE', ([other]) => other?.id),

  // Refused, and done all the same.
  fault('refused-execution-after-expiry-takes-the-money', 'QUOTE-EXPIRED-NOT-EXECUTABLE', {
    executeQuote: paidAllTheSame((quote, world) => world.behaviour.quoteExpired(quote)),
  }),
  fault('refused-execution-before-authorization-takes-the-money', 'QUOTE-AUTHORIZATION-BEFORE-EXECUTION', {
    executeQuote: paidAllTheSame(({ status }) => status === 'PENDING_AUTHORIZATION'),
  }),
  fault('execution-refused-to-another-platform-is-done', 'AUTH-OTHER-PLATFORM', {
    handleCall: (original) => (world, call, route) => {
      const quote = quotes.get(world, call.params['quoteId'] ?? '');
      const isOfAnother = call.caller?.kind === 'platform' && quote?.platformId !== call.caller.id;
      if (quote?.status === 'PENDING' && isOfAnother && route.path.endsWith('/execute'))
        world.behaviour.executeQuote(quote);
      return original(world, call, route);
    },
  }),
  fault('transfer-out-refused-for-its-foreign-source-takes-the-money', 'TRANSFER-SOURCE-FOREIGN', {
    submitTransferOut: (original) => (world, agent, body) => {
      try {
        return original(world, agent, body);
      } catch (error) {
        const { accountId } = (body['source'] ?? {}) as { accountId?: Json };
        const source = internalAccounts.get(world, String(accountId));
        if (source && source.customerId !== agent.customerId) takeFrom(world, source.id, source.currency);
        throw error;
      }
    },
  }),
  fault('revocation-refused-to-its-own-session-is-done', 'CREDENTIAL-REVOKE-OWN-SESSION', {
    maySign: (original) => (world, signers, publicKey) => {
      try {
        return original(world, signers, publicKey);
      } catch (error) {
        const session = world.behaviour.sessionOfKey(signers, publicKey);
        const own =
          session && session.credentialId === signers.exceptCredential && session.status === 'ACTIVE';
        const credential = own && credentials.get(world, session.credentialId);
        if (credential) world.behaviour.revokeCredential(credential);
        throw error;
      }
    },
  }),

  doneAllTheSame(
    'only-credential-is-revoked-and-refused',
    ['CREDENTIAL-REVOKE-ONLY', 'CREDENTIAL-LIST-COMPLETE', 'RETRY-CREDENTIAL-CREATE'],
    'isNotOnlyCredential',
    (_world, credential) => [credential],
  ),
  doneAllTheSame(
    'refused-duplicate-of-email-otp-ends-the-first',
    'CREDENTIAL-EMAIL-OTP-DUPLICATE',
    'isOnlyEmailOtp',
    (_world, others) => others,
  ),
  ...(
    [
      ['refused-duplicate-of-email-otp-is-stored', 'CREDENTIAL-EMAIL-OTP-DUPLICATE', 'isOnlyEmailOtp'],
      ['refused-duplicate-of-sms-otp-is-stored', 'CREDENTIAL-SMS-OTP-DUPLICATE', 'isOnlySmsOtp'],
    ] as const
  ).map(([name, rule, check]) =>
    fault(name, rule, {
      [check]:
        (original: BehaviourSet[typeof check]): BehaviourSet[typeof check] =>
        (world, others) => {
          try {
            return original(world, others);
          } catch (error) {
            const [{ accountId, type }] = others as readonly [Credential];
            if (others.length === 1) addCredential(world, internalAccounts.get(world, accountId)!, { type });
            throw error;
          }
        },
    }),
  ),
  fault('refused-duplicate-of-a-passkey-is-stored', 'CREDENTIAL-PASSKEY-DUPLICATE', {
    isNewPasskey: (original) => (world, account, kind) => {
      try {
        return original(world, account, kind);
      } catch (error) {
        addCredential(world, account, kind);
        throw error;
      }
    },
  }),
  doneAllTheSame(
    'refused-duplicate-of-a-passkey-ends-the-first',
    'CREDENTIAL-PASSKEY-DUPLICATE',
    'isNewPasskey',
    (world, account) => world.behaviour.passkeysBeside(account),
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

/** A check that objects, and credentials that are revoked all the same. */
function doneAllTheSame<Name extends 'isNotOnlyCredential' | 'isOnlyEmailOtp' | 'isNewPasskey'>(
  name: string,
  breaks: Parameters<typeof fault>[1],
  check: Name,
  revoked: (...args: Parameters<BehaviourSet[Name]>) => readonly Credential[],
): Fault {
  const replace = (original: Behave): Behave => {
    return (world, ...rest) => {
      try {
        return original(world, ...rest);
      } catch (error) {
        for (const one of revoked(...([world, ...rest] as Parameters<BehaviourSet[Name]>)))
          (world as World).behaviour.revokeCredential(one);
        throw error;
      }
    };
  };
  return fault(name, breaks, { [check]: replace });
}

/** A quote whose execution is refused, and paid. */
function paidAllTheSame(isIt: (quote: Quote, world: World) => boolean) {
  return (original: BehaviourSet['executeQuote']): BehaviourSet['executeQuote'] =>
    (world, quote) => {
      try {
        original(world, quote);
      } catch (error) {
        const from = sourceAccountId(quote);
        if (from !== undefined && isIt(quote, world)) takeFrom(world, from, quote.sendingCurrency);
        throw error;
      }
    };
}

function takeFrom(world: World, from: string, currency: string): void {
  world.ledger.overdraw({ from, to: EXCHANGE, amount: 1_000n, currency, reason: 'refused' });
}
