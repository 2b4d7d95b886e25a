import { blames } from './hold.ts';
import { pendingQuote, put, quote, scaChallenge, TIME } from './legal.ts';

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
