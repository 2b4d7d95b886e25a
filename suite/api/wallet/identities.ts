import { randomUUID } from 'node:crypto';
import { KeyPair, OidcIssuer, SoftwarePasskey, type OidcIdentity } from '../../../client/crypto/index.ts';
import type { Profile } from '../../../target/profile.ts';
import { hideKey, type WalletMeans } from './means.ts';

/** A person that no other test knows, at an identity provider. */
export function newIdentity({ dialect }: Profile, changes: Partial<OidcIdentity> = {}): OidcIdentity {
  const sub = randomUUID();
  return {
    iss: dialect.oidcToken.issuer,
    aud: dialect.oidcToken.audience,
    sub,
    email: `assay-${sub}@example.com`,
    ...changes,
  };
}

/** A passkey of the integrator's domain. Its assertions carry a userHandle, as those of platforms' passkeys do. */
export function newPasskey(
  { profile, secrets }: Pick<WalletMeans, 'profile' | 'secrets'>,
  changes: { credentialId?: string; userHandle?: string } = {},
): SoftwarePasskey {
  const userHandle = Buffer.from(randomUUID()).toString('base64url');
  return new SoftwarePasskey({
    ...profile.dialect.passkey,
    userHandle,
    key: hideKey(secrets, KeyPair.generate()),
    ...changes,
  });
}

let issuer: Promise<OidcIssuer> | undefined;

/** The issuer of this process; its RSA key takes a tenth of a second to make. */
export function sharedIssuer(): Promise<OidcIssuer> {
  return (issuer ??= OidcIssuer.create());
}
