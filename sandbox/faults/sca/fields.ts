import { bare, faultsOf, field, shown } from '../fault.ts';

const challenge = (name: string) => field('presentChallenge', name);

/** ScaChallenge and the answer to a login, shown wrongly. */
export const scaFieldFaults = faultsOf([
  ['challenge-without-id', 'SCA-ID', 'A challenge has no id.', challenge('id').drop()],
  ['challenge-id-bare-uuid', 'SCA-ID', 'The id of a challenge is a bare uuid.', challenge('id').map(bare)],
  [
    'challenge-without-expires-at',
    'SCA-EXPIRES-AT',
    'A challenge has no expiresAt.',
    challenge('expiresAt').drop(),
  ],
  [
    'challenge-expires-at-in-seconds',
    'SCA-EXPIRES-AT',
    'The expiresAt of a challenge counts seconds.',
    challenge('expiresAt').set(120),
  ],
  ['challenge-without-factor', 'SCA-FACTOR', 'A challenge has no factor.', challenge('factor').drop()],
  [
    'challenge-factor-as-object',
    'SCA-FACTOR',
    'The factor of a challenge is an object.',
    challenge('factor').map((type) => ({ type })),
  ],
  [
    'challenge-without-available-factors',
    'SCA-AVAILABLE-FACTORS',
    'A challenge has no availableFactors.',
    challenge('availableFactors').drop(),
  ],
  [
    'challenge-available-factors-as-text',
    'SCA-AVAILABLE-FACTORS',
    'The availableFactors of a challenge are text.',
    challenge('availableFactors').map((list) => (list as string[]).join(',')),
  ],
  [
    'challenge-purpose-as-list',
    'SCA-PURPOSE',
    'The purpose of a challenge is a list.',
    challenge('purpose').map((purpose) => [purpose]),
  ],
  [
    'challenge-purpose-as-number',
    'SCA-PURPOSE',
    'The purpose of a challenge is a number.',
    challenge('purpose').set(1),
  ],
  [
    'challenge-options-as-text',
    'SCA-PASSKEY-OPTIONS',
    'The passkeyAssertionOptions are JSON in a text.',
    challenge('passkeyAssertionOptions').map((options) => JSON.stringify(options)),
  ],
  [
    'sms-challenge-with-options',
    'SCA-PASSKEY-OPTIONS-ONLY-PASSKEY',
    'A challenge of another factor carries passkeyAssertionOptions.',
    shown('presentChallenge', (object) =>
      object['factor'] === 'PASSKEY'
        ? object
        : { ...object, passkeyAssertionOptions: { challenge: 'AAAA', rpId: 'sandbox.example' } },
    ),
  ],
  [
    'login-origins-as-text',
    'SCA-PASSKEY-ORIGINS',
    'The passkeyAllowedOrigins of a login are text.',
    field('presentLoginChallenge', 'passkeyAllowedOrigins').map((list) => (list as string[]).join(' ')),
  ],
  [
    'quote-challenge-lists-origins',
    'SCA-NO-ORIGINS-PER-TRANSACTION',
    'The challenge of a quote lists passkeyAllowedOrigins.',
    shown('presentQuoteChallenge', (object) => ({
      ...object,
      passkeyAllowedOrigins: ['https://sandbox.example'],
    })),
  ],
  [
    'login-without-session-expires-at',
    'SCA-LOGIN-SESSION-EXPIRES-AT',
    'A completed login has no sessionExpiresAt.',
    field('presentLoginCompletion', 'sessionExpiresAt').drop(),
  ],
  [
    'login-session-expires-at-in-days',
    'SCA-LOGIN-SESSION-EXPIRES-AT',
    'The sessionExpiresAt of a login counts days.',
    field('presentLoginCompletion', 'sessionExpiresAt').set(180),
  ],
]);
