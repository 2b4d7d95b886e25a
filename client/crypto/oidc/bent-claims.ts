import { KeyPair } from '../key-pair.ts';
import { oidcNonce, type NonceEncoding, type OidcIdentity, type OidcOverrides } from './oidc-issuer.ts';

/** One claim of an otherwise good token that must get the token refused. */
export interface BentClaim {
  /** Kebab-case, unique in the table. */
  readonly name: string;
  readonly claim: 'iss' | 'aud' | 'sub' | 'iat' | 'exp' | 'nonce';
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

const other = (text: string): string => `other-${text}`;

/** Every wrong claim. */
export const bentClaims: readonly BentClaim[] = [
  {
    name: 'iat-too-old',
    claim: 'iat',
    says: 'was issued too long ago',
    make: (_, now) => ({ iat: now - TOO_OLD_SECONDS }),
  },
  {
    name: 'iat-missing',
    claim: 'iat',
    says: 'does not say when it was issued',
    make: () => ({ iat: undefined }),
  },
  {
    name: 'exp-past',
    claim: 'exp',
    says: 'has expired',
    make: (_, now) => ({ exp: now - 10 }),
  },
  {
    name: 'nonce-of-another-key',
    claim: 'nonce',
    says: 'is bound to another client key',
    make: (_, __, encoding) => ({ nonce: oidcNonce(KeyPair.generate().uncompressed, encoding) }),
  },
  {
    name: 'nonce-missing',
    claim: 'nonce',
    says: 'is bound to no client key',
    make: () => ({ nonce: undefined }),
  },
  {
    name: 'iss-other',
    claim: 'iss',
    says: 'is of another issuer that is also known',
    make: ({ iss }) => ({
      iss: iss === 'https://appleid.apple.com' ? 'https://accounts.google.com' : 'https://appleid.apple.com',
    }),
  },
  {
    name: 'aud-other',
    claim: 'aud',
    says: 'is for another audience',
    make: ({ aud }) => ({ aud: Array.isArray(aud) ? aud.map(other) : other(aud) }),
  },
  {
    name: 'sub-other',
    claim: 'sub',
    says: 'is about another subject',
    make: ({ sub }) => ({ sub: other(sub) }),
  },
  {
    name: 'sub-missing',
    claim: 'sub',
    says: 'is about nobody',
    make: () => ({ sub: undefined }),
  },
];
