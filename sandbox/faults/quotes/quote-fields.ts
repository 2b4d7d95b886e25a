import type { Json } from '../../server/json.ts';
import { fault, field, type Fault, shown } from '../fault.ts';
import { shownWrongly } from '../shown-wrongly.ts';

const quote = (name: string) => field('presentQuote', name);

/** Longer than a quote lives, in milliseconds. */
const LONG = 45 * 60_000;

const earlier = (at: Json): string => new Date(Date.parse(String(at)) - LONG).toISOString();

/** Quote, shown wrongly. */
export const quoteFieldFaults = [
  ...shownWrongly('presentQuote', 'quote', {
    id: ['QUOTE-ID', 'missing', 'bare-uuid'],
    status: [
      'QUOTE-STATUS',
      'missing',
      ['pending-called-open', (status) => (status === 'PENDING' ? 'OPEN' : status)],
    ],
    createdAt: ['QUOTE-CREATED-AT', 'missing', 'in-milliseconds'],
    expiresAt: ['QUOTE-EXPIRES-AT', 'missing', ['in-seconds', () => 300]],
    source: [
      'QUOTE-SOURCE',
      'missing',
      ['as-id', () => 'InternalAccount:00000000-0000-4000-8000-000000000000'],
    ],
    destination: ['QUOTE-DESTINATION', 'missing', 'null'],
    sendingCurrency: ['QUOTE-SENDING-CURRENCY', 'missing', ['as-code', () => 'USD']],
    receivingCurrency: ['QUOTE-RECEIVING-CURRENCY', 'missing', ['as-code', () => 'EUR']],
    totalSendingAmount: ['QUOTE-TOTAL-SENDING-AMOUNT', 'missing', 'as-text', 'zero'],
    totalReceivingAmount: ['QUOTE-TOTAL-RECEIVING-AMOUNT', 'missing', 'with-fraction'],
    exchangeRate: ['QUOTE-EXCHANGE-RATE', 'missing', 'as-text', 'zero'],
    feesIncluded: [
      'QUOTE-FEES-INCLUDED',
      'missing',
      'as-text',
      ['as-object', (amount) => ({ amount, currency: 'USD' })],
    ],
    platformFeesIncluded: ['QUOTE-PLATFORM-FEES-INCLUDED', 'as-text'],
    transactionId: ['QUOTE-TRANSACTION-ID', 'missing', 'bare-uuid'],
    paymentInstructions: ['QUOTE-PAYMENT-INSTRUCTIONS', ['as-object', (list) => (list as Json[])[0] ?? {}]],
    counterpartyInformation: ['QUOTE-COUNTERPARTY-INFORMATION-FORM', ['as-text', () => 'Ada Receiver']],
    rateDetails: ['QUOTE-RATE-DETAILS', ['as-list', (details) => [details]]],
    scaChallenge: ['QUOTE-SCA-CHALLENGE', ['as-id', (challenge) => String((challenge as { id: string }).id)]],
  }),
  ...shownWrongly('presentQuoteSource', 'quote source', {
    sourceType: ['QUOTE-SOURCE-TYPE', 'missing', ['invented', () => 'WALLET']],
  }),
  ...shownWrongly('presentQuoteDestination', 'quote destination', {
    destinationType: ['QUOTE-DESTINATION-TYPE', 'missing', 'in-small-letters'],
  }),
  fault('quote-receives-one-unit', 'QUOTE-AMOUNTS-FIT-RATE', quote('totalReceivingAmount').set(1)),
  fault(
    'quote-rate-in-hundredths',
    'QUOTE-AMOUNTS-FIT-RATE',
    quote('exchangeRate').map((rate) => Number(rate) * 100),
  ),
  ...(
    [
      ['sending', 'QUOTE-SENDING-CURRENCY'],
      ['receiving', 'QUOTE-RECEIVING-CURRENCY'],
    ] as const
  ).map(([side, rule]): Fault =>
    fault(
      `quote-currencies-both-of-the-other-side-of-${side}`,
      rule,
      shown('presentQuote', (object) => {
        const other = object[side === 'sending' ? 'receivingCurrency' : 'sendingCurrency']!;
        return { ...object, [`${side}Currency`]: other };
      }),
    ),
  ),
  fault(
    'quote-currencies-swapped',
    ['QUOTE-SENDING-CURRENCY', 'QUOTE-RECEIVING-CURRENCY'],
    shown('presentQuote', (object) => ({
      ...object,
      sendingCurrency: object['receivingCurrency']!,
      receivingCurrency: object['sendingCurrency']!,
    })),
  ),
  fault(
    'quotes-name-one-transaction',
    ['QUOTE-TRANSACTION-ID-STABLE', 'ACTION-TRANSACTION-OF-QUOTE'],
    quote('transactionId').set('Transaction:00000000-0000-4000-8000-000000000000'),
  ),
  fault(
    'quote-times-in-the-past',
    'QUOTE-EXPIRES-AFTER-CREATION',
    shown('presentQuote', (object) => ({
      ...object,
      createdAt: earlier(object['createdAt']!),
      expiresAt: earlier(object['expiresAt']!),
    })),
  ),
  fault(
    'quote-platform-fees-negative',
    [
      'QUOTE-PLATFORM-FEES-INCLUDED',
      'QUOTE-PLATFORM-FEE-ZERO',
      'QUOTE-PLATFORM-FEE-APPLIED',
      'QUOTE-FEE-OVERRIDE-APPLIED',
    ],
    quote('platformFeesIncluded').set(-1),
  ),
  fault(
    'quote-challenge-null',
    'QUOTE-SCA-CHALLENGE',
    shown('presentQuote', (object) => ({ ...object, scaChallenge: object['scaChallenge'] ?? null })),
  ),
  fault(
    'pending-authorization-without-challenge',
    'QUOTE-SCA-CHALLENGE-WHILE-PENDING',
    quote('scaChallenge').drop(),
  ),
  fault('challenge-stays-after-authorization', 'QUOTE-SCA-CHALLENGE-ONLY-PENDING', {
    advanceAuthorization: (original) => (world, one) => {
      const { challenge } = one;
      original(world, one);
      if (challenge && !one.challenge) one.challenge = challenge;
    },
    challengeOfQuote: () => (world, one) =>
      one.challenge && world.behaviour.presentQuoteChallenge(one, one.challenge),
  }),
  fault('instructions-not-withheld', 'QUOTE-INSTRUCTIONS-WITHHELD', {
    instructionsWithheld: () => () => false,
  }),
];
