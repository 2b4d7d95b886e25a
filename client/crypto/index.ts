/** The caller's cryptography: pure functions, no HTTP. */
export { badClientKeys, KeyPair, signEd25519, verifyDer, type SignOptions } from './key-pair.ts';
export { stamp, stampFields, encodeStamp, type StampFields, type StampForm } from './stamp.ts';
export { invalidStamps, malformedStamps, type InvalidStamp, type MalformedStamp } from './tampered-stamps.ts';
export { openSessionSigningKey, SealedKeyError, type SealedKeyProblem, type SealForm } from './hpke.ts';
export {
  badOtpBundles,
  readOtpTargetBundle,
  sealOtpBundle,
  type BadOtpBundle,
  type OtpProof,
  type OtpTargetBundle,
} from './otp-bundle.ts';
export {
  SoftwarePasskey,
  type AuthenticatorFlags,
  type CeremonyOptions,
  type PasskeyAssertion,
  type PasskeyRegistration,
  type PasskeySettings,
} from './software-passkey.ts';
export {
  tamperedAssertions,
  tamperedRegistrations,
  type TamperedAssertion,
  type TamperedRegistration,
} from './tampered-ceremonies.ts';
export {
  malformedTokens,
  OidcIssuer,
  oidcNonce,
  tamperedClaims,
  unreadableTokens,
  type MalformedToken,
  type NonceEncoding,
  type OidcClaims,
  type OidcIdentity,
  type OidcOverrides,
  type TamperedClaim,
} from './oidc.ts';
