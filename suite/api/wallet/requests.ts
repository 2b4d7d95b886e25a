/** What is sent to the credential operations, what their answers show, and what a caller holds of a wallet. Nothing here sends. */
import { randomUUID } from 'node:crypto';
import type { Call } from '../../../client/call.ts';
import type { KeyPair, OidcIdentity, SoftwarePasskey } from '../../../client/crypto/index.ts';
import type { RetryChallenge, SignedRetry } from '../../../client/signed-retry.ts';
import type { DialectAssumption } from '../../../target/dialect/keys.ts';
import type { OtpType } from '../../../target/states/types.ts';
import { type Answer, succeeded } from '../../answers/answer.ts';
import type { CallParts } from '../platform.ts';

// -------------------------------------------------------------------------------------------------- what is held

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

/** What registering a credential of each type stands on, where the interface shows nothing. */
export const registering: Readonly<Record<CredentialType, readonly DialectAssumption[]>> = {
  EMAIL_OTP: ['credentialBody.EMAIL_OTP'],
  SMS_OTP: ['credentialBody.SMS_OTP'],
  OAUTH: ['oidcToken'],
  PASSKEY: ['passkey'],
};

/** What logging in with each type stands on. The e-mail's code is stated: 000000 in a sandbox, else the state tells it. */
export const loggingIn: Readonly<Record<CredentialType, readonly DialectAssumption[]>> = {
  EMAIL_OTP: ['otpSeal', 'stamp'],
  SMS_OTP: ['otpSeal', 'stamp', 'smsCode'],
  OAUTH: ['oidcToken', 'oidcNonce'],
  PASSKEY: ['passkey'],
};

// -------------------------------------------------------------------------------------------------- what is sent

/** A request to one operation of the contract: what is sent, and sent again on the signed retry. */
export interface WalletRequest extends CallParts {
  readonly operation: Call['operation'];
}

/** The operations on credentials. That of a login stands in logins.ts. */
export const credentialRequests = {
  register: (body: unknown): WalletRequest => ({
    operation: 'createCredential',
    label: 'registering a credential',
    body,
  }),

  list: (accountId: string): WalletRequest => ({
    operation: 'listCredentials',
    label: "listing the account's credentials",
    query: { accountId },
  }),

  /** @param as name of the component that the answer must be, where that is known */
  challenge: (credentialId: string, as: string | undefined, clientPublicKey?: string): WalletRequest => ({
    operation: 'challengeCredential',
    label: 'asking for a challenge',
    path: { id: credentialId },
    ...(as === undefined ? {} : { as }),
    ...(clientPublicKey === undefined ? {} : { body: { clientPublicKey } }),
  }),

  revoke: (credentialId: string): WalletRequest => ({
    operation: 'revokeCredential',
    label: 'revoking the credential',
    path: { id: credentialId },
  }),
} as const;

/** The operations on sessions. Their paths and bodies are not shown: the profile tells them. */
export const sessionRequests = {
  list: (accountId: string): WalletRequest => ({
    operation: 'listSessions',
    label: "listing the account's sessions",
    query: { accountId },
  }),

  /** @param clientPublicKey that the new session key is sealed to */
  refresh: (sessionId: string, clientPublicKey: string): WalletRequest => ({
    operation: 'refreshSession',
    label: 'refreshing the session',
    path: { id: sessionId },
    body: { clientPublicKey },
  }),

  revoke: (sessionId: string): WalletRequest => ({
    operation: 'revokeSession',
    label: 'revoking the session',
    path: { id: sessionId },
  }),
} as const;

/** The operations on the wallet and its customer. Their bodies are not shown: the profile tells them. */
export const walletRequests = {
  exportWallet: (accountId: string, clientPublicKey: string): WalletRequest => ({
    operation: 'exportWallet',
    label: 'exporting the wallet',
    path: { id: accountId },
    body: { clientPublicKey },
  }),

  setPrivacy: (accountId: string, privateEnabled: boolean): WalletRequest => ({
    operation: 'updateInternalAccount',
    label: `setting the wallet's privacy to ${privateEnabled}`,
    path: { id: accountId },
    body: { privateEnabled },
  }),

  setEmail: (customerId: string, email: string): WalletRequest => ({
    operation: 'updateCustomer',
    label: "changing the customer's e-mail",
    path: { customerId },
    body: { customerType: 'INDIVIDUAL', email },
  }),
} as const;

/** An e-mail address that no other test uses. */
export function newEmail(): string {
  return `assay-${randomUUID()}@example.com`;
}

// ------------------------------------------------------------------------------------------ what the answers show

/** The challenge of a 2xx answer. Its status is another rule's concern. */
export function challengeIn(answer: Answer): RetryChallenge | undefined {
  if (!succeeded(answer)) return undefined;
  const { payloadToSign, requestId } = (answer.body ?? {}) as Record<string, unknown>;
  return typeof payloadToSign === 'string' && typeof requestId === 'string'
    ? { payloadToSign, requestId }
    : undefined;
}

/** Whether an answer refuses a request for want of the wallet headers. */
export function isRefusedUnsigned(answer: Answer): boolean {
  return (
    answer.exchange.response !== undefined &&
    /^WALLET_SIGNATURE_|^REQUEST_ID_MISSING$/.test(answer.code ?? '')
  );
}

/** One entry of a list of credentials, as far as it can be trusted. */
interface Listed {
  readonly id?: string;
  readonly accountId?: string;
  readonly type?: string;
  readonly nickname?: string;
  readonly credentialId?: string;
  readonly createdAt?: string;
}

/** The entries of a list answer; none when the answer is no list, which is another rule's concern. */
export function entriesOf(list: Answer): readonly Listed[] {
  const data: unknown = list.body?.data;
  return Array.isArray(data) ? (data as Listed[]) : [];
}

/** Ids, comparable: the digits of a uuid mean the same in either case. */
export function idsOf(list: Answer): readonly string[] {
  return entriesOf(list).map((entry) => lower(entry.id));
}

/** The same, sorted, without entries that say that they are another account's: these are a rule of their own. */
export function ownIds(list: Answer, { accountId }: { readonly accountId: string }): readonly string[] {
  return entriesOf(list)
    .filter((entry) => entry.accountId === undefined || lower(entry.accountId) === lower(accountId))
    .map((entry) => lower(entry.id))
    .sort();
}

/** A text in lower case, and '' for what is none: for comparing ids, whose digits mean the same in either case. */
export function lower(text: unknown): string {
  return typeof text === 'string' ? text.toLowerCase() : '';
}
