import { sha256 } from '@noble/hashes/sha2.js';
import type { CryptoKey, JWK } from 'jose';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { SignJWT } from 'jose/jwt/sign';
import { toBase64Url, toHex, utf8 } from './bytes.ts';
import { KeyPair } from './key-pair.ts';

/** What a token says. Times are seconds since 1970, as in the token. */
interface OidcClaims {
  iss: string;
  aud: string | string[];
  sub: string;
  email: string;
  iat: number;
  exp: number;
  nonce: string;
}

/** Claims to set; undefined leaves a claim out, and what is not named gets its default. */
export type OidcOverrides = { [Name in keyof OidcClaims]?: OidcClaims[Name] | undefined };

/** Who a token is about, the same in every token of one identity. */
export interface OidcIdentity {
  iss: string;
  aud: string | string[];
  sub: string;
  email: string;
}

/** The lifetime of a token, in seconds: an hour, as the big issuers have it. */
const LIFETIME_SECONDS = 3_600;

/** How the hash in a nonce is written: lower-case hex, or base64url without padding. */
type NonceEncoding = 'hex' | 'base64url';

/** The nonce that binds a token to a client's key: the SHA-256 of the key's ASCII text. */
export function oidcNonce(clientPublicKey: string, encoding: NonceEncoding): string {
  const hash = sha256(utf8(clientPublicKey));
  return encoding === 'hex' ? toHex(hash) : toBase64Url(hash);
}

/**
 * An issuer of OIDC id tokens for sandboxes, with a throwaway key: sandboxes check the claims and not the issuer's
 * signature (interface.md, Authentication 8).
 */
export class OidcIssuer {
  readonly #key: CryptoKey;
  readonly #alg: string;
  /** The public key, for a sandbox that can be told the issuer's key set. */
  readonly publicJwk: JWK;

  private constructor(key: CryptoKey, alg: string, publicJwk: JWK) {
    this.#key = key;
    this.#alg = alg;
    this.publicJwk = publicJwk;
  }

  /** Makes the key: about 0.1 s for RS256, which the real issuers use; ES256 is instant. */
  static async create(alg: 'RS256' | 'ES256' = 'RS256'): Promise<OidcIssuer> {
    const { privateKey, publicKey } = await generateKeyPair(alg);
    const jwk = await exportJWK(publicKey);
    return new OidcIssuer(privateKey, alg, { ...jwk, alg, use: 'sig', kid: 'throwaway' });
  }

  /**
   * A signed id token, issued now.
   * @param nonce see {@link oidcNonce}; without it the token has none
   * @param overrides claims to set or, with undefined, to leave out
   * @param now the clock to issue by, for targets whose clock has been moved
   */
  async token(
    identity: OidcIdentity,
    nonce?: string,
    overrides: OidcOverrides = {},
    now: Date = new Date(),
  ): Promise<string> {
    const iat = Math.floor(now.getTime() / 1_000);
    const claims = { ...identity, iat, exp: iat + LIFETIME_SECONDS, nonce, ...overrides };
    const present = Object.entries(claims).filter(([, value]) => value !== undefined);
    return new SignJWT(Object.fromEntries(present))
      .setProtectedHeader({ alg: this.#alg, typ: 'JWT', kid: 'throwaway' })
      .sign(this.#key);
  }
}

/** One claim of an otherwise good token that must get the token refused. */
interface TamperedClaim {
  readonly name: string;
  readonly rule: string;
  /** What is wrong, to follow "the token …". */
  readonly says: string;
  /**
   * The claims to set, for the identity of the credential and the time of the request in seconds since 1970.
   *
   * @param encoding of the nonce
   */
  make(identity: OidcIdentity, now: number, encoding: NonceEncoding): OidcOverrides;
}

/** The age, in seconds, of a token that is too old: the limit of 60, 5 of clock skew, and 5 for the way. */
const TOO_OLD_SECONDS = 70;

const GOOGLE = 'https://accounts.google.com';
const APPLE = 'https://appleid.apple.com';
const other = (text: string): string => `other-${text}`;

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
    make: (_, __, encoding) => ({ nonce: oidcNonce(KeyPair.generate().uncompressed, encoding) }),
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
    make: ({ iss }) => ({ iss: iss === APPLE ? GOOGLE : APPLE }),
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
