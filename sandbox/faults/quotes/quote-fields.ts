import type { Json } from '../../server/json.ts';
import { bare, faultsOf, field, shown } from '../fault.ts';

const quote = (name: string) => field('presentQuote', name);

/** Quote, shown wrongly. */
export const quoteFieldFaults = faultsOf([
  ['quote-without-id', 'QUOTE-ID', 'A quote has no id.', quote('id').drop()],
  ['quote-id-bare-uuid', 'QUOTE-ID', 'The id of a quote is a bare uuid.', quote('id').map(bare)],
  ['quote-without-status', 'QUOTE-STATUS', 'A quote has no status.', quote('status').drop()],
  [
    'quote-pending-called-open',
    'QUOTE-STATUS',
    'A pending quote has the status OPEN.',
    quote('status').map((status) => (status === 'PENDING' ? 'OPEN' : status)),
  ],
  ['quote-without-created-at', 'QUOTE-CREATED-AT', 'A quote has no createdAt.', quote('createdAt').drop()],
  [
    'quote-created-at-in-milliseconds',
    'QUOTE-CREATED-AT',
    'The createdAt of a quote is a number.',
    quote('createdAt').map((at) => Date.parse(String(at))),
  ],
  ['quote-without-expires-at', 'QUOTE-EXPIRES-AT', 'A quote has no expiresAt.', quote('expiresAt').drop()],
  [
    'quote-expires-at-in-seconds',
    'QUOTE-EXPIRES-AT',
    'The expiresAt of a quote counts seconds.',
    quote('expiresAt').set(300),
  ],
  ['quote-without-source', 'QUOTE-SOURCE', 'A quote has no source.', quote('source').drop()],
  [
    'quote-source-as-id',
    'QUOTE-SOURCE',
    'The source of a quote is an id alone.',
    quote('source').set('InternalAccount:00000000-0000-4000-8000-000000000000'),
  ],
  [
    'quote-source-without-type',
    'QUOTE-SOURCE-TYPE',
    'The source of a quote has no sourceType.',
    field('presentQuoteSource', 'sourceType').drop(),
  ],
  [
    'quote-source-type-invented',
    'QUOTE-SOURCE-TYPE',
    'The sourceType of a quote is WALLET.',
    field('presentQuoteSource', 'sourceType').set('WALLET'),
  ],
  [
    'quote-without-destination',
    'QUOTE-DESTINATION',
    'A quote has no destination.',
    quote('destination').drop(),
  ],
  [
    'quote-destination-null',
    'QUOTE-DESTINATION',
    'The destination of a quote is null.',
    quote('destination').set(null),
  ],
  [
    'quote-destination-without-type',
    'QUOTE-DESTINATION-TYPE',
    'The destination of a quote has no destinationType.',
    field('presentQuoteDestination', 'destinationType').drop(),
  ],
  [
    'quote-destination-type-lower-case',
    'QUOTE-DESTINATION-TYPE',
    'The destinationType of a quote is in small letters.',
    field('presentQuoteDestination', 'destinationType').map((type) => String(type).toLowerCase()),
  ],
  [
    'quote-without-sending-currency',
    'QUOTE-SENDING-CURRENCY',
    'A quote has no sendingCurrency.',
    quote('sendingCurrency').drop(),
  ],
  [
    'quote-sending-currency-as-code',
    'QUOTE-SENDING-CURRENCY',
    'The sendingCurrency of a quote is its code alone.',
    quote('sendingCurrency').set('USD'),
  ],
  [
    'quote-without-receiving-currency',
    'QUOTE-RECEIVING-CURRENCY',
    'A quote has no receivingCurrency.',
    quote('receivingCurrency').drop(),
  ],
  [
    'quote-receiving-currency-as-code',
    'QUOTE-RECEIVING-CURRENCY',
    'The receivingCurrency of a quote is its code alone.',
    quote('receivingCurrency').set('EUR'),
  ],
  [
    'quote-without-sending-amount',
    'QUOTE-TOTAL-SENDING-AMOUNT',
    'A quote has no totalSendingAmount.',
    quote('totalSendingAmount').drop(),
  ],
  [
    'quote-sending-amount-as-text',
    'QUOTE-TOTAL-SENDING-AMOUNT',
    'The totalSendingAmount of a quote is text.',
    quote('totalSendingAmount').map(String),
  ],
  [
    'quote-sending-amount-zero',
    'QUOTE-TOTAL-SENDING-AMOUNT',
    'The totalSendingAmount of a quote is zero.',
    quote('totalSendingAmount').set(0),
  ],
  [
    'quote-without-receiving-amount',
    'QUOTE-TOTAL-RECEIVING-AMOUNT',
    'A quote has no totalReceivingAmount.',
    quote('totalReceivingAmount').drop(),
  ],
  [
    'quote-receiving-amount-with-fraction',
    'QUOTE-TOTAL-RECEIVING-AMOUNT',
    'The totalReceivingAmount of a quote has a fraction.',
    quote('totalReceivingAmount').map((amount) => Number(amount) + 0.5),
  ],
  [
    'quote-without-exchange-rate',
    'QUOTE-EXCHANGE-RATE',
    'A quote has no exchangeRate.',
    quote('exchangeRate').drop(),
  ],
  [
    'quote-exchange-rate-as-text',
    'QUOTE-EXCHANGE-RATE',
    'The exchangeRate of a quote is text.',
    quote('exchangeRate').map(String),
  ],
  [
    'quote-exchange-rate-zero',
    'QUOTE-EXCHANGE-RATE',
    'The exchangeRate of a quote is zero.',
    quote('exchangeRate').set(0),
  ],
  [
    'quote-without-fees-included',
    'QUOTE-FEES-INCLUDED',
    'A quote has no feesIncluded.',
    quote('feesIncluded').drop(),
  ],
  [
    'quote-fees-included-as-text',
    'QUOTE-FEES-INCLUDED',
    'The feesIncluded of a quote are text.',
    quote('feesIncluded').map(String),
  ],
  [
    'quote-fees-included-as-object',
    'QUOTE-FEES-INCLUDED',
    'The feesIncluded of a quote are an object.',
    quote('feesIncluded').map((amount) => ({ amount, currency: 'USD' })),
  ],
  [
    'quote-platform-fees-as-text',
    'QUOTE-PLATFORM-FEES-INCLUDED',
    'The platformFeesIncluded of a quote are text.',
    quote('platformFeesIncluded').map(String),
  ],
  [
    'quote-platform-fees-negative',
    'QUOTE-PLATFORM-FEES-INCLUDED',
    'The platformFeesIncluded of a quote are negative.',
    quote('platformFeesIncluded').set(-1),
    ['QUOTE-PLATFORM-FEE-ZERO', 'QUOTE-PLATFORM-FEE-APPLIED', 'QUOTE-FEE-OVERRIDE-APPLIED'],
  ],
  [
    'quote-without-transaction-id',
    'QUOTE-TRANSACTION-ID',
    'A quote has no transactionId.',
    quote('transactionId').drop(),
  ],
  [
    'quote-transaction-id-bare-uuid',
    'QUOTE-TRANSACTION-ID',
    'The transactionId of a quote is a bare uuid.',
    quote('transactionId').map(bare),
  ],
  [
    'quote-instructions-as-object',
    'QUOTE-PAYMENT-INSTRUCTIONS',
    'The paymentInstructions of a quote are one object.',
    quote('paymentInstructions').map((list) => (list as Json[])[0] ?? {}),
  ],
  [
    'quote-counterparty-information-as-text',
    'QUOTE-COUNTERPARTY-INFORMATION-FORM',
    'The counterpartyInformation of a quote is text.',
    quote('counterpartyInformation').set('Ada Receiver'),
  ],
  [
    'quote-rate-details-as-list',
    'QUOTE-RATE-DETAILS',
    'The rateDetails of a quote are a list.',
    quote('rateDetails').map((details) => [details]),
  ],
  [
    'quote-challenge-as-id',
    'QUOTE-SCA-CHALLENGE',
    'The scaChallenge of a quote is its id alone.',
    quote('scaChallenge').map((challenge) => String((challenge as { id: string }).id)),
  ],
  [
    'quote-challenge-null',
    'QUOTE-SCA-CHALLENGE',
    'Where a quote has no scaChallenge it is null instead of absent.',
    shown('presentQuote', (object) => ({ ...object, scaChallenge: object['scaChallenge'] ?? null })),
  ],
  [
    'pending-authorization-without-challenge',
    'QUOTE-SCA-CHALLENGE-WHILE-PENDING',
    'A quote that waits for authorization shows no challenge.',
    quote('scaChallenge').drop(),
  ],
  [
    'challenge-stays-after-authorization',
    'QUOTE-SCA-CHALLENGE-ONLY-PENDING',
    'A quote goes on showing its last challenge after the last authorization.',
    {
      advanceAuthorization: (original) => (world, one) => {
        const { challenge } = one;
        original(world, one);
        if (challenge && !one.challenge) one.challenge = challenge;
      },
      challengeOfQuote: () => (world, one) =>
        one.challenge && world.behaviour.presentQuoteChallenge(one, one.challenge),
    },
  ],
  [
    'instructions-not-withheld',
    'QUOTE-INSTRUCTIONS-WITHHELD',
    'Payment instructions are shown before the authorization.',
    { instructionsWithheld: () => () => false },
  ],
]);
