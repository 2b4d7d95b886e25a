/** The caller's cryptography: pure functions, no HTTP. */
export { KeyPair, signEd25519, verifyDer, type SignOptions } from './key-pair.ts';
export { stamp, type StampForm } from './stamp.ts';
export { openSessionSigningKey, SealedKeyError, type SealForm } from './hpke.ts';
export { readOtpTargetBundle, sealOtpBundle, type OtpProof } from './otp-bundle.ts';
export {
  SoftwarePasskey,
  type AuthenticatorFlags,
  type CeremonyOptions,
  type PasskeyAssertion,
  type PasskeyRegistration,
} from './software-passkey.ts';
export { OidcIssuer, oidcNonce, type OidcIdentity, type OidcOverrides } from './oidc.ts';
