import { type Quote, sourceAccountId } from '../../areas/quotes/records.ts';
import { traitsOf } from '../../areas/customers/records.ts';
import type { JsonObject } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import { faultsOf, refusingWith, within } from '../fault.ts';

/** Who may have a quote, and what refuses or fails one. */
export const quoteRefusalFaults = faultsOf([
  [
    'terms-not-looked-at',
    'QUOTE-TERMS-NOT-ACCEPTED',
    'Quotes do not need the end-user terms.',
    { termsAccepted: () => () => undefined },
  ],
  [
    'terms-not-looked-at-where-the-amount-received-is-locked',
    'QUOTE-TERMS-NOT-ACCEPTED',
    'Quotes that lock the amount received do not need the end-user terms.',
    within(
      'createQuote',
      { termsAccepted: () => () => undefined },
      (_caller: unknown, { lockedCurrencySide }: JsonObject) => lockedCurrencySide === 'RECEIVING',
    ),
  ],
  [
    'terms-not-looked-at-with-realtime-funding',
    'QUOTE-TERMS-NOT-ACCEPTED',
    'Quotes that are funded at their execution do not need the end-user terms.',
    within(
      'createQuote',
      { termsAccepted: () => () => undefined },
      (_caller: unknown, { source }: JsonObject) =>
        (source as JsonObject | undefined)?.['sourceType'] === 'REALTIME_FUNDING',
    ),
  ],
  [
    'refused-consent-is-on-file',
    'QUOTE-TERMS-NOT-ACCEPTED',
    'Consent to a version that is not supported is refused and counts all the same.',
    {
      readBody: (original) => (world, call, route) => {
        const body = original(world, call, route);
        const { customerId } = call.params;
        const consent = (body as JsonObject | undefined)?.['endUserTermsConsent'];
        if (call.method === 'PATCH' && customerId !== undefined && consent !== undefined)
          traitsOf(world, customerId).hasAcceptedTerms = true;
        return body;
      },
    },
  ],
  [
    'terms-not-looked-at-for-uma-addresses',
    'QUOTE-TERMS-NOT-ACCEPTED',
    'Quotes to UMA addresses do not need the end-user terms.',
    within(
      'createQuote',
      { termsAccepted: () => () => undefined },
      (_caller: unknown, { destination }: JsonObject) =>
        (destination as JsonObject | undefined)?.['destinationType'] === 'UMA_ADDRESS',
    ),
  ],
  [
    'terms-not-looked-at-where-agents-ask',
    'QUOTE-TERMS-NOT-ACCEPTED',
    'Quotes of agents do not need the end-user terms.',
    within(
      'createQuote',
      { termsAccepted: () => () => undefined },
      ({ kind }: { readonly kind: string }) => kind === 'agent',
    ),
  ],
  [
    'terms-refused-with-forbidden',
    'QUOTE-TERMS-NOT-ACCEPTED',
    'Missing end-user terms are told as FORBIDDEN.',
    { refuseWithoutTerms: () => (world) => world.behaviour.refuseForbidden('Not yet.') },
  ],
  [
    'consent-not-taken-to-file',
    'QUOTE-TERMS-ON-FILE',
    'Consent is accepted and not put on file.',
    { recordConsent: () => () => undefined },
  ],
  [
    'failed-quote-keeps-the-money',
    'TRANSACTION-FAILED-REFUNDED',
    'A failed execution does not give the money back.',
    { refundQuote: () => () => undefined },
  ],
  [
    'failed-quote-keeps-the-fees',
    'TRANSACTION-FAILED-REFUNDED',
    'A failed execution keeps the fees.',
    { refundQuote: () => (world, quote) => returnWithoutFees(world, quote) },
  ],
  [
    'removed-reason-of-failed-quote',
    'TRANSACTION-REMOVED-REASONS',
    'A failed quote names the removed reason EXECUTION_FAILED_POST_DEBIT.',
    { quoteFailureReason: () => () => 'EXECUTION_FAILED_POST_DEBIT' },
  ],
  [
    'unready-customer-pays',
    'ERROR-CUSTOMER-NOT-READY',
    'A customer that is not ready gets quotes.',
    { customerIsReady: () => () => undefined },
  ],
  [
    'unready-customer-answers-404',
    'ERROR-CUSTOMER-NOT-READY',
    'A customer that is not ready is not found.',
    {
      customerIsReady: refusingWith((world, customer) =>
        world.behaviour.refuseNotFound('Customer', customer.id),
      ),
    },
  ],
  [
    'any-counterparty-taken',
    'ERROR-COUNTERPARTY-NOT-ALLOWED',
    'A counterparty that is not enabled gets payments.',
    { counterpartyAllowed: () => () => undefined },
  ],
  [
    'closed-counterparty-called-forbidden',
    'ERROR-COUNTERPARTY-NOT-ALLOWED',
    'A counterparty that is not enabled is told as FORBIDDEN.',
    { refuseCounterparty: () => (world) => world.behaviour.refuseForbidden('Not to them.') },
  ],
  [
    'unknown-transaction-called-reference',
    'ERROR-TRANSACTION-NOT-FOUND',
    'An unknown transaction answers REFERENCE_NOT_FOUND.',
    {
      refuseNotFound: (original) => (world, kind, id) =>
        original(world, /^transaction$/i.test(kind) ? 'record' : kind, id),
    },
  ],
  [
    'unknown-quote-called-reference',
    'ERROR-QUOTE-NOT-FOUND',
    'An unknown quote answers REFERENCE_NOT_FOUND.',
    {
      refuseNotFound: (original) => (world, kind, id) =>
        original(world, kind === 'Quote' ? 'record' : kind, id),
    },
  ],
  [
    'unknown-receiver-called-reference',
    'ERROR-UMA-NOT-FOUND',
    'A UMA address without a receiver answers REFERENCE_NOT_FOUND.',
    {
      refuseUnknownReceiver: () => (world, address) => world.behaviour.refuseNotFound('receiver', address),
    },
  ],
  [
    'challenge-for-customers-without-sca',
    'SCA-NEVER-ELSEWHERE',
    'Quotes of every customer show a challenge, SCA or not.',
    {
      presentQuote: (original) => (world, quote) => {
        const object = original(world, quote);
        return object['status'] !== 'PENDING' || world.behaviour.scaOf(quote.customerId)
          ? object
          : { ...object, status: 'PENDING_AUTHORIZATION', scaChallenge: challengeOf(world, quote) };
      },
    },
    ['QUOTE-INSTRUCTIONS-WITHHELD'],
  ],
]);

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
