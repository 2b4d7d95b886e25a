import { externalAccounts, setAccountStatus } from '../areas/accounts/records.ts';
import type { Replacements, BehaviourSet } from '../areas/behaviour.ts';
import { CONTACT_CODE, traitsOf } from '../areas/customers/records.ts';
import { type Payment, transactions } from '../areas/transfers/records.ts';
import type { Json, JsonObject } from '../server/json.ts';
import { Refusal, refusedAs, refuse } from '../server/refusal.ts';
import { giving, answeringWith, where, coded, no, nothing, yes } from '../areas/replacements.ts';
import { breaking, fault, type Fault, field, within } from './fault.ts';
import { shownWrongly } from './shown-wrongly.ts';

const TERMS = 'GET /customers/end-user-terms';

const DUE_DILIGENCE = [
  'sourceOfFunds',
  'sourceOfWealth',
  'purposeOfAccount',
  'incomeRange',
  'netWorthRange',
  'pepStatus',
];

/** Customer requests with such a body are refused. */
function onBody(method: string, when: (body: Record<string, unknown>) => boolean): Replacements {
  return {
    readBody: giving((body, world, call) => {
      const isCustomer = /^\/customers(\/Customer:[^/]*)?$/.test(decodeURIComponent(call.path));
      if (call.method === method && isCustomer && when((body ?? {}) as Record<string, unknown>)) {
        throw new Refusal(400, 'INVALID_INPUT', 'These fields are not taken.');
      }
      return body;
    }),
  };
}

function withErrors<T>(change: (errors: Json[]) => Json[], read: () => T, path: string): T {
  try {
    return read();
  } catch (error) {
    const errors = error instanceof Refusal ? (error.details?.['errors'] as Json[] | undefined) : undefined;
    if (!errors || !path.startsWith('/customers')) throw error;
    throw new Refusal(400, (error as Refusal).code, (error as Refusal).message, {
      details: { errors: change(errors) },
    });
  }
}

const withoutParents = (errors: Json[]): Json[] =>
  (errors as JsonObject[]).map((one) => ({ ...one, field: String(one['field']).replace(/^.*\./, '') }));

/** A verification that held, or one that did not, leads to this status. */
function endsAs(held: boolean, status: string): Replacements {
  return {
    settleOwnership: (original) => (world, account, holds) =>
      holds === held ? setAccountStatus(world, account, status) : original(world, account, holds),
  };
}

/** What a payment is held to. */
const LIMITS = [
  ['size', 'LIMIT-TRANSACTION-SIZE', 'withinTransactionSize'],
  ['volume', 'LIMIT-DAILY-VOLUME', 'withinDailyVolume'],
  ['velocity', 'LIMIT-VELOCITY', 'withinVelocity'],
  ['ownership', 'ACCOUNT-VERIFICATION-REQUIRED', 'ownershipSuffices'],
] as const;
const isToAddress = ({ destination }: Payment) => destination['destinationType'] === 'UMA_ADDRESS';

