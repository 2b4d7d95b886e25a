import { scaOf } from '../../areas/sca/records.ts';
import type { Replacements } from '../../areas/behaviour.ts';
import { traitsOf } from '../../areas/customers/records.ts';
import { type Quote, sourceAccountId } from '../../areas/quotes/records.ts';
import type { JsonObject } from '../../server/json.ts';
import { outside } from '../../world/ledger.ts';
import type { World } from '../../world/world.ts';
import { giving, asking, coded, refusingWith, nothing, where } from '../../areas/replacements.ts';
import { refuse, Refusal } from '../../server/refusal.ts';
import { breaking, fault, within } from '../fault.ts';
import { whereAgentsAsk } from './agents.ts';
import { isReceivedLocked, receivedLockedIsMarked } from './received-locked.ts';

const termsSkipped = (isMeant: (...rest: never[]) => boolean): Replacements =>
  within('createQuote', { termsAccepted: nothing }, isMeant);

/** Limits are looked at once more when a quote is executed. */
const agentsNotLimitedLater: Replacements = {
  limitsAtExecution: where((payment) => 'agentId' in payment, undefined),
};

const isReceived = ({ lockedCurrencySide }: JsonObject): boolean => lockedCurrencySide === 'RECEIVING';
const isFunded = ({ source }: JsonObject): boolean =>
  (source as JsonObject | undefined)?.['sourceType'] === 'REALTIME_FUNDING';
const isToAddress = ({ destination }: JsonObject): boolean =>
  (destination as JsonObject | undefined)?.['destinationType'] === 'UMA_ADDRESS';

/** What every payment is asked is not asked of customers who have had such a quote, at its execution neither. */
function forgottenFor(
  asked: 'customerIsReady' | 'counterpartyAllowed',
  isMeant: (body: JsonObject) => boolean,
): Replacements {
  const forgotten = new Set<string>();
  let isNow = false;
  const forget =
    (original: (world: World, about: never) => void) =>
    (world: World, about: { readonly id?: string; readonly customer?: { readonly id: string } }) => {
      const id = (about.customer ?? about).id!;
      if (isNow) forgotten.add(id);
      if (!forgotten.has(id)) original(world, about as never);
    };
  return {
    createQuote: (original) => (world, caller, body) => {
      isNow = isMeant(body);
      try {
        return original(world, caller, body);
      } finally {
        isNow = false;
      }
    },
    [asked]: forget,
  };
}

/** Such a destination is read as an address that everybody knows. */
const addressRead = (isWrong: (address: string) => boolean): Replacements => ({
  receivingParty: (original) => (world, caller, customer, destination) =>
    original(
      world,
      caller,
      customer,
      isWrong(String(destination['umaAddress'] ?? '@'))
        ? { ...destination, umaAddress: '$somebody@example.com' }
        : destination,
    ),
});
const isNobody = (address: string): boolean => address.startsWith('$nobody');
const isMalformed = (address: string): boolean => !address.includes('@');
const whereReceived = (inner: Replacements): Replacements =>
  within('createQuote', inner, (_caller: unknown, body: JsonObject) => isReceived(body));

/** Customers, whose ids are of one world. */
const refundedBefore = new Set<string>();

function returnWithoutFees(world: World, quote: Quote): void {
  const { totalSendingAmount, sendingCurrency: currency } = quote;
  const to = sourceAccountId(quote) ?? outside('funding');
  world.ledger.post({
    from: outside('exchange'),
    to,
    amount: totalSendingAmount - quote.feesIncluded,
    currency,
    reason: quote.id,
  });
}

/** A challenge of the right shape, so that nothing but its presence is wrong. */
function challengeOf(world: World, quote: Quote): JsonObject {
  const expiresAt = world.behaviour.presentTime(quote.expiresAt);
  return {
    id: `ScaChallenge:${quote.id.slice(-36)}`,
    expiresAt,
    factor: 'SMS_OTP',
    availableFactors: ['SMS_OTP'],
  };
}

