import type { DialectKey } from '../../target/dialect/keys.ts';

/** What a profile has to say of a sandbox that does a key of the dialect otherwise (sandbox/variants/dialects). */
export const TOLD = {
  stamp: { scheme: 'ACME_P256', encoding: 'base64' },
  otpSeal: { info: 'acme one-time code', aad: 'none' },
  sessionKeySeal: { info: 'acme session key' },
  smsCode: '424242',
  oidcToken: { issuer: 'https://appleid.apple.com', audience: 'acme-app' },
  oidcNonce: 'base64url',
  passkey: { rpId: 'acme.example', origin: 'https://app.acme.example' },
  credentialBody: { EMAIL_OTP: { email: 'a@acme.example' }, SMS_OTP: { phoneNumber: '+15550100' } },
  agentToken: { header: 'x-acme-agent', value: '{token}' },
  scaProof: { field: 'otp', code: '654321' },
  paths: {
    getQuote: '/orders/{quoteId}',
    executeQuote: '/orders/{quoteId}/run',
    getMyAction: '/agents/me/history/{actionId}',
    listSessions: '/wallet-sessions',
    getTransaction: '/payments/{transactionId}',
    getExternalAccount: '/beneficiaries/{id}',
    getCustomer: '/people/{customerId}',
  },
  bodies: { createQuote: { reference: 'r' }, createAgent: { role: 'r' }, createCustomer: { region: 'US' } },
  effectSeconds: 20,
  eventSeconds: 20,
} as const satisfies Readonly<Record<DialectKey, unknown>>;
