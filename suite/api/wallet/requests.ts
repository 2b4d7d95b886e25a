import { randomUUID } from 'node:crypto';
import type { PasskeyAssertion } from '../../../client/crypto/index.ts';
import type { Call } from '../../../client/call.ts';
import type { CallParts } from '../platform.ts';

/** A request to one operation of the contract: what is sent, and sent again on the signed retry. */
export interface WalletRequest extends CallParts {
  readonly operation: Call['operation'];
}

/** Every operation of wallet credentials and sessions as a request, before anything is sent or signed. */
export const walletRequests = {
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

  challenge: (credentialId: string, as: string | undefined, clientPublicKey?: string): WalletRequest => ({
    operation: 'challengeCredential',
    label: 'asking for a challenge',
    path: { id: credentialId },
    ...(as === undefined ? {} : { as }),
    ...(clientPublicKey === undefined ? {} : { body: { clientPublicKey } }),
  }),

  verifyOtp: (credentialId: string, type: string, encryptedOtpBundle: string): WalletRequest => ({
    operation: 'verifyCredential',
    label: 'verifying the one-time code',
    path: { id: credentialId },
    as: 'AuthSessionEmailOtp',
    body: { type, encryptedOtpBundle },
  }),

  verifyOauth: (credentialId: string, oidcToken: string, clientPublicKey: string): WalletRequest => ({
    operation: 'verifyCredential',
    label: 'verifying the OIDC identity',
    path: { id: credentialId },
    as: 'AuthSessionSealed',
    body: { type: 'OAUTH', oidcToken, clientPublicKey },
  }),

  /** `requestId` is that of the challenge call; undefined leaves the header out. */
  verifyPasskey: (
    credentialId: string,
    assertion: PasskeyAssertion,
    requestId: string | undefined,
  ): WalletRequest => ({
    operation: 'verifyCredential',
    label: 'verifying the passkey',
    path: { id: credentialId },
    as: 'AuthSessionSealed',
    headers: { 'Request-Id': requestId },
    body: { type: 'PASSKEY', assertion },
  }),

  revoke: (credentialId: string): WalletRequest => ({
    operation: 'revokeCredential',
    label: 'revoking the credential',
    path: { id: credentialId },
  }),

  listSessions: (accountId: string): WalletRequest => ({
    operation: 'listSessions',
    label: "listing the account's sessions",
    query: { accountId },
  }),

  refreshSession: (sessionId: string, clientPublicKey: string): WalletRequest => ({
    operation: 'refreshSession',
    label: 'refreshing the session',
    path: { id: sessionId },
    body: { clientPublicKey },
  }),

  revokeSession: (sessionId: string): WalletRequest => ({
    operation: 'revokeSession',
    label: 'revoking the session',
    path: { id: sessionId },
  }),

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