/** Who may have a quote, and what refuses or fails one. */
export const quoteRefusalFaults = [
  ...breaking('QUOTE-TERMS-NOT-ACCEPTED', {
    'terms-not-looked-at': { termsAccepted: nothing },
    'terms-not-looked-at-where-the-amount-received-is-locked': termsSkipped(
      (_caller: unknown, body: JsonObject) => isReceived(body),
    ),
    'terms-not-looked-at-with-realtime-funding': termsSkipped((_caller: unknown, body: JsonObject) =>
      isFunded(body),
    ),
    'refused-consent-is-on-file': {
      readBody: (original) => (world, call, route) => {
        const body = original(world, call, route);
        const { customerId } = call.params;
        const consent = (body as JsonObject | undefined)?.['endUserTermsConsent'];
        if (call.method === 'PATCH' && customerId !== undefined && consent !== undefined)
          traitsOf(world, customerId).hasAcceptedTerms = true;
        return body;
      },
    },
    'terms-not-looked-at-for-uma-addresses': termsSkipped((_caller: unknown, body: JsonObject) =>
      isToAddress(body),
    ),
    'terms-not-looked-at-where-agents-ask': whereAgentsAsk({ termsAccepted: nothing }),
    'terms-refused-with-forbidden': { refuseWithoutTerms: coded('FORBIDDEN', 403) },
  }),
  fault('invented-code-for-missing-terms', ['QUOTE-TERMS-NOT-ACCEPTED', 'ERROR-CODE-403'], {
    refuseWithoutTerms: coded('TERMS_MISSING', 403),
  }),
  ...Object.entries({ least: 1, great: Number.MAX_SAFE_INTEGER }).map(([which, amount]) =>
    fault(`quote-of-the-${which}-amount-breaks-with-500`, 'QUOTE-CREATE-ACCEPTED', {
      createQuote: (original) => (world, caller, body) => {
        if (Number(body['lockedCurrencyAmount']) === amount)
          throw new Refusal(500, 'INTERNAL_ERROR', 'Overflow.');
        return original(world, caller, body);
      },
    }),
  ),
  fault('any-update-taken-for-consent', 'QUOTE-TERMS-NOT-ACCEPTED', {
    recordConsent: (original) => (world, customer) => original(world, customer, {}),
  }),
  fault('consent-not-taken-to-file', 'QUOTE-TERMS-ON-FILE', { recordConsent: nothing }),
  ...breaking('TRANSACTION-FAILED-REFUNDED', {
    'failed-quote-keeps-the-money': { refundQuote: nothing },
    'failed-quote-of-an-agent-keeps-the-money': {
      refundQuote: where(({ agentId }) => agentId !== undefined, undefined),
    },
    'failed-quote-of-an-amount-to-be-received-keeps-the-money': {
      ...receivedLockedIsMarked,
      refundQuote: where(isReceivedLocked, undefined),
    },
    'failed-quote-to-an-address-keeps-the-money': {
      refundQuote: where(({ destination }) => isToAddress({ destination }), undefined),
    },
    'second-failed-quote-keeps-the-money': {
      refundQuote: (original) => (world, quote) => {
        if (!refundedBefore.has(quote.customerId)) original(world, quote);
        refundedBefore.add(quote.customerId);
      },
    },
    'failed-quote-keeps-the-fees': { refundQuote: () => (world, quote) => returnWithoutFees(world, quote) },
  }),
  ...breaking('TRANSACTION-REMOVED-REASONS', {
    'removed-reason-of-failed-quote': { quoteFailureReason: () => () => 'EXECUTION_FAILED_POST_DEBIT' },
    'removed-reason-of-an-agents-failed-quote': {
      ...within(
        'failQuote',
        { quoteFailureReason: () => () => 'SETTLEMENT_FAILED' },
        ({ agentId }: Quote) => agentId !== undefined,
      ),
    },
  }),
  ...breaking('ERROR-CUSTOMER-NOT-READY', {
    'unready-customer-pays': { customerIsReady: nothing },
    'unready-customer-pays-what-is-to-be-received': forgottenFor('customerIsReady', isReceived),
    'unready-customer-pays-with-realtime-funding': forgottenFor('customerIsReady', isFunded),
    'unready-customer-pays-to-uma-addresses': forgottenFor('customerIsReady', isToAddress),
    'unready-customer-answers-404': { customerIsReady: refusingWith('USER_NOT_FOUND', 404) },
  }),
  ...breaking('ERROR-COUNTERPARTY-NOT-ALLOWED', {
    'any-counterparty-taken': { counterpartyAllowed: nothing },
    'any-counterparty-with-an-address-taken': {
      counterpartyAllowed: where(({ destination }) => isToAddress({ destination }), undefined),
    },
    'any-counterparty-receives-an-exact-amount': forgottenFor('counterpartyAllowed', isReceived),
    'any-counterparty-gets-transfers': {
      counterpartyAllowed: (original) => (world, payment) => {
        if (payment.destination['destinationType'] !== undefined) original(world, payment);
      },
    },
    'closed-counterparty-called-forbidden': { refuseCounterparty: coded('FORBIDDEN', 403) },
  }),
  fault('unknown-transaction-called-reference', 'ERROR-TRANSACTION-NOT-FOUND', {
    refuseNotFound: asking((kind, id) => [/^transaction$/i.test(kind) ? 'record' : kind, id]),
  }),
  fault('invented-code-for-unknown-quotes', ['ERROR-QUOTE-NOT-FOUND', 'ERROR-CODE-404'], {
    refuseNotFound: (original) => (world, kind, id) =>
      kind === 'Quote'
        ? coded<[string, string]>('NO_SUCH_QUOTE')(original)(world, kind, id)
        : original(world, kind, id),
  }),
  fault('unknown-quote-called-reference', 'ERROR-QUOTE-NOT-FOUND', {
    refuseNotFound: asking((kind, id) => [kind === 'Quote' ? 'record' : kind, id]),
  }),
  ...breaking('ERROR-UMA-NOT-FOUND', {
    'unknown-receiver-called-reference': { refuseUnknownReceiver: coded('REFERENCE_NOT_FOUND', 404) },
    'unknown-receiver-receives-an-exact-amount': whereReceived(addressRead(isNobody)),
    'malformed-uma-address-not-found': {
      receivingParty: (original) => (world, caller, customer, destination) =>
        isMalformed(String(destination['umaAddress'] ?? '@'))
          ? refuse(world.behaviour.refuseUnknownReceiver(String(destination['umaAddress'])))
          : original(world, caller, customer, destination),
    },
  }),
  ...breaking('QUOTE-UMA-ADDRESS-FORM', {
    'malformed-uma-address-taken': addressRead(isMalformed),
    'uma-address-with-more-behind-it-taken': addressRead((address) => address.includes(' ')),
    'malformed-uma-address-receives-an-exact-amount': whereReceived(addressRead(isMalformed)),
  }),
  fault('challenge-for-customers-without-sca', ['SCA-NEVER-ELSEWHERE', 'QUOTE-INSTRUCTIONS-WITHHELD'], {
    presentQuote: giving((object, world, quote) =>
      object['status'] !== 'PENDING' || scaOf(world, quote.customerId)
        ? object
        : { ...object, status: 'PENDING_AUTHORIZATION', scaChallenge: challengeOf(world, quote) },
    ),
  }),

  // What is forgotten of quotes that lock the amount received.
  fault('fees-on-top-where-the-amount-received-is-locked', 'QUOTE-DEBIT-IS-TOTAL', {
    ...receivedLockedIsMarked,
    settleQuote: (original) => (world, quote: Quote) => {
      original(world, quote);
      const from = sourceAccountId(quote);
      if (!isReceivedLocked(quote) || quote.status !== 'COMPLETED' || from === undefined) return;
      const { feesIncluded: amount, sendingCurrency: currency, id: reason } = quote;
      world.ledger.post({ from, to: outside('exchange'), amount, currency, reason });
    },
  }),
  fault('size-not-limited-where-the-amount-received-is-locked', 'LIMIT-TRANSACTION-SIZE', {
    ...receivedLockedIsMarked,
    withinTransactionSize: where(isReceivedLocked, undefined),
  }),
  fault('volume-not-limited-where-the-amount-received-is-locked', 'LIMIT-DAILY-VOLUME', {
    ...receivedLockedIsMarked,
    withinDailyVolume: where(isReceivedLocked, undefined),
  }),
  fault('velocity-not-limited-where-the-amount-received-is-locked', 'LIMIT-VELOCITY', {
    ...receivedLockedIsMarked,
    withinVelocity: where(isReceivedLocked, undefined),
  }),
  fault('size-not-limited-where-agents-ask', 'LIMIT-TRANSACTION-SIZE', {
    ...whereAgentsAsk({ withinTransactionSize: nothing }),
    ...agentsNotLimitedLater,
  }),
  fault('volume-not-limited-where-agents-ask', 'LIMIT-DAILY-VOLUME', {
    ...whereAgentsAsk({ withinDailyVolume: nothing }),
    ...agentsNotLimitedLater,
  }),
  fault('ownership-not-needed-where-agents-ask', 'ACCOUNT-VERIFICATION-REQUIRED', {
    ...whereAgentsAsk({ ownershipSuffices: nothing }),
    ...agentsNotLimitedLater,
  }),
  ...breaking('QUOTE-SELF-PAYMENT', {
    'agent-pays-from-an-account-to-itself': whereAgentsAsk({ partiesDiffer: nothing }),
    'account-pays-an-exact-amount-to-itself': whereReceived({ partiesDiffer: nothing }),
  }),
  fault('size-not-limited-with-realtime-funding', 'LIMIT-TRANSACTION-SIZE', {
    withinTransactionSize: where((payment) => isFunded(payment as object as JsonObject), undefined),
  }),
  fault('ownership-not-needed-where-the-amount-received-is-locked', 'ACCOUNT-VERIFICATION-REQUIRED', {
    ...receivedLockedIsMarked,
    ownershipNeeded: where((_status, payment) => isReceivedLocked(payment), false),
  }),
];
