import type { DialectKey } from './keys.ts';

const ONE_TIME_CODES = ['VERIFY-EMAIL-OTP-ACCEPTED', 'VERIFY-SMS-OTP-FLOW', 'OTP-SANDBOX-CODE'];
const FIRST_CREDENTIALS = ['CREDENTIAL-FURTHER-CREATED'];

/**
 * Rules whose request stands on each key: while nobody has shown that the target speaks it, a refusal leaves them open. For
 * an entry of many parts: the rules of the parts that rules stand on.
 */
export const RULES_ON: Readonly<Record<DialectKey, readonly string[]>> = {
  agentToken: ['TRANSFER-ACCEPTED'],
  stamp: [
    ...ONE_TIME_CODES,
    ...FIRST_CREDENTIALS,
    'SESSION-KEY-SIGNS',
    'SESSION-REAUTHENTICATE-OAUTH',
    'SESSION-REAUTHENTICATE-PASSKEY',
  ],
  otpSeal: ONE_TIME_CODES,
  sessionKeySeal: ['SESSION-KEY-SEALED-TO-CLIENT', 'SESSION-KEY-SIGNS'],
  smsCode: ['VERIFY-SMS-OTP-FLOW'],
  scaProof: ['SCA-AUTHORIZE-ACCEPTED'],
  oidcToken: [...FIRST_CREDENTIALS, 'CREDENTIAL-CREATE-OAUTH', 'VERIFY-OAUTH-ACCEPTED'],
  oidcNonce: ['VERIFY-OAUTH-ACCEPTED'],
  passkey: [...FIRST_CREDENTIALS, 'CREDENTIAL-CREATE-PASSKEY', 'VERIFY-PASSKEY-ACCEPTED'],
  credentialBody: [
    ...FIRST_CREDENTIALS,
    'CREDENTIAL-CREATE-EMAIL-OTP',
    'CREDENTIAL-CREATE-SMS-OTP',
    'CREDENTIAL-EMAIL-OTP-DUPLICATE',
    'CREDENTIAL-SMS-OTP-DUPLICATE',
  ],
  paths: ['RETRY-SESSION-REFRESH', 'RETRY-SESSION-REVOKE', 'RETRY-WALLET-EXPORT', 'RETRY-WALLET-PRIVACY'],
  bodies: ['QUOTE-CREATE-ACCEPTED', 'RETRY-SESSION-REFRESH', 'RETRY-WALLET-EXPORT', 'RETRY-WALLET-PRIVACY'],
  effectSeconds: ['ACTION-APPROVE-BEGINS-EXECUTION', 'ACTION-EXECUTION-FAILURE'],
  eventSeconds: ['EVENT-ACCOUNT-ACTIVE', 'EVENT-ACCOUNT-UNVERIFIED'],
};
