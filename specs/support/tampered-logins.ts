/** Logins that are wrong in one thing: tokens, bundles, keys. Data for the tests, each row with the rule that it breaks. */
import { toBase64Url, toHex, utf8 } from '../../client/crypto/bytes.ts';
import type { SealForm } from '../../client/crypto/hpke.ts';
import { KeyPair } from '../../client/crypto/key-pair.ts';
import type { OidcIdentity, OidcOverrides } from '../../client/crypto/oidc.ts';
import {
  otpPlaintext,
  readOtpTargetBundle,
  sealOtpBundle,
  sealText,
  type OtpProof,
} from '../../client/crypto/otp-bundle.ts';

/** One claim of an otherwise good token that must get the token refused. */
interface TamperedClaim {
  readonly name: string;
  readonly rule: string;
  /** What is wrong, to follow "the token …". */
  readonly says: string;
  /**
   * The claims to set, for the identity of the credential and the time of the request in seconds since 1970.
   *
   * @param nonceOf the nonce that binds a token to a client key
   */
  make(
    identity: OidcIdentity,
    now: number,
    nonceOf: (clientKey: KeyPair) => string,
    clientKey: KeyPair,
  ): OidcOverrides;
}

/** The age, in seconds, of a token that is too old: the limit of 60, 5 of clock skew, and 5 for the way. */
const TOO_OLD_SECONDS = 70;

const GOOGLE = 'https://accounts.google.com';
const APPLE = 'https://appleid.apple.com';
const other = (text: string): string => `other-${text}`;

/** The other one of the two issuers that sandboxes know. */
export const otherIssuer = (iss: string): string => (iss === APPLE ? GOOGLE : APPLE);

/** Every wrong claim of which the interface speaks: a token without `iat`, or after its `exp`, is none. */
export const tamperedClaims: readonly TamperedClaim[] = [
  {
    name: 'iat-too-old',
    rule: 'OIDC-VERIFY-TOO-OLD',
    says: 'was issued too long ago',
    make: (_, now) => ({ iat: now - TOO_OLD_SECONDS }),
  },
  {
    name: 'nonce-of-another-key',
    rule: 'OIDC-NONCE',
    says: 'is bound to another client key',
    make: (_, __, nonceOf) => ({ nonce: nonceOf(KeyPair.generate()) }),
  },
  {
    name: 'nonce-with-another-end',
    rule: 'OIDC-NONCE',
    says: 'has a nonce that only begins like that of the client key',
    make: (_, __, nonceOf, clientKey) => ({ nonce: `${nonceOf(clientKey).slice(0, -8)}00000000` }),
  },
  {
    name: 'nonce-missing',
    rule: 'OIDC-NONCE-MISSING',
    says: 'is bound to no client key',
    make: () => ({ nonce: undefined }),
  },
  {
    name: 'iss-other',
    rule: 'OIDC-ISS',
    says: 'is of another issuer that is also known',
    make: ({ iss }) => ({ iss: otherIssuer(iss) }),
  },
  {
    name: 'iss-longer',
    rule: 'OIDC-ISS',
    says: 'is of an issuer that only begins like the right one',
    make: ({ iss }) => ({ iss: `${iss}.phishing.example` }),
  },
  {
    name: 'aud-other',
    rule: 'OIDC-AUD',
    says: 'is for another audience',
    make: ({ aud }) => ({ aud: Array.isArray(aud) ? aud.map(other) : other(aud) }),
  },
  {
    name: 'sub-other',
    rule: 'OIDC-SUB',
    says: 'is about another subject',
    make: ({ sub }) => ({ sub: other(sub) }),
  },
  {
    name: 'aud-longer',
    rule: 'OIDC-AUD',
    says: 'is for an audience that only begins like the right one',
    make: ({ aud }) => ({ aud: `${[aud].flat()[0]}.phishing.example` }),
  },
  {
    name: 'sub-longer',
    rule: 'OIDC-SUB',
    says: 'is about a subject that only begins like the right one',
    make: ({ sub }) => ({ sub: `${sub}0` }),
  },
  {
    name: 'sub-in-capitals',
    rule: 'OIDC-SUB',
    says: 'is about the subject in capital letters',
    // A subject without small letters has no such twin.
    make: ({ sub }) => ({ sub: sub === sub.toUpperCase() ? other(sub) : sub.toUpperCase() }),
  },
  { name: 'sub-missing', rule: 'OIDC-SUB', says: 'is about nobody', make: () => ({ sub: undefined }) },
];

/** A text that is no signed JWT. */
interface UnreadableToken {
  /** What is wrong, to follow "the token …". */
  readonly says: string;
  /** The text, made from a good token so that nothing else is wrong. */
  make(good: string): string;
}

/** A row that has another payload between the header and the signature of a good token. */
const payload = (says: string, text: string): UnreadableToken => ({
  says,
  make: (good) => good.replace(/\.[^.]*\./, `.${text}.`),
});
const encoded = (text: string): string => toBase64Url(utf8(text));

