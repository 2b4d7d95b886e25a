/** The caller's cryptography: pure functions, no HTTP. */
export { badClientKeys, KeyPair, signEd25519, verifyDer, type SignOptions } from './key-pair.ts';
export { stamp, type StampForm } from './stamp.ts';
export { invalidStamps, malformedStamps, type InvalidStamp, type MalformedStamp } from './tampered-stamps.ts';
export { openSessionSigningKey, SealedKeyError, type SealForm } from './hpke.ts';
export { badOtpBundles, readOtpTargetBundle, sealOtpBundle, type OtpProof } from './otp-bundle.ts';
export {
  SoftwarePasskey,
  type AuthenticatorFlags,
  type CeremonyOptions,
  type PasskeyAssertion,
  type PasskeyRegistration,
} from './software-passkey.ts';
export { doubtfulAssertions, tamperedAssertions, tamperedRegistrations } from './tampered-ceremonies.ts';
export {
  OidcIssuer,
  oidcNonce,
  tamperedClaims,
  unreadableTokens,
  type OidcIdentity,
  type OidcOverrides,
} from './oidc.ts';
