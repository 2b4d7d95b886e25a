import { randomUUID } from 'node:crypto';
import { KeyPair, OidcIssuer, SoftwarePasskey, type OidcIdentity } from '../../../client/crypto/index.ts';
import type { Profile } from '../../../target/profile.ts';
import { hideKey, type WalletMeans } from './means.ts';

/** What sandboxes take as issuer, as audience and as the passkeys' domain, unless the profile's facts say otherwise. */
const DEFAULTS = {
  oidcIssuer: 'https://accounts.google.com',
  oidcAudience: 'assay.example',
  passkeyRpId: 'localhost',
  passkeyOrigin: 'http://localhost',
} as const;

/** A value of the profile's facts, or its default. */
export function walletFact(profile: Profile, name: keyof typeof DEFAULTS): string {
  return profile.facts[name] ?? DEFAULTS[name];
}

/** A person that no other test knows, at an identity provider. */
export function newIdentity(profile: Profile, changes: Partial<OidcIdentity> = {}): OidcIdentity {
  const sub = randomUUID();
  return {
    iss: walletFact(profile, 'oidcIssuer'),
    aud: walletFact(profile, 'oidcAudience'),
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
    rpId: walletFact(profile, 'passkeyRpId'),
    origin: walletFact(profile, 'passkeyOrigin'),
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
