import { fault, shown } from '../fault.ts';
import { shownWrongly } from '../shown-wrongly.ts';

/** ScaChallenge and the answer to a login, shown wrongly. */
export const scaFieldFaults = [
  ...shownWrongly('presentChallenge', 'SCA challenge', {
    id: ['SCA-ID', 'missing', 'bare-uuid'],
    expiresAt: ['SCA-EXPIRES-AT', 'missing', ['in-seconds', () => 120]],
    factor: ['SCA-FACTOR', 'missing', ['as-object', (type) => ({ type })]],
    availableFactors: [
      'SCA-AVAILABLE-FACTORS',
      'missing',
      ['as-text', (list) => (list as string[]).join(',')],
    ],
    purpose: ['SCA-PURPOSE', ['as-list', (purpose) => [purpose]], ['as-number', () => 1]],
    passkeyAssertionOptions: ['SCA-PASSKEY-OPTIONS', ['as-text', (options) => JSON.stringify(options)]],
  }),
  ...shownWrongly('presentLoginChallenge', 'login challenge', {
    passkeyAllowedOrigins: ['SCA-PASSKEY-ORIGINS', ['as-text', (list) => (list as string[]).join(' ')]],
  }),
  ...shownWrongly('presentLoginCompletion', 'login completion', {
    sessionExpiresAt: ['SCA-LOGIN-SESSION-EXPIRES-AT', 'missing', ['in-days', () => 180]],
  }),
  fault(
    'sms-challenge-with-options',
    'SCA-PASSKEY-OPTIONS-ONLY-PASSKEY',
    shown('presentChallenge', (object) =>
      object['factor'] === 'PASSKEY'
        ? object
        : { ...object, passkeyAssertionOptions: { challenge: 'AAAA', rpId: 'sandbox.example' } },
    ),
  ),
  fault(
    'quote-challenge-lists-origins',
    'SCA-NO-ORIGINS-PER-TRANSACTION',
    shown('presentQuoteChallenge', (object) => ({
      ...object,
      passkeyAllowedOrigins: ['https://sandbox.example'],
    })),
  ),
];