/**
 * Tokens that are not JWT-shaped, or whose claims cannot be read (Authentication, 8: tokens "are still JWT-shaped", and
 * their claims are validated). What stands in the header only the signature's verification would read, which sandboxes skip.
 */
export const unreadableTokens: readonly UnreadableToken[] = [
  { says: 'is empty', make: () => '' },
  { says: 'is one word', make: () => 'notatoken' },
  { says: 'has three empty parts', make: () => '..' },
  { says: 'has no signature part', make: (good) => good.slice(0, good.lastIndexOf('.')) },
  { says: 'has a part too many', make: (good) => `${good}.more` },
  payload('has a payload that is not base64url', '%%%'),
  payload('has a payload that is not JSON', encoded('{"iss":')),
  payload('has a payload that is a JSON array', encoded('["iss","sub"]')),
];

// ------------------------------------------------------------------------------------------------ one-time codes

/** One way to get an `encryptedOtpBundle` wrong although the code in it is right. A wrong code is no row: seal another code. */
interface BadOtpBundle {
  readonly rule: string;
  /** What is wrong, to follow "the bundle …". */
  readonly says: string;
  /** The bundle, for the target bundle of a challenge and the proof it should have carried. */
  make(targetBundle: unknown, proof: OtpProof, form: SealForm): Promise<string>;
}

interface Parts {
  readonly encappedPublic: string;
  readonly ciphertext: string;
}

/** A good bundle of which something cannot be read. */
function unreadable(says: string, change: (good: Parts, proof: OtpProof) => unknown): BadOtpBundle {
  const make: BadOtpBundle['make'] = async (target, proof, form) => {
    const good = JSON.parse(await sealOtpBundle(target, proof, form)) as Parts;
    const changed = change(good, proof);
    return typeof changed === 'string' ? changed : JSON.stringify(changed);
  };
  return { rule: 'VERIFY-EMAIL-OTP-UNREADABLE', says, make };
}

/** A bundle that opens, and holds no object with a code and a key. */
function holding(says: string, plaintext: (proof: OtpProof) => string): BadOtpBundle {
  const make: BadOtpBundle['make'] = (target, proof, form) =>
    sealText(readOtpTargetBundle(target).targetPublic, plaintext(proof), form);
  return { rule: 'VERIFY-EMAIL-OTP-UNREADABLE', says, make };
}

/** The last hexadecimal digit changed: in a ciphertext that is the tag. */
const flipped = (hex: string): string =>
  hex.slice(0, -1) + (Number.parseInt(hex.slice(-1), 16) ^ 1).toString(16);
const notHex = (hex: string): string => `zz${hex.slice(2)}`;

/** Every wrong bundle of which the interface speaks. */
export const badOtpBundles: readonly BadOtpBundle[] = [
  unreadable('is not JSON', () => 'not a bundle'),
  unreadable('is a JSON array', (good) => Object.values(good)),
  unreadable('has no encappedPublic', ({ ciphertext }) => ({ ciphertext })),
  unreadable('has an encappedPublic that is not hexadecimal', (good) => ({
    ...good,
    encappedPublic: notHex(good.encappedPublic),
  })),
  unreadable('has an encappedPublic that is no point of the curve', (good) => ({
    ...good,
    encappedPublic: `04${'1'.padStart(128, '0')}`,
  })),
  unreadable('has no ciphertext', ({ encappedPublic }) => ({ encappedPublic })),
  unreadable('has a ciphertext that is not hexadecimal', (good) => ({
    ...good,
    ciphertext: notHex(good.ciphertext),
  })),
  unreadable('has an empty ciphertext', (good) => ({ ...good, ciphertext: '' })),
  unreadable('has a ciphertext that was changed', (good) => ({
    ...good,
    ciphertext: flipped(good.ciphertext),
  })),
  unreadable('carries the plaintext unsealed', (good, proof) => ({
    ...good,
    ciphertext: toHex(utf8(otpPlaintext(proof))),
  })),
  {
    rule: 'VERIFY-EMAIL-OTP-OTHER-TARGET',
    says: 'is sealed to another key',
    make: (_, proof, form) => sealText(KeyPair.generate().uncompressed, otpPlaintext(proof), form),
  },
  holding('holds a text that is not JSON', ({ otpCode }) => otpCode),
  holding('holds null', () => 'null'),
  holding('holds no public_key', ({ otpCode }) => JSON.stringify({ otp_code: otpCode })),
  {
    ...holding('holds no otp_code', ({ publicKey }) => JSON.stringify({ public_key: publicKey })),
    rule: 'VERIFY-EMAIL-OTP-WRONG-CODE',
  },
];

/** Texts to which no session key can be sealed, however they are read. */
export const badClientKeys: readonly { readonly says: string; readonly make: () => string }[] = [
  { says: 'empty', make: () => '' },
  { says: 'not hexadecimal', make: () => `zz${KeyPair.generate().uncompressed.slice(2)}` },
  { says: 'one byte short', make: () => KeyPair.generate().uncompressed.slice(0, -2) },
  { says: 'no point of the curve', make: () => `04${'1'.padStart(128, '0')}` },
];
