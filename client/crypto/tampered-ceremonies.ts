import { fromBase64Url, fromHex, toBase64Url, utf8 } from './bytes.ts';
import { KeyPair } from './key-pair.ts';
import type { PasskeyAssertion, PasskeyRegistration, SoftwarePasskey } from './software-passkey.ts';

/** One way to get an assertion wrong that a verifier has to notice. */
interface TamperedAssertion {
  /** Kebab-case, unique in the table. */
  readonly name: string;
  /** What the verifier has to check to notice it. */
  readonly part:
    'challenge' | 'origin' | 'rp-id' | 'presence' | 'signature' | 'credential' | 'counter' | 'type' | 'form';
  /** What is wrong, to follow "the assertion …". */
  readonly says: string;
  /**
   * The assertion for the challenge text of a PasskeyAuthChallenge. The rows about the counter go by the passkey's last
   * ceremony, so they follow one that the target has accepted.
   */
  make(passkey: SoftwarePasskey, challenge: string): PasskeyAssertion;
}

const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

function changed(text: string, at: number): string {
  const bytes = fromBase64Url(text).slice();
  bytes.set([(bytes.at(at) ?? 0) ^ 1], at < 0 ? bytes.length + at : at);
  return toBase64Url(bytes);
}

/** Every wrong assertion. All but the rows of part `form` are signed over exactly what they say. */
export const tamperedAssertions: readonly TamperedAssertion[] = [
  {
    name: 'challenge-other',
    part: 'challenge',
    says: 'answers another challenge',
    make: (passkey, text) => passkey.assert(text, { challenge: random(32) }),
  },
  {
    name: 'challenge-empty',
    part: 'challenge',
    says: 'answers an empty challenge',
    make: (passkey, text) => passkey.assert(text, { challenge: new Uint8Array() }),
  },
  {
    name: 'challenge-decoded',
    part: 'challenge',
    says: 'answers the bytes that the hexadecimal challenge stands for, not its text',
    make: (passkey, text) => passkey.assert(text, { challenge: fromHex(text) }),
  },
  {
    name: 'origin-other',
    part: 'origin',
    says: 'comes from another origin',
    make: (passkey, text) => passkey.assert(text, { origin: 'https://phishing.example' }),
  },
  {
    name: 'origin-look-alike',
    part: 'origin',
    says: 'comes from an origin that only begins like the right one',
    make: (passkey, text) => passkey.assert(text, { origin: `${passkey.origin}.phishing.example` }),
  },
  {
    name: 'rp-id-other',
    part: 'rp-id',
    says: 'is for another relying party',
    make: (passkey, text) => passkey.assert(text, { rpId: 'phishing.example' }),
  },
  {
    name: 'user-not-present',
    part: 'presence',
    says: 'says that no user was present',
    make: (passkey, text) => passkey.assert(text, { flags: { userPresent: false, userVerified: false } }),
  },
  {
    name: 'signature-other-key',
    part: 'signature',
    says: 'is signed by another key',
    make: (passkey, text) => passkey.assert(text, { signingKey: KeyPair.generate() }),
  },
  {
    name: 'signature-tampered',
    part: 'signature',
    says: 'has a signature with one bit changed',
    make: (passkey, text) => {
      const good = passkey.assert(text);
      return { ...good, signature: changed(good.signature, -1) };
    },
  },
  {
    name: 'signature-of-another-assertion',
    part: 'signature',
    says: 'carries the signature of an earlier assertion',
    make: (passkey, text) => {
      const earlier = passkey.assert(random(32));
      return { ...passkey.assert(text), signature: earlier.signature };
    },
  },
  {
    name: 'authenticator-data-tampered',
    part: 'signature',
    says: 'has a counter that was changed after signing',
    make: (passkey, text) => {
      const good = passkey.assert(text);
      return { ...good, authenticatorData: changed(good.authenticatorData, -4) };
    },
  },
  {
    name: 'credential-foreign',
    part: 'credential',
    says: 'names a credential that was never registered',
    make: (passkey, text) => passkey.assert(text, { credentialId: toBase64Url(random(32)) }),
  },
  {
    name: 'counter-backwards',
    part: 'counter',
    says: 'has a counter below the one that was accepted last',
    make: (passkey, text) => passkey.assert(text, { counter: passkey.counter - 1 }),
  },
  {
    name: 'counter-repeated',
    part: 'counter',
    says: 'has the counter that was accepted last',
    make: (passkey, text) => passkey.assert(text, { counter: passkey.counter }),
  },
  {
    name: 'type-create',
    part: 'type',
    says: 'says that it is a registration',
    make: (passkey, text) => passkey.assert(text, { type: 'webauthn.create' }),
  },
  {
    name: 'client-data-not-json',
    part: 'form',
    says: 'has client data that is not JSON',
    make: (passkey, text) => ({ ...passkey.assert(text), clientDataJson: toBase64Url(utf8('not JSON')) }),
  },
  {
    name: 'authenticator-data-truncated',
    part: 'form',
    says: 'has authenticator data that ends too early',
    make: (passkey, text) => {
      const good = passkey.assert(text);
      const bytes = fromBase64Url(good.authenticatorData).slice(0, 20);
      return { ...good, authenticatorData: toBase64Url(bytes) };
    },
  },
  {
    name: 'signature-not-der',
    part: 'form',
    says: 'has a signature that is not DER',
    make: (passkey, text) => ({ ...passkey.assert(text), signature: toBase64Url(random(64).fill(1)) }),
  },
];

/** One way to get a registration wrong that a verifier has to notice. */
interface TamperedRegistration {
  /** Kebab-case, unique in the table. */
  readonly name: string;
  /** What the verifier has to check to notice it. */
  readonly part: 'challenge' | 'origin' | 'rp-id' | 'presence' | 'credential' | 'type' | 'form';
  /** What is wrong, to follow "the registration …". */
  readonly says: string;
  make(passkey: SoftwarePasskey, challenge: Uint8Array): PasskeyRegistration;
}

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
export const tamperedRegistrations: readonly TamperedRegistration[] = [
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
