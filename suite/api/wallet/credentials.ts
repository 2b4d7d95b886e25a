import { randomBytes, randomUUID } from 'node:crypto';
import {
  OidcIssuer,
  SoftwarePasskey,
  type KeyPair,
  type OidcIdentity,
  type OidcOverrides,
  type PasskeyRegistration,
} from '../../../client/crypto/index.ts';
import type { SignedRetry } from '../../../client/signed-retry.ts';
import type { DialectAssumption } from '../../../target/dialect/keys.ts';
import type { OtpType } from '../../../target/states/types.ts';
import type { Answer } from '../../answers/answer.ts';
import type { Wallet, WalletRequest } from '../wallet.ts';

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

/** The operations on credentials as requests, before anything is sent or signed. That of a login stands in logins.ts. */
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

/** What registering a credential of each type stands on, where the interface shows nothing. */
export const registering: Readonly<Record<CredentialType, readonly DialectAssumption[]>> = {
  EMAIL_OTP: ['credentialBody.EMAIL_OTP'],
  SMS_OTP: ['credentialBody.SMS_OTP'],
  OAUTH: ['oidcToken'],
  PASSKEY: ['passkey'],
};

// ----------------------------------------------------------------------------------------------------------- drafts

/** A credential of one-time codes, with what this target wants in its body beside the interface's fields. */
export function draftCode<T extends OtpType>({ means, accountId }: Wallet, type: T): Draft<T> {
  const fields = means.profile.dialect.credentialBody[type];
  return { type, body: { type, accountId, ...fields } } as unknown as Draft<T>;
}

/** What a token may say differently from what it should. */
export interface TokenOptions {
  /** Claims to set, or with undefined to leave out. */
  readonly claims?: OidcOverrides;
  /** The text to send in place of the good token. */
  readonly token?: (good: string) => string;
}

/** What an OAUTH registration may do differently. */
export interface OauthDraftOptions extends TokenOptions {
  /** Whose credential it is; somebody whom no other test knows unless given. */
  readonly identity?: Partial<OidcIdentity>;
}

/** A credential of an identity that no other account has, with a token that was issued now (section Authentication, 7). */
export async function draftOauth(
  wallet: Wallet,
  { identity: changes, ...options }: OauthDraftOptions = {},
): Promise<Draft<'OAUTH'>> {
  const { issuer: iss, audience: aud } = wallet.means.profile.dialect.oidcToken;
  const sub = randomUUID();
  const identity = { iss, aud, sub, email: `assay-${sub}@example.com`, ...changes };
  const oidcToken = await tokenOf(wallet, identity, options);
  return { type: 'OAUTH', identity, body: { type: 'OAUTH', accountId: wallet.accountId, oidcToken } };
}

let issuer: Promise<OidcIssuer> | undefined;

/** A token by the issuer of this process; its RSA key takes a tenth of a second to make. */
export async function tokenOf(
  { means, clock }: Wallet,
  identity: OidcIdentity,
  { claims, token: change }: TokenOptions,
): Promise<string> {
  const now = clock.now();
  issuer ??= OidcIssuer.create();
  const good = await (await issuer).token(identity, undefined, claims, now);
  const token = change?.(good) ?? good;
  means.secrets.add(good, token);
  return token;
}

/** In what a passkey differs from any other of the integrator's domain. */
export interface PasskeyChanges {
  readonly credentialId?: string;
  readonly userHandle?: string;
  /** Its own key; a fresh one unless given. */
  readonly key?: KeyPair;
  /** What its authenticator counts from; one that keeps no counter says 0 each time. */
  readonly counter?: number;
}

/** A passkey of the integrator's domain. Its assertions carry a userHandle, as those of platforms' passkeys do. */
export function newPasskey(wallet: Wallet, changes: PasskeyChanges = {}): SoftwarePasskey {
  const userHandle = Buffer.from(randomUUID()).toString('base64url');
  const { passkey } = wallet.means.profile.dialect;
  return new SoftwarePasskey({ ...passkey, userHandle, key: wallet.newKey(), ...changes });
}

/** What a PASSKEY registration may do differently. */
export interface PasskeyDraftOptions {
  readonly passkey?: SoftwarePasskey;
  readonly nickname?: string;
  /** Registers in another way than it should. */
  readonly register?: (passkey: SoftwarePasskey, challenge: Uint8Array) => PasskeyRegistration;
}

/** A passkey, registered over a challenge of our own as the integrator's backend issues it (section Credential operations). */
export function draftPasskey(
  wallet: Wallet,
  { nickname = 'Assay passkey', ...options }: PasskeyDraftOptions = {},
): Draft<'PASSKEY'> {
  const { accountId } = wallet;
  const passkey = options.passkey ?? newPasskey(wallet);
  const challenge = new Uint8Array(randomBytes(32));
  const registration = options.register?.(passkey, challenge) ?? passkey.register(challenge);
  return { type: 'PASSKEY', passkey, body: { type: 'PASSKEY', accountId, nickname, ...registration } };
}

/** A fresh draft of any type. */
export async function draft<T extends CredentialType>(wallet: Wallet, type: T): Promise<Draft<T>> {
  const made: Draft =
    type === 'OAUTH'
      ? await draftOauth(wallet)
      : type === 'PASSKEY'
        ? draftPasskey(wallet)
        : draftCode(wallet, type as OtpType);
  return made as Draft<T>;
}

// ------------------------------------------------------------------------------------------------ what a list shows

/** One entry of a list of credentials, as far as it can be trusted. */
interface Listed {
  readonly id?: string;
  readonly accountId?: string;
  readonly type?: string;
  readonly nickname?: string;
  readonly credentialId?: string;
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
export function ownIds(list: Answer, { accountId }: Pick<Wallet, 'accountId'>): readonly string[] {
  return entriesOf(list)
    .filter((entry) => entry.accountId === undefined || lower(entry.accountId) === lower(accountId))
    .map((entry) => lower(entry.id))
    .sort();
}

/** A text in lower case, and '' for what is none: for comparing ids, whose digits mean the same in either case. */
export function lower(text: unknown): string {
  return typeof text === 'string' ? text.toLowerCase() : '';
}
