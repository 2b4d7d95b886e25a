import { fromBase64Url, toBase64Url, utf8 } from '../bytes.ts';
import type { PasskeyRegistration, SoftwarePasskey } from './software-passkey.ts';

/** One way to get a registration wrong that a verifier has to notice. */
export interface BentRegistration {
  /** Kebab-case, unique in the table. */
  readonly name: string;
  /** What the verifier has to check to notice it. */
  readonly part: 'challenge' | 'origin' | 'rp-id' | 'presence' | 'credential' | 'type' | 'form';
  /** What is wrong, to follow "the registration …". */
  readonly says: string;
  make(passkey: SoftwarePasskey, challenge: Uint8Array): PasskeyRegistration;
}

const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

/** A good registration with fields of its attestation replaced. */
function replaced(
  passkey: SoftwarePasskey,
  challenge: Uint8Array,
  change: (good: PasskeyRegistration['attestation']) => Partial<PasskeyRegistration['attestation']>,
): PasskeyRegistration {
  const good = passkey.register(challenge);
  return { ...good, attestation: { ...good.attestation, ...change(good.attestation) } };
}

/** Every wrong registration. Attestation is `none`: nothing is signed, so no row is about a signature. */
export const bentRegistrations: readonly BentRegistration[] = [
  {
    name: 'challenge-other',
    part: 'challenge',
    says: 'answers another challenge than the one sent beside it',
    make: (passkey, challenge) => passkey.register(challenge, { challenge: random(32) }),
  },
  {
    name: 'origin-other',
    part: 'origin',
    says: 'comes from another origin',
    make: (passkey, challenge) => passkey.register(challenge, { origin: 'https://phishing.example' }),
  },
  {
    name: 'rp-id-other',
    part: 'rp-id',
    says: 'is for another relying party',
    make: (passkey, challenge) => passkey.register(challenge, { rpId: 'phishing.example' }),
  },
  {
    name: 'user-not-present',
    part: 'presence',
    says: 'says that no user was present',
    make: (passkey, challenge) =>
      passkey.register(challenge, { flags: { userPresent: false, userVerified: false } }),
  },
  {
    name: 'credential-id-other',
    part: 'credential',
    says: 'names another credential than the one attested',
    make: (passkey, challenge) =>
      replaced(passkey, challenge, () => ({ credentialId: toBase64Url(random(32)) })),
  },
  {
    name: 'type-get',
    part: 'type',
    says: 'says that it is an assertion',
    make: (passkey, challenge) => passkey.register(challenge, { type: 'webauthn.get' }),
  },
  {
    name: 'client-data-not-json',
    part: 'form',
    says: 'has client data that is not JSON',
    make: (passkey, challenge) =>
      replaced(passkey, challenge, () => ({ clientDataJson: toBase64Url(utf8('not JSON')) })),
  },
  {
    name: 'attestation-object-not-cbor',
    part: 'form',
    says: 'has an attestation object that is not CBOR',
    make: (passkey, challenge) =>
      replaced(passkey, challenge, () => ({ attestationObject: toBase64Url(new Uint8Array(8).fill(0xff)) })),
  },
  {
    name: 'attestation-object-truncated',
    part: 'form',
    says: 'has an attestation object that ends too early',
    make: (passkey, challenge) =>
      replaced(passkey, challenge, (good) => ({
        attestationObject: toBase64Url(fromBase64Url(good.attestationObject).slice(0, -10)),
      })),
  },
];
