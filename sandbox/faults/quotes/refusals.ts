import type { Replacements } from '../../areas/behaviour.ts';
import { traitsOf } from '../../areas/customers/records.ts';
import { type Quote, sourceAccountId } from '../../areas/quotes/records.ts';
import type { JsonObject } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import { giving, asking, coded, refusingWith, nothing, where } from '../../areas/replacements.ts';
import { breaking, fault, within } from '../fault.ts';

const termsSkipped = (isMeant: (...rest: never[]) => boolean): Replacements =>
  within('createQuote', { termsAccepted: nothing }, isMeant);

/** Customers, whose ids are of one world. */
const refundedBefore = new Set<string>();

function returnWithoutFees(world: World, quote: Quote): void {
  const { totalSendingAmount, sendingCurrency: currency } = quote;
  const to = sourceAccountId(quote) ?? 'outside:funding';
  world.ledger.post({
    from: 'outside:exchange',
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

/** Marks a price, and with it the quote, whose amount received is locked. */
const RECEIVED = Symbol('the amount received is locked');

const isMarked = (payment: object): boolean => RECEIVED in payment;

const marked: Replacements = {
  priceTransfer: giving((price, world, parties, wanted) =>
    wanted.side === 'RECEIVING' ? Object.assign(price, { [RECEIVED]: true }) : price,
  ),
};

/** Who may have a quote, and what refuses or fails one. */
export const quoteRefusalFaults = [
  ...breaking('QUOTE-TERMS-NOT-ACCEPTED', {
    'terms-not-looked-at': { termsAccepted: nothing },
    'terms-not-looked-at-where-the-amount-received-is-locked': termsSkipped(
      (_caller: unknown, { lockedCurrencySide }: JsonObject) => lockedCurrencySide === 'RECEIVING',
    ),
    'terms-not-looked-at-with-realtime-funding': termsSkipped(
      (_caller: unknown, { source }: JsonObject) =>
        (source as JsonObject | undefined)?.['sourceType'] === 'REALTIME_FUNDING',
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
    'terms-not-looked-at-for-uma-addresses': termsSkipped(
      (_caller: unknown, { destination }: JsonObject) =>
        (destination as JsonObject | undefined)?.['destinationType'] === 'UMA_ADDRESS',
    ),
    'terms-not-looked-at-where-agents-ask': termsSkipped(
      ({ kind }: { readonly kind: string }) => kind === 'agent',
    ),
    'terms-refused-with-forbidden': { refuseWithoutTerms: coded('FORBIDDEN', 403) },
  }),
  fault('consent-not-taken-to-file', 'QUOTE-TERMS-ON-FILE', { recordConsent: nothing }),
  ...breaking('TRANSACTION-FAILED-REFUNDED', {
    'failed-quote-keeps-the-money': { refundQuote: nothing },
    'second-failed-quote-keeps-the-money': {
      refundQuote: (original) => (world, quote) => {
        if (!refundedBefore.has(quote.customerId)) original(world, quote);
        refundedBefore.add(quote.customerId);
      },
    },
    'failed-quote-keeps-the-fees': { refundQuote: () => (world, quote) => returnWithoutFees(world, quote) },
  }),
  fault('removed-reason-of-failed-quote', 'TRANSACTION-REMOVED-REASONS', {
    quoteFailureReason: () => () => 'EXECUTION_FAILED_POST_DEBIT',
  }),
  ...breaking('ERROR-CUSTOMER-NOT-READY', {
    'unready-customer-pays': { customerIsReady: nothing },
    'unready-customer-answers-404': { customerIsReady: refusingWith('USER_NOT_FOUND', 404) },
  }),
  ...breaking('ERROR-COUNTERPARTY-NOT-ALLOWED', {
    'any-counterparty-taken': { counterpartyAllowed: nothing },
    'closed-counterparty-called-forbidden': { refuseCounterparty: coded('FORBIDDEN', 403) },
  }),
  fault('unknown-transaction-called-reference', 'ERROR-TRANSACTION-NOT-FOUND', {
    refuseNotFound: asking((kind, id) => [/^transaction$/i.test(kind) ? 'record' : kind, id]),
  }),
  fault('unknown-quote-called-reference', 'ERROR-QUOTE-NOT-FOUND', {
    refuseNotFound: asking((kind, id) => [kind === 'Quote' ? 'record' : kind, id]),
  }),
  fault('unknown-receiver-called-reference', 'ERROR-UMA-NOT-FOUND', {
    refuseUnknownReceiver: coded('REFERENCE_NOT_FOUND', 404),
  }),
  fault('malformed-uma-address-taken', 'QUOTE-UMA-ADDRESS-FORM', {
    receivingParty: (original) => (world, caller, customer, destination) => {
      const isMalformed = !String(destination['umaAddress'] ?? '@').includes('@');
      const shown = isMalformed ? { ...destination, umaAddress: '$somebody@example.com' } : destination;
      return original(world, caller, customer, shown);
    },
  }),
  fault('challenge-for-customers-without-sca', ['SCA-NEVER-ELSEWHERE', 'QUOTE-INSTRUCTIONS-WITHHELD'], {
    presentQuote: giving((object, world, quote) =>
      object['status'] !== 'PENDING' || world.behaviour.scaOf(quote.customerId)
        ? object
        : { ...object, status: 'PENDING_AUTHORIZATION', scaChallenge: challengeOf(world, quote) },
    ),
  }),

  // What is forgotten of quotes that lock the amount received.
  fault('fees-on-top-where-the-amount-received-is-locked', 'QUOTE-DEBIT-IS-TOTAL', {
    ...marked,
    settleQuote: (original) => (world, quote: Quote) => {
      original(world, quote);
      const from = sourceAccountId(quote);
      if (!isMarked(quote) || quote.status !== 'COMPLETED' || from === undefined) return;
      const { feesIncluded: amount, sendingCurrency: currency, id: reason } = quote;
      world.ledger.post({ from, to: 'outside:exchange', amount, currency, reason });
    },
  }),
  fault('size-not-limited-where-the-amount-received-is-locked', 'LIMIT-TRANSACTION-SIZE', {
    ...marked,
    withinTransactionSize: where((payment) => isMarked(payment), undefined),
  }),
  fault('ownership-not-needed-where-the-amount-received-is-locked', 'ACCOUNT-VERIFICATION-REQUIRED', {
    ...marked,
    ownershipNeeded: where((_status, payment) => isMarked(payment), false),
  }),
];
