import type { KeyPair, OidcIdentity, SoftwarePasskey } from '../../../client/crypto/index.ts';
import type { SignedRetry } from '../../../client/signed-retry.ts';
import type { DialectAssumption } from '../../../target/dialect/keys.ts';
import type { OtpType } from '../../../target/states/types.ts';
import { type Answer, succeeded } from '../../answer.ts';
import type { Login } from './login.ts';

export type { OtpType };
/** A CredentialType of the interface. */
export type CredentialType = OtpType | 'OAUTH' | 'PASSKEY';

/** What proves a credential of a type, beside a code that is sent. */
type Proof<T extends CredentialType> = T extends 'OAUTH'
  ? { readonly identity: OidcIdentity }
  : T extends 'PASSKEY'
    ? { readonly passkey: SoftwarePasskey }
    : unknown;

/** What a caller holds of a registered credential: its id, and whatever proves it. */
export type Credential<T extends CredentialType = CredentialType> = T extends CredentialType
  ? { readonly type: T; readonly id: string } & Proof<T>
  : never;

/** A credential that is not registered yet: the body that registers it, and what will prove it. */
export type Draft<T extends CredentialType = CredentialType> = T extends CredentialType
  ? { readonly type: T; readonly body: Readonly<Record<string, unknown>> } & Proof<T>
  : never;

/** The draft's credential under the id that registration answered. */
export function registered<T extends CredentialType>(draft: Draft<T>, id: string): Credential<T> {
  const { body: _body, ...rest } = draft;
  return { ...rest, id } as unknown as Credential<T>;
}

/** A signed retry, and what it registered. */
export interface Registration<T extends CredentialType = CredentialType> extends SignedRetry<Answer> {
  readonly draft: Draft<T>;
  /** Present when registration was accepted with an id. */
  readonly credential: Credential<T> | undefined;
}

/** A session that was minted: the key that signs the account's wallet requests. */
export interface WalletSession {
  readonly key: KeyPair;
  /** The credential that issued it. */
  readonly credentialId: string;
  readonly type: CredentialType;
  /** As answered; ISO 8601. */
  readonly expiresAt: string | undefined;
  /** Session:uuid; promised for one-time codes only. */
  readonly id: string | undefined;
}

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
