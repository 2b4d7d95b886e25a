import type { OidcIdentity, SoftwarePasskey } from '../../../client/crypto/index.ts';
import type { OtpType } from '../../../target/states/wallet-account-state.ts';

export type { OtpType };
/** A CredentialType of the interface. */
export type CredentialType = OtpType | 'OAUTH' | 'PASSKEY';

/** What a caller holds of a registered credential: its id, and whatever proves it. */
export type Credential =
  | { readonly type: OtpType; readonly id: string }
  | { readonly type: 'OAUTH'; readonly id: string; readonly identity: OidcIdentity }
  | { readonly type: 'PASSKEY'; readonly id: string; readonly passkey: SoftwarePasskey };

export type OtpCredential = Extract<Credential, { type: OtpType }>;
export type OauthCredential = Extract<Credential, { type: 'OAUTH' }>;
export type PasskeyCredential = Extract<Credential, { type: 'PASSKEY' }>;

/** A credential that is not registered yet: the body that registers it, and what will prove it. */
export type Draft = { readonly body: Readonly<Record<string, unknown>> } & (
  | { readonly type: OtpType }
  | { readonly type: 'OAUTH'; readonly identity: OidcIdentity }
  | { readonly type: 'PASSKEY'; readonly passkey: SoftwarePasskey }
);

/** The draft's credential under the id that registration answered. */
export function registered(draft: Draft, id: string): Credential {
  switch (draft.type) {
    case 'OAUTH':
      return { type: draft.type, id, identity: draft.identity };
    case 'PASSKEY':
      return { type: draft.type, id, passkey: draft.passkey };
    default:
      return { type: draft.type, id };
  }
}
