import type { DialectAssumption } from '../../../target/dialect/keys.ts';
import { succeeded } from '../succeeded.ts';
import type { CredentialType } from './credential.ts';
import type { Login } from './login.ts';

/** Keys of the dialect that registering a credential stands on. */
const REGISTERING: Readonly<Record<CredentialType, readonly DialectAssumption[]>> = {
  EMAIL_OTP: ['credentialBody.EMAIL_OTP'],
  SMS_OTP: ['credentialBody.SMS_OTP'],
  OAUTH: ['oidcToken'],
  PASSKEY: ['passkey'],
};

/** Keys of the dialect that a login stands on, up to its last answer. */
const VERIFYING: Readonly<Record<CredentialType, readonly DialectAssumption[]>> = {
  EMAIL_OTP: ['otpSeal', 'stamp'],
  SMS_OTP: ['otpSeal', 'stamp', 'smsCode'],
  OAUTH: ['oidcToken', 'oidcNonce'],
  PASSKEY: ['passkey'],
};

/** What a registered credential has shown. */
export function shownByRegistration(type: CredentialType): readonly DialectAssumption[] {
  return REGISTERING[type];
}

/** What a login, in which nothing was bent, has shown. */
export function shownByLogin(type: CredentialType, login: Login): readonly DialectAssumption[] {
  const isSigned = type === 'OAUTH' || type === 'PASSKEY' || login.retries.length > 0;
  if (!login.first || !isSigned || !succeeded(login.answer)) return [];
  const opened = login.session && (type === 'OAUTH' || type === 'PASSKEY');
  return [...VERIFYING[type], ...(opened ? (['sessionKeySeal'] as const) : [])];
}
