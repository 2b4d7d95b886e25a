/** Passkey ceremonies that are wrong in one thing: data for the tests, each row with the rule that it breaks. */
import { fromBase64Url, fromHex, toBase64Url, utf8 } from '../../client/crypto/bytes.ts';
import { KeyPair } from '../../client/crypto/key-pair.ts';
import type {
  CeremonyOptions,
  PasskeyAssertion,
  PasskeyRegistration,
  SoftwarePasskey,
} from '../../client/crypto/software-passkey.ts';

/** One way to get an assertion wrong that a verifier has to notice. */
interface TamperedAssertion {
  readonly rule: string;
  /** What is wrong, to follow "the assertion …". */
  readonly says: string;
  /** The assertion for the challenge text of a PasskeyAuthChallenge. */
  make(passkey: SoftwarePasskey, challenge: string): PasskeyAssertion;
}

const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

/** One bit of a byte is another. */
function changed(text: string, at: number): string {
  const bytes = fromBase64Url(text).slice();
  bytes.set([(bytes.at(at) ?? 0) ^ 1], bytes.length + at);
  return toBase64Url(bytes);
}

const inOtherCase = (text: string): string =>
  text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();

/** Signed over exactly what it says. */
const asserted = (
  rule: string,
  says: string,
  options: (passkey: SoftwarePasskey, challenge: string) => CeremonyOptions,
): TamperedAssertion => ({
  ...{ rule, says },
  make: (passkey, challenge) => passkey.assert(challenge, options(passkey, challenge)),
});

/** Changed after it was signed. */
const reassembled = (
  rule: string,
  says: string,
  change: (good: PasskeyAssertion, passkey: SoftwarePasskey) => Partial<PasskeyAssertion>,
): TamperedAssertion => ({
  ...{ rule, says },
  make(passkey, challenge) {
    const good = passkey.assert(challenge);
    return { ...good, ...change(good, passkey) };
  },
});

const CHALLENGE = 'VERIFY-PASSKEY-WRONG-CHALLENGE';
const ORIGIN = 'VERIFY-PASSKEY-ORIGIN';
const SIGNATURE = 'VERIFY-PASSKEY-SIGNATURE';
const NOT_JSON = toBase64Url(utf8('not JSON'));

export const tamperedAssertions: readonly TamperedAssertion[] = [
  asserted(CHALLENGE, 'answers another challenge', () => ({ challenge: random(32) })),
  asserted(CHALLENGE, 'answers an empty challenge', () => ({ challenge: new Uint8Array() })),
  reassembled(CHALLENGE, 'has client data that is not JSON', () => ({ clientDataJson: NOT_JSON })),
  asserted(
    'VERIFY-PASSKEY-CHALLENGE-TEXT',
    'answers the bytes that the hexadecimal challenge stands for, not its text',
    (_, challenge) => ({ challenge: fromHex(challenge) }),
  ),
  asserted(
    'VERIFY-PASSKEY-CHALLENGE-TEXT',
    'answers the text of the challenge in the other letter case',
    (_, challenge) => ({ challenge: utf8(inOtherCase(challenge)) }),
  ),
  asserted(ORIGIN, 'comes from another origin', () => ({ origin: 'https://phishing.example' })),
  asserted(ORIGIN, 'comes from an origin that only begins like the right one', ({ origin }) => ({
    origin: `${origin}.phishing.example`,
  })),
  // Another host of the relying party's domain may be its own.
  asserted(ORIGIN, "comes from an origin that only ends like the relying party's domain", ({ rpId }) => ({
    origin: `https://phishing-${rpId}`,
  })),
  asserted(ORIGIN, 'is for another relying party', () => ({ rpId: 'phishing.example' })),
  asserted(SIGNATURE, 'is signed by another key', () => ({ signingKey: KeyPair.generate() })),
  reassembled(SIGNATURE, 'has a signature with one bit changed', ({ signature }) => ({
    signature: changed(signature, -1),
  })),
  reassembled(SIGNATURE, 'carries the signature of another assertion', (_, passkey) => ({
    signature: passkey.assert(random(32)).signature,
  })),
  reassembled(SIGNATURE, 'has a counter that was changed after signing', ({ authenticatorData }) => ({
    authenticatorData: changed(authenticatorData, -4),
  })),
  reassembled(SIGNATURE, 'has a signature that is not DER', () => ({
    signature: toBase64Url(new Uint8Array(64).fill(1)),
  })),
];

/** Assertions of which the interface does not speak. Those of the counter go by the ceremony that was accepted last. */
export const doubtfulAssertions: readonly {
  readonly name: string;
  /** To follow "an assertion that …". */
  readonly says: string;
  readonly options: (passkey: SoftwarePasskey) => CeremonyOptions;
}[] = [
  {
    name: 'user-not-present',
    says: 'says that no user was present',
    options: () => ({ flags: { userPresent: false, userVerified: false } }),
  },
  {
    name: 'counter-backwards',
    says: 'has a counter below the one that was accepted last',
    options: ({ counter }) => ({ counter: counter - 1 }),
  },
  {
    name: 'counter-repeated',
    says: 'has the counter that was accepted last',
    options: ({ counter }) => ({ counter }),
  },
];

/** One way to get a registration wrong that a verifier has to notice. Attestation is `none`: no row is about a signature. */
interface TamperedRegistration {
  readonly rule: string;
  /** What is wrong, to follow "the registration …". */
  readonly says: string;
  make(passkey: SoftwarePasskey, challenge: Uint8Array): PasskeyRegistration;
}

const registered = (rule: string, says: string, options: () => CeremonyOptions): TamperedRegistration => ({
  ...{ rule, says },
  make: (passkey, challenge) => passkey.register(challenge, options()),
});

type Attestation = PasskeyRegistration['attestation'];

/** With another attestation than it was made with. */
const attested = (
  says: string,
  change: (good: Attestation) => Partial<Attestation>,
): TamperedRegistration => ({
  ...{ rule: 'PASSKEY-REGISTRATION-ATTESTATION', says },
  make(passkey, challenge) {
    const good = passkey.register(challenge);
    return { ...good, attestation: { ...good.attestation, ...change(good.attestation) } };
  },
});

export const tamperedRegistrations: readonly TamperedRegistration[] = [
  registered(
    'PASSKEY-REGISTRATION-CHALLENGE',
    'answers another challenge than the one sent beside it',
    () => ({
      challenge: random(32),
    }),
  ),
  registered('PASSKEY-REGISTRATION-DOMAIN', 'is for another relying party', () => ({
    rpId: 'phishing.example',
  })),
  registered('PASSKEY-REGISTRATION-DOMAIN', 'comes from another origin', () => ({
    origin: 'https://phishing.example',
  })),
  attested('names another credential than the one attested', () => ({
    credentialId: toBase64Url(random(32)),
  })),
  attested('has an attestation object that is not CBOR', () => ({
    attestationObject: toBase64Url(new Uint8Array(8).fill(0xff)),
  })),
  attested('has an attestation object that ends too early', ({ attestationObject }) => ({
    attestationObject: toBase64Url(fromBase64Url(attestationObject).slice(0, -10)),
  })),
];
