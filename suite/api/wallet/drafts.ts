import type {
  OidcIdentity,
  OidcOverrides,
  PasskeyRegistration,
  SoftwarePasskey,
} from '../../../client/crypto/index.ts';
import type { Draft, OtpType } from './credential.ts';
import { newIdentity, newPasskey, sharedIssuer } from './identities.ts';
import type { WalletMeans } from './means.ts';

/** What an OAUTH registration may do differently. */
export interface OauthDraft {
  readonly identity?: Partial<OidcIdentity>;
  readonly claims?: OidcOverrides;
  /** The text to send in place of the good token. */
  readonly token?: (good: string) => string;
}

/** What a PASSKEY registration may do differently. */
export interface PasskeyDraft {
  readonly passkey?: SoftwarePasskey;
  readonly nickname?: string;
  /** Registers in another way than it should. */
  readonly register?: (passkey: SoftwarePasskey, challenge: Uint8Array) => PasskeyRegistration;
}

export function draftOtp({ profile }: WalletMeans, type: OtpType, accountId: string): Draft {
  return { type, body: { type, accountId, ...profile.dialect.credentialBody[type] } };
}

export async function draftOauth(
  means: WalletMeans,
  accountId: string,
  now: Date,
  bend: OauthDraft = {},
): Promise<Draft> {
  const identity = newIdentity(means.profile, bend.identity);
  const issuer = await sharedIssuer();
  const good = await issuer.token(identity, undefined, bend.claims, now);
  const oidcToken = bend.token?.(good) ?? good;
  means.secrets.add(good, oidcToken);
  return { type: 'OAUTH', identity, body: { type: 'OAUTH', accountId, oidcToken } };
}

export function draftPasskey(means: WalletMeans, accountId: string, bend: PasskeyDraft = {}): Draft {
  const passkey = bend.passkey ?? newPasskey(means);
  const challenge = crypto.getRandomValues(new Uint8Array(32));
  const registration = bend.register?.(passkey, challenge) ?? passkey.register(challenge);
  return {
    type: 'PASSKEY',
    passkey,
    body: { type: 'PASSKEY', accountId, nickname: bend.nickname ?? 'Assay passkey', ...registration },
  };
}
