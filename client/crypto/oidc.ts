import { sha256 } from '@noble/hashes/sha2.js';
import type { CryptoKey } from 'jose';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { SignJWT } from 'jose/jwt/sign';
import { toBase64Url, toHex, utf8 } from './bytes.ts';

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
export type NonceEncoding = 'hex' | 'base64url';

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

  private constructor(key: CryptoKey) {
    this.#key = key;
  }

  /** Makes the key, which takes about 0.1 s: RS256 is what the real issuers use. */
  static async create(): Promise<OidcIssuer> {
    return new OidcIssuer((await generateKeyPair('RS256')).privateKey);
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
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: 'throwaway' })
      .sign(this.#key);
  }
}
