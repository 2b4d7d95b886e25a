import type { DialectAssumption } from '../../../target/dialect/keys.ts';
import { succeeded } from '../succeeded.ts';
import type { CredentialType } from './credential.ts';
import type { Login } from './login.ts';

/** Keys of the dialect: what a request chose where the interface shows nothing. */
type Assumptions = readonly DialectAssumption[];

/** What registering a credential of each type stands on. */
export const registering: Readonly<Record<CredentialType, Assumptions>> = {
  EMAIL_OTP: ['credentialBody.EMAIL_OTP'],
  SMS_OTP: ['credentialBody.SMS_OTP'],
  OAUTH: ['oidcToken'],
  PASSKEY: ['passkey'],
};

/** What logging in with each type stands on. The e-mail's code is stated: 000000 in a sandbox, else the state tells it. */
export const loggingIn: Readonly<Record<CredentialType, Assumptions>> = {
  EMAIL_OTP: ['otpSeal', 'stamp'],
  SMS_OTP: ['otpSeal', 'stamp', 'smsCode'],
  OAUTH: ['oidcToken', 'oidcNonce'],
  PASSKEY: ['passkey'],
};

/** What a request stands on whose path and body the interface does not show. */
export function atUsualPlace(operationId: string): Assumptions {
  return [`paths.${operationId}`, `bodies.${operationId}`];
}

/** What a login with nothing wrong in it has shown. */
export function shownByLogin(type: CredentialType, login: Login): Assumptions {
  const isSigned = type === 'OAUTH' || type === 'PASSKEY' || login.retries.length > 0;
  if (!login.first || !isSigned || !succeeded(login.answer)) return [];
  const opened = login.session && (type === 'OAUTH' || type === 'PASSKEY');
  return [...loggingIn[type], ...(opened ? (['sessionKeySeal'] as const) : [])];
}
