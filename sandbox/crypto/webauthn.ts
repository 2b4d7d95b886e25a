/** A third of the sandbox's start, and most runs of a few tests need none of it: it is loaded with the first passkey. */
const webauthn = () => import('@simplewebauthn/server');

/** Where a passkey belongs, and what its next assertion must go beyond. */
export interface Passkey {
  /** base64url. */
  readonly credentialId: string;
  /** COSE. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  readonly origin: string;
  readonly rpId: string;
  readonly transports: readonly string[];
}

export interface Attestation {
  readonly credentialId: string;
  readonly clientDataJson: string;
  readonly attestationObject: string;
  readonly transports?: readonly string[];
}

export interface Assertion {
  readonly credentialId: string;
  readonly clientDataJson: string;
  readonly authenticatorData: string;
  readonly signature: string;
  readonly userHandle?: string | null;
}

/** What an attestation must show; a challenge is the base64url text that stands in the client data. */
export interface ExpectedAttestation {
  challenge(challenge: string): boolean;
  readonly origin: string;
  readonly rpIds: readonly string[];
}

export interface ExpectedAssertion {
  challenge(challenge: string): boolean;
  readonly origin: string;
  readonly rpId: string;
  readonly userPresence: boolean;
  readonly passkey: Pick<Passkey, 'credentialId' | 'publicKey' | 'counter'>;
}

/** The passkey that an attestation registers. @throws Error that says what is wrong with it */
export async function verifyAttestation(
  attestation: Attestation,
  expected: ExpectedAttestation,
): Promise<Passkey> {
  const transports = attestation.transports ?? [];
  const { verified, registrationInfo } = await (
    await webauthn()
  ).verifyRegistrationResponse({
    response: publicKeyCredential(attestation.credentialId, {
      clientDataJSON: withoutPadding(attestation.clientDataJson),
      attestationObject: withoutPadding(attestation.attestationObject),
    }),
    expectedChallenge: (challenge) => expected.challenge(challenge),
    expectedOrigin: expected.origin,
    expectedRPID: [...expected.rpIds],
    requireUserVerification: false,
  });
  if (!verified || !registrationInfo) throw new Error('The attestation does not verify');
  const { credential, origin, rpID } = registrationInfo;
  const { publicKey, counter } = credential;
  return { credentialId: credential.id, publicKey, counter, origin, rpId: rpID ?? '', transports };
}

/** What a browser gives, as the library takes it. */
function publicKeyCredential<Response>(credentialId: string, response: Response) {
  const id = withoutPadding(credentialId);
  return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {}, response };
}

/** The passkey's new counter. @throws Error that says what is wrong with the assertion */
export async function verifyAssertion(assertion: Assertion, expected: ExpectedAssertion): Promise<number> {
  const { credentialId, publicKey, counter } = expected.passkey;
  const { verified, authenticationInfo } = await (
    await webauthn()
  ).verifyAuthenticationResponse({
    response: publicKeyCredential(assertion.credentialId, {
      clientDataJSON: withoutPadding(assertion.clientDataJson),
      authenticatorData: withoutPadding(assertion.authenticatorData),
      signature: withoutPadding(assertion.signature),
    }),
    expectedChallenge: (challenge) => expected.challenge(challenge),
    expectedOrigin: expected.origin,
    expectedRPID: expected.rpId,
    credential: { id: credentialId, publicKey, counter },
    requireUserVerification: false,
    // The library's name for leaving both user flags unread.
    ...(expected.userPresence ? {} : { advancedFIDOConfig: { userVerification: 'discouraged' as const } }),
  });
  if (!verified) throw new Error('The signature does not verify');
  return authenticationInfo.newCounter;
}

/** What the client data say, without judging it; undefined when they cannot be read. */
export function readClientData(
  clientDataJson: string,
): { readonly challenge?: unknown; readonly origin?: unknown } | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8'));
    return typeof data === 'object' && data !== null ? data : undefined;
  } catch {
    return undefined;
  }
}

function withoutPadding(text: string): string {
  return text.replace(/=+$/, '');
}
