import {
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server';
import type { PasskeyAssertion, PasskeyRegistration } from '../../../../client/crypto/software-passkey.ts';

/** Where a ceremony is expected to have run. */
export interface RelyingParty {
  rpId: string;
  origin: string;
}

/** The registered credential, or undefined where the registration is refused. */
export async function verifyRegistration(
  sent: PasskeyRegistration,
  party: RelyingParty,
): Promise<WebAuthnCredential | undefined> {
  const { credentialId, clientDataJson, attestationObject } = sent.attestation;
  try {
    const verified = await verifyRegistrationResponse({
      response: {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: clientDataJson, attestationObject },
      },
      expectedChallenge: sent.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.rpId,
      requireUserVerification: false,
    });
    // The library attests a credential; that it is the one named beside it is for its caller to check.
    const credential = verified.registrationInfo?.credential;
    return credential?.id === credentialId ? credential : undefined;
  } catch {
    return undefined;
  }
}

/** The new counter, or undefined where the assertion is refused. */
export async function verifyAssertion(
  sent: PasskeyAssertion,
  challenge: string,
  credential: WebAuthnCredential,
  party: RelyingParty,
): Promise<number | undefined> {
  const { credentialId, clientDataJson, authenticatorData, signature } = sent;
  if (credentialId !== credential.id) return undefined;
  try {
    const verified = await verifyAuthenticationResponse({
      response: {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: clientDataJson, authenticatorData, signature },
      },
      expectedChallenge: Buffer.from(challenge, 'utf8').toString('base64url'),
      expectedOrigin: party.origin,
      expectedRPID: party.rpId,
      credential,
      requireUserVerification: false,
    });
    return verified.verified ? verified.authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
