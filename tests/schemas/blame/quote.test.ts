import {
  blames,
  fieldCases,
  instructions,
  pendingQuote,
  put,
  quote,
  rateDetails,
  without,
  TIME,
  scaChallenge,
} from './hold.ts';

const realtime = put(
  put(pendingQuote, 'source.sourceType', 'REALTIME_FUNDING'),
  'paymentInstructions',
  instructions,
);
const account = (info: unknown) => put(quote, 'paymentInstructions', [{ accountOrWalletInfo: info }]);

blames('Quote', [
  ['a legal one', quote],
  ...fieldCases(
    quote,
    {
      id: 'QUOTE-ID',
      status: 'QUOTE-STATUS',
      expiresAt: 'QUOTE-EXPIRES-AT',
      createdAt: 'QUOTE-CREATED-AT',
      source: 'QUOTE-SOURCE',
      destination: 'QUOTE-DESTINATION',
      sendingCurrency: 'QUOTE-SENDING-CURRENCY',
      receivingCurrency: 'QUOTE-RECEIVING-CURRENCY',
      totalSendingAmount: 'QUOTE-TOTAL-SENDING-AMOUNT',
      totalReceivingAmount: 'QUOTE-TOTAL-RECEIVING-AMOUNT',
      exchangeRate: 'QUOTE-EXCHANGE-RATE',
      feesIncluded: 'QUOTE-FEES-INCLUDED',
      transactionId: 'QUOTE-TRANSACTION-ID',
    },
    (object, field) => [
      ['absent', without(object, field)],
      ['null', put(object, field, null)],
      ['a boolean', put(object, field, true)],
    ],
  ),
  ['a sum of zero', put(quote, 'totalSendingAmount', 0), 'QUOTE-TOTAL-SENDING-AMOUNT'],
  ['a rate of zero', put(quote, 'exchangeRate', 0), 'QUOTE-EXCHANGE-RATE'],
  ['negative fees', put(quote, 'feesIncluded', -1), 'QUOTE-FEES-INCLUDED'],
  ['negative platform fees', put(quote, 'platformFeesIncluded', -1), 'QUOTE-PLATFORM-FEES-INCLUDED'],
  ['negative decimals', put(quote, 'sendingCurrency.decimals', -1), 'CURRENCY-DECIMALS'],
  ['a currency code in small letters', put(quote, 'sendingCurrency.code', 'usd'), 'CURRENCY-CODE'],
  ['a numeric currency code', put(quote, 'sendingCurrency.code', 840), 'CURRENCY-CODE'],
  [
    'counterparty information as text',
    put(quote, 'counterpartyInformation', 'x'),
    'QUOTE-COUNTERPARTY-INFORMATION-FORM',
  ],
  ['rate details', put(quote, 'rateDetails', rateDetails)],
  ['rate details as a number', put(quote, 'rateDetails', 3), 'QUOTE-RATE-DETAILS'],
  ...fieldCases(
    put(quote, 'rateDetails', rateDetails),
    {
      'rateDetails.counterpartyMultiplier': 'RATE-COUNTERPARTY-MULTIPLIER',
      'rateDetails.counterpartyFixedFee': 'RATE-COUNTERPARTY-FIXED-FEE',
      'rateDetails.serviceApiMultiplier': 'RATE-SERVICE-MULTIPLIER',
      'rateDetails.serviceApiFixedFee': 'RATE-SERVICE-FIXED-FEE',
      'rateDetails.serviceApiVariableFeeRate': 'RATE-SERVICE-VARIABLE-FEE-RATE',
      'rateDetails.serviceApiVariableFeeAmount': 'RATE-SERVICE-VARIABLE-FEE-AMOUNT',
    },
    (object, field) => [
      ['absent', without(object, field)],
      ['negative', put(object, field, -1)],
      ['in quotes', put(object, field, '1')],
    ],
  ),
  ['payment instructions', put(quote, 'paymentInstructions', instructions)],
  ['instructions without an account', put(quote, 'paymentInstructions', [{}]), 'INSTRUCTIONS-ACCOUNT-INFO'],
  ['instructions as text', put(quote, 'paymentInstructions', ['x']), 'QUOTE-PAYMENT-INSTRUCTIONS'],
  ['an account of no type', account({}), 'INSTRUCTIONS-ACCOUNT-TYPE'],
  ['an account of an unknown type', account({ accountType: 'X' }), 'INSTRUCTIONS-ACCOUNT-TYPE'],
  ['a numeric invoice', account({ accountType: 'LIGHTNING', invoice: 1 }), 'INSTRUCTIONS-INVOICE'],
  [
    'an unknown rail',
    account({ accountType: 'USD_ACCOUNT', paymentRails: ['X'] }),
    'INSTRUCTIONS-PAYMENT-RAILS',
  ],
  ['instructions while realtime funding awaits authorization', realtime, 'QUOTE-INSTRUCTIONS-WITHHELD'],
  ['empty instructions there', put(realtime, 'paymentInstructions', [])],
  [
    'instructions that are null there',
    put(realtime, 'paymentInstructions', null),
    'QUOTE-PAYMENT-INSTRUCTIONS',
  ],
  ['no instructions there', without(realtime, 'paymentInstructions')],
  ['instructions of an account source there', put(realtime, 'source.sourceType', 'ACCOUNT')],
]);

