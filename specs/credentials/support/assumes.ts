import type { CredentialType } from '../../../suite/index.ts';
import type { DialectAssumption } from '../../../target/dialect/keys.ts';

/** What a request chose where the interface shows nothing. */
type Assumed = readonly DialectAssumption[];

/** What registering a credential of each type stands on. */
export const registering: Readonly<Record<CredentialType, Assumed>> = {
  EMAIL_OTP: ['credentialBody.EMAIL_OTP'],
  SMS_OTP: ['credentialBody.SMS_OTP'],
  OAUTH: ['oidcToken'],
  PASSKEY: ['passkey'],
};

/** What logging in with each type stands on. The e-mail's code is stated: 000000 in a sandbox, else the state tells it. */
export const loggingIn: Readonly<Record<CredentialType, Assumed>> = {
  EMAIL_OTP: ['otpSeal', 'stamp'],
  SMS_OTP: ['otpSeal', 'stamp', 'smsCode'],
  OAUTH: ['oidcToken', 'oidcNonce'],
  PASSKEY: ['passkey'],
};

/** What a request stands on whose path and body the interface does not show. */
export function atUsualPlace(operationId: string): Assumed {
  return [`paths.${operationId}`, `bodies.${operationId}`];
}