/** Customers, consent, verifications and contact verification. */
export const customerFaults = [
  ...shownWrongly(TERMS, 'terms', {
    url: ['CUSTOMER-TERMS-SHOWN', 'missing'],
    version: ['CUSTOMER-TERMS-SHOWN', 'missing'],
  }),
  fault('consent-refused-at-creation', 'CUSTOMER-CREATE-CONSENT', {
    ...onBody('POST', (body) => 'endUserTermsConsent' in body),
  }),
  fault('consent-at-creation-forgotten', 'QUOTE-TERMS-ON-FILE', {
    ...within('registerCustomer', { recordConsent: nothing }),
  }),
  fault('consent-refused-at-update', 'CUSTOMER-UPDATE-CONSENT', {
    ...onBody('PATCH', (body) => 'endUserTermsConsent' in body),
  }),
  fault('current-terms-not-supported', 'CUSTOMER-CONSENT-CURRENT-VERSION', {
    ...answeringWith(TERMS, () => ({
      version: '2026-09-01',
      url: 'https://terms.sandbox.example/2026-09-01',
    })),
  }),
  ...breaking('CUSTOMER-CONSENT-UNKNOWN-VERSION', {
    'unknown-terms-accepted': { termsSupported: yes },
    'unknown-terms-called-input': { refuseTermsVersion: coded('INVALID_INPUT', 400) },
    'unknown-terms-answer-404': { refuseTermsVersion: coded('REFERENCE_NOT_FOUND', 404) },
  }),
  fault('due-diligence-refused', 'CUSTOMER-DUE-DILIGENCE-ACCEPTED', {
    ...onBody('POST', (body) => DUE_DILIGENCE.some((name) => name in body)),
  }),
  fault('due-diligence-refused-at-update', 'CUSTOMER-DUE-DILIGENCE-UPDATED', {
    ...onBody('PATCH', (body) => DUE_DILIGENCE.some((name) => name in body)),
  }),
  fault('identification-refused', 'CUSTOMER-IDENTIFICATION-ACCEPTED', {
    ...onBody('POST', (body) => 'idType' in body),
  }),
  fault('due-diligence-required', 'CUSTOMER-DUE-DILIGENCE-OPTIONAL', {
    ...onBody(
      'POST',
      (body) => body['customerType'] === 'INDIVIDUAL' && !DUE_DILIGENCE.some((name) => name in body),
    ),
  }),
  fault('customer-errors-not-listed', 'CUSTOMER-FIELD-ERRORS-TOGETHER', {
    readBody: (original) => (world, call, route) =>
      withErrors(
        () => [],
        () => original(world, call, route),
        route.path,
      ),
  }),
  // Another rule says the same of these fields, and is in doubt as long as this one is broken.
  fault('customer-errors-one-at-a-time', 'ERROR-FIELD-ERRORS-ALL-AT-ONCE', {
    readBody: (original) => (world, call, route) =>
      withErrors(
        (errors) => errors.slice(0, 1),
        () => original(world, call, route),
        route.path,
      ),
  }),
  fault('customer-error-path-without-parent', 'ERROR-FIELD-ERRORS-PATH', {
    readBody: (original) => (world, call, route) =>
      withErrors(withoutParents, () => original(world, call, route), route.path),
  }),
  ...breaking('VERIFICATION-RESOLVE-ERRORS', {
    'problems-without-entries': { presentProblems: giving(() => null) },
    'problems-told-in-one-entry': {
      presentProblems: (original) => (world, problems) =>
        problems.length > 1 ? original(world, [problems.join(', ')]) : original(world, problems),
    },
    'only-first-problem-told': {
      presentProblems: (original) => (world, problems) => original(world, problems.slice(0, 1)),
    },
    'first-problem-told-for-all': {
      presentProblems: (original) => (world, problems) => {
        const [first] = problems;
        return original(world, first === undefined ? [] : problems.map(() => first));
      },
    },
    'problems-not-called-so': field('POST /verifications', 'verificationStatus').set('IN_PROGRESS'),
  }),
  fault('email-verified-for-everybody', 'CONTACT-EMAIL-NOT-APPLICABLE', {
    contactApplies: where((_customer, channel) => channel === 'email', undefined),
  }),
  fault('email-confirm-answers-400', 'CONTACT-EMAIL-NOT-APPLICABLE', {
    contactApplies: (original) => (world, customer, channel, step) => {
      return refusedAs(
        () => original(world, customer, channel, step),
        (refusal) =>
          channel === 'email' && step === 'confirm' ? new Refusal(400, 'INVALID_INPUT', 'No.') : refusal,
      );
    },
  }),
  fault('phone-verification-answers-403', 'CONTACT-PHONE-NOT-APPLICABLE', {
    contactApplies: (original) => (world, customer, channel, step) => {
      return refusedAs(
        () => original(world, customer, channel, step),
        (refusal) => (channel === 'phone' ? world.behaviour.refuseForbidden('No.') : refusal),
      );
    },
  }),
  fault('contact-verification-for-nobody', 'CONTACT-APPLICABLE', { contactMandated: no }),
  ...['email', 'phone'].map((channel): Fault =>
    fault(`any-code-confirms-the-${channel}`, 'CONTACT-WRONG-CODE', {
      readBody: giving((body, world, call) =>
        call.path.endsWith(`verify-${channel}/confirm`) ? { code: CONTACT_CODE } : body,
      ),
    }),
  ),

  // Ownership verification of external accounts.
  ...breaking('ACCOUNT-VERIFY-ACTIVE', {
    'verified-account-stays-pending': endsAs(true, 'PENDING_OWNERSHIP_VERIFICATION'),
    'verified-account-called-verified': endsAs(true, 'VERIFIED'),
  }),
  fault('failed-account-stays-pending', 'ACCOUNT-VERIFY-UNVERIFIED', {
    ...endsAs(false, 'PENDING_OWNERSHIP_VERIFICATION'),
  }),
  ...breaking('ACCOUNT-VERIFY-WRONG-SIGNATURE', {
    'signature-of-zeros-verifies': {
      ownershipProven: (original) => (world, account, challenge, signature) =>
        /^0+$/.test(signature) || original(world, account, challenge, signature),
    },
    'second-attempt-verifies': {
      ownershipProven: (original) => (world, account, challenge, signature) =>
        account.status === 'UNVERIFIED' || original(world, account, challenge, signature),
      awaitsOwnership: () => () => undefined,
    },
  }),
  fault('any-signature-verifies', 'ACCOUNT-VERIFY-WRONG-SIGNATURE', { ownershipProven: yes }),
  ...breaking('ACCOUNT-LIVENESS', {
    'liveness-proves-nothing': {
      settleLiveness: () => (world, account) => world.behaviour.settleOwnership(account, false),
    },
    'failed-liveness-changes-nothing': { settleLiveness: where((_account, holds) => !holds, undefined) },
  }),
  fault('verification-in-the-background', 'ACCOUNT-VERIFY-SYNCHRONOUS', {
    whenOwnershipKnown: () => (_world, settle) => {
      setTimeout(settle, 150).unref();
    },
  }),
  fault('challenge-counts-as-attempt', 'ACCOUNT-CHALLENGE-CHANGES-NOTHING', {
    afterOwnershipChallenge: () => (_world, account) => {
      account.status = 'UNVERIFIED';
    },
    awaitsOwnership: nothing,
  }),

  // Limits of payments, and the ownership verification that large ones need.
  ...LIMITS.map(([what, rule, limit]) =>
    fault(`${what}-not-looked-at-in-transfers`, rule, {
      [limit]: where<BehaviourSet[typeof limit]>(({ isPaidOut }) => isPaidOut !== undefined, undefined),
    }),
  ),
  ...LIMITS.slice(0, 3).map(([what, rule, limit]) =>
    fault(`${what}-not-looked-at-for-uma-addresses`, rule, {
      [limit]: where<BehaviourSet[typeof limit]>(isToAddress, undefined),
    }),
  ),
  ...breaking('LIMIT-TRANSACTION-SIZE', {
    'transaction-size-not-limited': { withinTransactionSize: nothing },
    'transaction-size-answers-403': { refuseTransactionSize: coded('FORBIDDEN', 403) },
    'transaction-size-called-out-of-range': { refuseTransactionSize: coded('AMOUNT_OUT_OF_RANGE', 400) },
  }),
  fault('invented-code-for-the-transaction-size', ['LIMIT-TRANSACTION-SIZE', 'ERROR-CODE-400'], {
    refuseTransactionSize: coded('AMOUNT_TOO_LARGE', 400),
  }),
  fault('transaction-size-itself-refused', 'LIMIT-TRANSACTION-SIZE-EQUAL', {
    withinTransactionSize: (original) => (world, payment) =>
      payment.totalSendingAmount === traitsOf(world, payment.customerId).limits.transactionSize
        ? refuse(world.behaviour.refuseTransactionSize(payment.totalSendingAmount))
        : original(world, payment),
  }),
  ...breaking('LIMIT-DAILY-VOLUME', {
    'daily-volume-not-limited': { withinDailyVolume: nothing },
    'daily-volume-answers-400': { refuseDailyVolume: coded('AMOUNT_OUT_OF_RANGE', 400) },
    'daily-volume-called-rate-limited': { refuseDailyVolume: coded('RATE_LIMITED', 429) },
  }),
  ...breaking('LIMIT-DAILY-VOLUME-BELOW', {
    'day-of-the-daily-volume-never-ends': {
      executedToday: () => (world, customerId) =>
        transactions
          .all(world)
          .filter(
            (one) => one.customerId === customerId && one.status !== 'FAILED' && one.executedAt !== undefined,
          ),
    },
    'daily-volume-half': {
      withinDailyVolume: (original) => (world, payment) =>
        original(world, { ...payment, totalSendingAmount: payment.totalSendingAmount * 2n }),
    },
    'daily-volume-refuses-what-just-fits': {
      withinDailyVolume: (original) => (world, payment) =>
        original(world, { ...payment, totalSendingAmount: payment.totalSendingAmount + 500n }),
    },
  }),
  fault('refused-payment-fills-the-day', 'LIMIT-DAILY-VOLUME-BELOW', countingRefused()),
  fault('velocity-not-limited', 'LIMIT-VELOCITY', { withinVelocity: nothing }),
  fault('velocity-answers-429', 'LIMIT-VELOCITY', { refuseVelocity: coded('VELOCITY_LIMIT_EXCEEDED', 429) }),
  fault('velocity-called-forbidden', 'LIMIT-VELOCITY', { refuseVelocity: coded('FORBIDDEN', 403) }),
  fault('invented-code-for-the-velocity', ['LIMIT-VELOCITY', 'ERROR-CODE-403'], {
    refuseVelocity: coded('TOO_MANY_PAYMENTS', 403),
  }),
  fault('velocity-from-the-first-payment', 'LIMIT-VELOCITY-BELOW', {
    withinVelocity: () => (world, payment) =>
      traitsOf(world, payment.customerId).limits.velocity === undefined
        ? undefined
        : refuse(world.behaviour.refuseVelocity()),
  }),
  fault('velocity-of-all-counterparties-together', 'LIMIT-VELOCITY-BELOW', {
    withinVelocity:
      () =>
      (world, { customerId }) => {
        const { velocity } = traitsOf(world, customerId).limits;
        if (velocity !== undefined && world.behaviour.executedToday(customerId).length >= velocity)
          throw world.behaviour.refuseVelocity();
      },
  }),
  fault('pending-account-takes-nothing', 'ACCOUNT-PENDING-USABLE', { ownershipNeeded: yes }),
  ...breaking('ACCOUNT-VERIFICATION-REQUIRED', {
    'ownership-never-needed': { ownershipNeeded: no },
    'failed-verification-is-enough': { ownershipNeeded: where((status) => status === 'UNVERIFIED', false) },
    'unverified-destination-answers-403': { refuseUnverified: coded('FORBIDDEN', 403) },
    'unverified-destination-called-input': { refuseUnverified: coded('INVALID_INPUT', 400) },
  }),
  fault('verified-account-asked-again', 'ACCOUNT-VERIFIED-USABLE', {
    ownershipSuffices: () => (world, payment) =>
      externalAccounts.get(world, String(payment.destination['accountId'])) &&
      world.behaviour.ownershipNeeded('ACTIVE', payment)
        ? refuse(world.behaviour.refuseUnverified())
        : undefined,
  }),
];

/** What a customer was refused adds to every later payment. */
function countingRefused(): Replacements {
  const refused = new Map<string, bigint>();
  return {
    withinLimits: (original) => (world, payment) => {
      try {
        original(world, payment);
      } catch (error) {
        const { customerId, totalSendingAmount } = payment;
        refused.set(customerId, (refused.get(customerId) ?? 0n) + totalSendingAmount);
        throw error;
      }
    },
    withinDailyVolume: (original) => (world, payment) => {
      const totalSendingAmount = payment.totalSendingAmount + (refused.get(payment.customerId) ?? 0n);
      original(world, { ...payment, totalSendingAmount });
    },
  };
}
