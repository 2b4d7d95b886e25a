/** Credentials that are not registered yet. Making one sends nothing. */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  OidcIssuer,
  SoftwarePasskey,
  type KeyPair,
  type OidcIdentity,
  type OidcOverrides,
  type PasskeyRegistration,
} from '../../../client/crypto/index.ts';
import type { OtpType } from '../../../target/states/types.ts';
import type { CredentialType, Draft } from './requests.ts';
import type { WalletSigner } from './signer.ts';

/** A credential of one-time codes, with what this target wants in its body beside the interface's fields. */
export function draftCode<T extends OtpType>({ means, accountId }: WalletSigner, type: T): Draft<T> {
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
  wallet: WalletSigner,
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
  { means, clock }: WalletSigner,
  identity: OidcIdentity,
  { claims, token: change }: TokenOptions,
): Promise<string> {
  const now = clock.issuingTime();
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
export function newPasskey(wallet: WalletSigner, changes: PasskeyChanges = {}): SoftwarePasskey {
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
  wallet: WalletSigner,
  { nickname = `Assay ${randomBytes(4).toString('hex')}`, ...options }: PasskeyDraftOptions = {},
): Draft<'PASSKEY'> {
  const { accountId } = wallet;
  const passkey = options.passkey ?? newPasskey(wallet);
  const challenge = new Uint8Array(randomBytes(32));
  const registration = options.register?.(passkey, challenge) ?? passkey.register(challenge);
  return { type: 'PASSKEY', passkey, body: { type: 'PASSKEY', accountId, nickname, ...registration } };
}

/** A fresh draft of any type. */
export async function draft<T extends CredentialType>(wallet: WalletSigner, type: T): Promise<Draft<T>> {
  const made: Draft =
    type === 'OAUTH'
      ? await draftOauth(wallet)
      : type === 'PASSKEY'
        ? draftPasskey(wallet)
        : draftCode(wallet, type as OtpType);
  return made as Draft<T>;
}