blames('Quote', [
  ['awaiting authorization, with its challenge', pendingQuote],
  [
    'awaiting authorization, without a challenge',
    put(quote, 'status', 'PENDING_AUTHORIZATION'),
    'QUOTE-SCA-CHALLENGE-WHILE-PENDING',
  ],
  [
    'a challenge beyond authorization',
    put(pendingQuote, 'status', 'PROCESSING'),
    'QUOTE-SCA-CHALLENGE-ONLY-PENDING',
  ],
  ['a challenge that is null', put(pendingQuote, 'scaChallenge', null), 'QUOTE-SCA-CHALLENGE'],
  ['an empty factor', put(pendingQuote, 'scaChallenge.factor', ''), 'SCA-FACTOR'],
  ['a factor that is not known yet', put(pendingQuote, 'scaChallenge.factor', 'TOTP')],
  ['numeric factors', put(pendingQuote, 'scaChallenge.availableFactors', [1]), 'SCA-AVAILABLE-FACTORS'],
  ['a purpose of null', put(pendingQuote, 'scaChallenge.purpose', null)],
  ['a purpose that is not known yet', put(pendingQuote, 'scaChallenge.purpose', 'NEW')],
  ['a numeric purpose', put(pendingQuote, 'scaChallenge.purpose', 3), 'SCA-PURPOSE'],
  [
    'passkey options for a text message',
    put(pendingQuote, 'scaChallenge.passkeyAssertionOptions', {}),
    'SCA-PASSKEY-OPTIONS-ONLY-PASSKEY',
  ],
  ['passkey options of null', put(pendingQuote, 'scaChallenge.passkeyAssertionOptions', null)],
  [
    'passkey options as text',
    put(pendingQuote, 'scaChallenge.passkeyAssertionOptions', 'x'),
    'SCA-PASSKEY-OPTIONS',
  ],
  [
    'passkey options for a passkey',
    put(put(pendingQuote, 'scaChallenge.factor', 'PASSKEY'), 'scaChallenge.passkeyAssertionOptions', {
      challenge: 'a',
    }),
  ],
  [
    'origins per transaction',
    put(pendingQuote, 'scaChallenge.passkeyAllowedOrigins', ['https://a']),
    'SCA-NO-ORIGINS-PER-TRANSACTION',
  ],
  ['origins of null', put(pendingQuote, 'scaChallenge.passkeyAllowedOrigins', null)],
]);

blames('ScaChallenge', [
  ['origins at login', { ...scaChallenge, passkeyAllowedOrigins: ['https://a'] }],
  ['origins as text', { ...scaChallenge, passkeyAllowedOrigins: 'https://a' }, 'SCA-PASSKEY-ORIGINS'],
]);

blames('ScaLoginCompletion', [
  ['a legal one', { status: 'x', sessionExpiresAt: TIME }],
  ['without the end of the session', {}, 'SCA-LOGIN-SESSION-EXPIRES-AT'],
]);
