/** The caller's cryptography: pure functions, no HTTP. */
export { KeyPair } from './key-pair.ts';
export { verifyDer, type SignOptions } from './signature.ts';
export { stamp, stampFields, encodeStamp, type StampFields, type StampForm } from './stamp/stamp.ts';
export { bendStamp } from './stamp/bend-stamp.ts';
export { malformedStamps, type MalformedStamp } from './stamp/malformed-stamps.ts';
export { invalidStamps, type InvalidStamp } from './stamp/invalid-stamps.ts';
export { SealedKeyError, type SealedKeyProblem } from './hpke/sealed-key-error.ts';
export { readOtpTargetBundle, type OtpTargetBundle } from './hpke/otp-target-bundle.ts';
export type { SealForm } from './hpke/hpke.ts';
export { sealOtpBundle, type OtpProof } from './hpke/otp-bundle.ts';
export { badOtpBundles, type BadOtpBundle } from './hpke/bad-otp-bundles.ts';
export { openSessionSigningKey } from './hpke/session-key.ts';
export {
  SoftwarePasskey,
  type CeremonyOptions,
  type PasskeyAssertion,
  type PasskeyRegistration,
  type PasskeySettings,
} from './passkey/software-passkey.ts';
export type { AuthenticatorFlags } from './passkey/authenticator-data.ts';
export { bentAssertions, type BentAssertion } from './passkey/bent-assertions.ts';
export { bentRegistrations, type BentRegistration } from './passkey/bent-registrations.ts';
export {
  OidcIssuer,
  oidcNonce,
  type NonceEncoding,
  type OidcClaims,
  type OidcIdentity,
  type OidcOverrides,
} from './oidc/oidc-issuer.ts';
export { bentClaims, type BentClaim } from './oidc/bent-claims.ts';
export { malformedTokens, type MalformedToken } from './oidc/malformed-tokens.ts';
export { signEd25519 } from './ed25519.ts';
