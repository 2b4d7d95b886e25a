import { type Quote, sourceAccountId } from '../../areas/quotes/records.ts';
import { traitsOf } from '../../areas/customers/records.ts';
import type { JsonObject } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import { fault, refusingWith, within } from '../fault.ts';

/** Who may have a quote, and what refuses or fails one. */
export const quoteRefusalFaults = [
  fault('terms-not-looked-at', 'QUOTE-TERMS-NOT-ACCEPTED', { termsAccepted: () => () => undefined }),
  fault(
    'terms-not-looked-at-where-the-amount-received-is-locked',
    'QUOTE-TERMS-NOT-ACCEPTED',
    within(
      'createQuote',
      { termsAccepted: () => () => undefined },
      (_caller: unknown, { lockedCurrencySide }: JsonObject) => lockedCurrencySide === 'RECEIVING',
    ),
  ),
  fault(
    'terms-not-looked-at-with-realtime-funding',
    'QUOTE-TERMS-NOT-ACCEPTED',
    within(
      'createQuote',
      { termsAccepted: () => () => undefined },
      (_caller: unknown, { source }: JsonObject) =>
        (source as JsonObject | undefined)?.['sourceType'] === 'REALTIME_FUNDING',
    ),
  ),
  fault('refused-consent-is-on-file', 'QUOTE-TERMS-NOT-ACCEPTED', {
    readBody: (original) => (world, call, route) => {
      const body = original(world, call, route);
      const { customerId } = call.params;
      const consent = (body as JsonObject | undefined)?.['endUserTermsConsent'];
      if (call.method === 'PATCH' && customerId !== undefined && consent !== undefined)
        traitsOf(world, customerId).hasAcceptedTerms = true;
      return body;
    },
  }),
  fault(
    'terms-not-looked-at-for-uma-addresses',
    'QUOTE-TERMS-NOT-ACCEPTED',
    within(
      'createQuote',
      { termsAccepted: () => () => undefined },
      (_caller: unknown, { destination }: JsonObject) =>
        (destination as JsonObject | undefined)?.['destinationType'] === 'UMA_ADDRESS',
    ),
  ),
  fault(
    'terms-not-looked-at-where-agents-ask',
    'QUOTE-TERMS-NOT-ACCEPTED',
    within(
      'createQuote',
      { termsAccepted: () => () => undefined },
      ({ kind }: { readonly kind: string }) => kind === 'agent',
    ),
  ),
  fault('terms-refused-with-forbidden', 'QUOTE-TERMS-NOT-ACCEPTED', {
    refuseWithoutTerms: () => (world) => world.behaviour.refuseForbidden('Not yet.'),
  }),
  fault('consent-not-taken-to-file', 'QUOTE-TERMS-ON-FILE', { recordConsent: () => () => undefined }),
  fault('failed-quote-keeps-the-money', 'TRANSACTION-FAILED-REFUNDED', {
    refundQuote: () => () => undefined,
  }),
  fault('failed-quote-keeps-the-fees', 'TRANSACTION-FAILED-REFUNDED', {
    refundQuote: () => (world, quote) => returnWithoutFees(world, quote),
  }),
  fault('removed-reason-of-failed-quote', 'TRANSACTION-REMOVED-REASONS', {
    quoteFailureReason: () => () => 'EXECUTION_FAILED_POST_DEBIT',
  }),
  fault('unready-customer-pays', 'ERROR-CUSTOMER-NOT-READY', { customerIsReady: () => () => undefined }),
  fault('unready-customer-answers-404', 'ERROR-CUSTOMER-NOT-READY', {
    customerIsReady: refusingWith((world, customer) =>
      world.behaviour.refuseNotFound('Customer', customer.id),
    ),
  }),
  fault('any-counterparty-taken', 'ERROR-COUNTERPARTY-NOT-ALLOWED', {
    counterpartyAllowed: () => () => undefined,
  }),
  fault('closed-counterparty-called-forbidden', 'ERROR-COUNTERPARTY-NOT-ALLOWED', {
    refuseCounterparty: () => (world) => world.behaviour.refuseForbidden('Not to them.'),
  }),
  fault('unknown-transaction-called-reference', 'ERROR-TRANSACTION-NOT-FOUND', {
    refuseNotFound: (original) => (world, kind, id) =>
      original(world, /^transaction$/i.test(kind) ? 'record' : kind, id),
  }),
  fault('unknown-quote-called-reference', 'ERROR-QUOTE-NOT-FOUND', {
    refuseNotFound: (original) => (world, kind, id) =>
      original(world, kind === 'Quote' ? 'record' : kind, id),
  }),
  fault('unknown-receiver-called-reference', 'ERROR-UMA-NOT-FOUND', {
    refuseUnknownReceiver: () => (world, address) => world.behaviour.refuseNotFound('receiver', address),
  }),
  fault('malformed-uma-address-taken', 'QUOTE-UMA-ADDRESS-FORM', {
    receivingParty: (original) => (world, caller, customer, destination) => {
      const isMalformed = !String(destination['umaAddress'] ?? '@').includes('@');
      const shown = isMalformed ? { ...destination, umaAddress: '$somebody@example.com' } : destination;
      return original(world, caller, customer, shown);
    },
  }),
  fault('challenge-for-customers-without-sca', ['SCA-NEVER-ELSEWHERE', 'QUOTE-INSTRUCTIONS-WITHHELD'], {
    presentQuote: (original) => (world, quote) => {
      const object = original(world, quote);
      return object['status'] !== 'PENDING' || world.behaviour.scaOf(quote.customerId)
        ? object
        : { ...object, status: 'PENDING_AUTHORIZATION', scaChallenge: challengeOf(world, quote) };
    },
  }),
];

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
