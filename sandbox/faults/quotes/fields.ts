import type { Json, JsonObject } from '../../server/json.ts';
import type { BehaviourSet } from '../../areas/behaviour.ts';
import type { Price } from '../../areas/quotes/records.ts';
import { answeringWith, giving, no } from '../../areas/replacements.ts';
import { breaking, fault, field, type Fault, shown } from '../fault.ts';
import { shownWrongly } from '../shown-wrongly.ts';

const quote = (name: string) => field('presentQuote', name);

/** Longer than a quote lives, in milliseconds. */
const LONG = 45 * 60_000;

const earlier = (at: Json): string => new Date(Date.parse(String(at)) - LONG).toISOString();

/** The field whose name carries the brand, whatever the brand is. */
function branded(end: string) {
  const at = (object: JsonObject) => Object.keys(object).find((name) => name.endsWith(`Api${end}`)) ?? end;
  return {
    drop: () =>
      shown('presentRateDetails', (object) =>
        Object.fromEntries(Object.entries(object).filter(([name]) => name !== at(object))),
      ),
    map: (change: (value: Json) => Json) =>
      shown('presentRateDetails', (object) => ({
        ...object,
        [at(object)]: change(object[at(object)] ?? null),
      })),
  };
}

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
  ...breaking('QUOTE-AMOUNTS-FIT-RATE', {
    'quote-receives-one-unit': quote('totalReceivingAmount').set(1),
    'quote-amounts-in-32-bits': quote('totalReceivingAmount').map((amount) => Number(amount) % 2 ** 32),
    'quote-rate-in-hundredths': quote('exchangeRate').map((rate) => Number(rate) * 100),
  }),
  ...(
    [
      ['sending', 'QUOTE-SENDING-CURRENCY'],
      ['receiving', 'QUOTE-RECEIVING-CURRENCY'],
    ] as const
  ).map(([side, rule]): Fault =>
    fault(`quote-currencies-both-of-the-other-side-of-${side}`, rule, {
      ...shown('presentQuote', (object) => {
        const other = object[side === 'sending' ? 'receivingCurrency' : 'sendingCurrency']!;
        return { ...object, [`${side}Currency`]: other };
      }),
    }),
  ),
  fault('quote-currencies-swapped', ['QUOTE-SENDING-CURRENCY', 'QUOTE-RECEIVING-CURRENCY'], {
    ...shown('presentQuote', (object) => ({
      ...object,
      sendingCurrency: object['receivingCurrency']!,
      receivingCurrency: object['sendingCurrency']!,
    })),
  }),
  fault('quotes-name-one-transaction', ['QUOTE-TRANSACTION-ID-STABLE', 'ACTION-TRANSACTION-OF-QUOTE'], {
    ...quote('transactionId').set('Transaction:00000000-0000-4000-8000-000000000000'),
  }),
  fault(
    'quote-names-a-transaction-that-is-not-there',
    ['QUOTE-TRANSACTION-ID-STABLE', 'ACTION-TRANSACTION-OF-QUOTE'],
    shown('presentQuote', (object) => ({
      ...object,
      transactionId: String(object['id']).replace('Quote:', 'Transaction:'),
    })),
  ),
  ...(
    [
      ['sending-currency', 'QUOTE-SENDING-CURRENCY', 'sendingCurrency', 'code', 'GBP'],
      ['receiving-currency', 'QUOTE-RECEIVING-CURRENCY', 'receivingCurrency', 'code', 'GBP'],
      ['source', 'QUOTE-SOURCE-KIND', 'source', 'sourceType', 'REALTIME_FUNDING'],
      ['destination', 'QUOTE-DESTINATION-KIND', 'destination', 'destinationType', 'UMA_ADDRESS'],
    ] as const
  ).map(([what, rule, part, name, other]) =>
    fault(
      `read-quote-has-another-${what}`,
      rule,
      answeringWith('GET /quotes/:quoteId', (quote) => ({
        ...quote,
        [part]: { ...(quote[part] as JsonObject), [name]: other },
      })),
    ),
  ),
  fault('quote-times-in-the-past', 'QUOTE-EXPIRES-AFTER-CREATION', {
    ...shown('presentQuote', (object) => ({
      ...object,
      createdAt: earlier(object['createdAt']!),
      expiresAt: earlier(object['expiresAt']!),
    })),
  }),
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
  fault('quote-challenge-null', 'QUOTE-SCA-CHALLENGE', {
    ...shown('presentQuote', (object) => ({ ...object, scaChallenge: object['scaChallenge'] ?? null })),
  }),
  fault('pending-authorization-without-challenge', 'QUOTE-SCA-CHALLENGE-WHILE-PENDING', {
    ...quote('scaChallenge').drop(),
  }),
  fault('challenge-stays-after-authorization', 'QUOTE-SCA-CHALLENGE-ONLY-PENDING', {
    advanceAuthorization: (original) => (world, one) => {
      const { challenge } = one;
      original(world, one);
      if (challenge && !one.challenge) one.challenge = challenge;
    },
    challengeOfQuote: () => (world, one) => one.challenge && world.behaviour.presentChallenge(one.challenge),
  }),
  fault('instructions-not-withheld', 'QUOTE-INSTRUCTIONS-WITHHELD', { instructionsWithheld: no }),

  // PaymentInstructions, OutgoingRateDetails and Currency, shown wrongly.
  ...shownWrongly('presentInstruction', 'payment instruction', {
    accountOrWalletInfo: [
      'INSTRUCTIONS-ACCOUNT-INFO',
      'missing',
      ['as-text', (info) => JSON.stringify(info)],
    ],
    instructionsNotes: ['INSTRUCTIONS-NOTES', ['as-list', (notes) => [notes]]],
    isPlatformAccount: ['INSTRUCTIONS-PLATFORM-ACCOUNT', 'as-text'],
  }),
  ...shownWrongly('presentFundingAccount', 'funding account', {
    accountType: [
      'INSTRUCTIONS-ACCOUNT-TYPE',
      'missing',
      ['instruction-account-type-currency', (type) => String(type).replace(/_.*$/, '')],
      ['lightning-called-lightning-wallet', (type) => (type === 'LIGHTNING' ? 'LIGHTNING_WALLET' : type)],
    ],
    paymentRails: [
      'INSTRUCTIONS-PAYMENT-RAILS',
      ['instruction-rails-as-text', (rails) => (rails as Json[]).join(',')],
      ['instruction-rail-invented', (rails) => [...(rails as Json[]), 'CHEQUE']],
    ],
    accountNumber: ['INSTRUCTIONS-ACCOUNT-NUMBER', ['instruction-account-number-as-number', () => 12345678]],
    routingNumber: ['INSTRUCTIONS-ROUTING-NUMBER', ['instruction-routing-number-as-number', () => 21000021]],
    bankName: ['INSTRUCTIONS-BANK-NAME', ['instruction-bank-name-as-object', (name) => ({ name })]],
    reference: ['INSTRUCTIONS-REFERENCE', ['instruction-reference-as-number', () => 4711]],
    assetType: ['INSTRUCTIONS-ASSET-TYPE', ['instruction-asset-type-as-object', (code) => ({ code })]],
    address: ['INSTRUCTIONS-ADDRESS', ['instruction-address-as-list', (address) => [address]]],
    invoice: ['INSTRUCTIONS-INVOICE', ['instruction-invoice-as-object', (bolt11) => ({ bolt11 })]],
  }),
  ...shownWrongly('presentRateDetails', 'rate details', {
    counterpartyMultiplier: ['RATE-COUNTERPARTY-MULTIPLIER', 'missing', 'zero'],
    counterpartyFixedFee: ['RATE-COUNTERPARTY-FIXED-FEE', 'missing', 'negative'],
  }),
  ...shownWrongly('presentCurrency', 'currency', {
    code: ['CURRENCY-CODE', ['as-number', () => 840], 'in-small-letters'],
    name: ['CURRENCY-NAME', 'null'],
    symbol: ['CURRENCY-SYMBOL', ['as-list', (symbol) => [symbol]]],
    decimals: ['CURRENCY-DECIMALS', 'as-text', 'negative', ['always-seven', () => 7]],
  }),
  fault('rate-without-service-multiplier', 'RATE-SERVICE-MULTIPLIER', branded('Multiplier').drop()),
  fault('rate-service-multiplier-as-text', 'RATE-SERVICE-MULTIPLIER', branded('Multiplier').map(String)),
  ...breaking('RATE-SERVICE-FIXED-FEE', {
    'rate-without-service-fixed-fee': branded('FixedFee').drop(),
    'rate-service-fixed-fee-with-fraction': branded('FixedFee').map((fee) => Number(fee) + 0.5),
  }),
  ...breaking('RATE-SERVICE-VARIABLE-FEE-RATE', {
    'rate-without-variable-fee-rate': branded('VariableFeeRate').drop(),
    'rate-variable-fee-rate-with-percent-sign': branded('VariableFeeRate').map(
      (percent) => `${String(percent)}%`,
    ),
  }),
  ...breaking('RATE-SERVICE-VARIABLE-FEE-AMOUNT', {
    'rate-without-variable-fee-amount': branded('VariableFeeAmount').drop(),
    'rate-variable-fee-amount-as-text': branded('VariableFeeAmount').map(String),
  }),
  fault('rate-variable-fee-of-another-amount', 'RATE-VARIABLE-FEE-EQUATION', {
    ...branded('VariableFeeAmount').map((amount) => Number(amount) * 2 + 3),
  }),
  fault(
    'rate-variable-fee-of-another-amount-where-the-amount-received-is-locked',
    'RATE-VARIABLE-FEE-EQUATION',
    {
      priceTransfer: ofReceived((price) => ({
        ...price,
        variableFeeAmount: price.variableFeeAmount * 2n + 3n,
      })),
    },
  ),
  fault(
    'platform-fee-forgotten-where-the-amount-received-is-locked',
    ['QUOTE-PLATFORM-FEE-APPLIED', 'QUOTE-FEE-OVERRIDE-APPLIED'],
    {
      priceTransfer: ofReceived((price) => ({ ...price, platformFee: 0n })),
    },
  ),
];

/** A price that goes wrong where the amount received is locked. */
function ofReceived(change: (price: Price) => Price) {
  return giving<BehaviourSet['priceTransfer']>((price, _world, _parties, { side }) =>
    side === 'RECEIVING' ? change(price) : price,
  );
}
