/** The caller's cryptography: pure functions, no HTTP. */
export { badClientKeys, KeyPair } from './key-pair.ts';
export { signEd25519, verifyDer, type SignOptions } from './signature.ts';
export { stamp, stampFields, encodeStamp, type StampFields, type StampForm } from './stamp/stamp.ts';
export {
  invalidStamps,
  malformedStamps,
  type InvalidStamp,
  type MalformedStamp,
} from './stamp/tampered-stamps.ts';
export { SealedKeyError, type SealedKeyProblem, type SealForm } from './hpke/hpke.ts';
export {
  readOtpTargetBundle,
  sealOtpBundle,
  type OtpProof,
  type OtpTargetBundle,
} from './hpke/otp-bundle.ts';
export { badOtpBundles, type BadOtpBundle } from './hpke/bad-otp-bundles.ts';
export { openSessionSigningKey } from './hpke/session-key.ts';
export {
  SoftwarePasskey,
  type CeremonyOptions,
  type PasskeyAssertion,
  type PasskeyRegistration,
  type PasskeySettings,
} from './passkey/software-passkey.ts';
export type { AuthenticatorFlags } from './passkey/ceremony-data.ts';
export {
  tamperedAssertions,
  tamperedRegistrations,
  type TamperedAssertion,
  type TamperedRegistration,
} from './passkey/tampered-ceremonies.ts';
export {
  OidcIssuer,
  oidcNonce,
  type NonceEncoding,
  type OidcClaims,
  type OidcIdentity,
  type OidcOverrides,
} from './oidc/oidc-issuer.ts';
export {
  malformedTokens,
  tamperedClaims,
  unreadableTokens,
  type MalformedToken,
  type TamperedClaim,
} from './oidc/tampered-tokens.ts';
