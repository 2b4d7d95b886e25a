import { createECDH, createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { fromHex, toBase64Url, toHex, utf8 } from './bytes.ts';

/** OpenSSL's name for P-256. */
const CURVE = 'prime256v1';

/**
 * A P-256 key pair: a session signing key, the key a sealed key is encrypted to, or a passkey's key.
 * The private half is a private field, so that it shows up neither in a log nor in a failed expectation.
 */
export class KeyPair {
  readonly #scalar: Uint8Array;
  #native: KeyObject | undefined;
  /** 33-byte compressed point, 66 lower-case hexadecimal digits: the form a stamp names. */
  readonly compressed: string;
  /** 65-byte uncompressed point, 130 lower-case hexadecimal digits: the form of a `clientPublicKey`. */
  readonly uncompressed: string;

  private constructor(scalar: Uint8Array) {
    this.#scalar = scalar.slice();
    // OpenSSL is twenty times as fast here, and each sign-in needs two new keys.
    const point = createECDH(CURVE);
    point.setPrivateKey(this.#scalar);
    this.compressed = point.getPublicKey('hex', 'compressed');
    this.uncompressed = point.getPublicKey('hex', 'uncompressed');
  }

  /** A fresh random key pair. */
  static generate(): KeyPair {
    return new KeyPair(p256.utils.randomSecretKey());
  }

  /**
   * @param scalar the private scalar, 32 bytes big-endian, or 64 hexadecimal digits
   * @throws RangeError where it is no P-256 private key (length, zero, not below the group's order)
   */
  static fromScalar(scalar: Uint8Array | string): KeyPair {
    let bytes: Uint8Array;
    try {
      bytes = typeof scalar === 'string' ? fromHex(scalar) : scalar;
    } catch {
      throw new RangeError('The private scalar is not hexadecimal.');
    }
    if (!p256.utils.isValidSecretKey(bytes))
      throw new RangeError('The private scalar is no P-256 private key.');
    return new KeyPair(bytes);
  }

  /** Whether the text is a P-256 point in hexadecimal digits, compressed or uncompressed. */
  static isPublicKey(hex: string): boolean {
    try {
      return p256.utils.isValidPublicKey(fromHex(hex));
    } catch {
      return false;
    }
  }

  /** A copy of the 32 private bytes. Never print it. */
  get scalar(): Uint8Array {
    return this.#scalar.slice();
  }

  /** ECDSA over the SHA-256 of the bytes, DER. With `as-is` the signature is that of RFC 6979, else its nonce is random. */
  sign(bytes: Uint8Array, options: SignOptions = {}): Uint8Array {
    const wanted = options.s ?? 'low';
    const signature = p256.Signature.fromBytes(
      wanted === 'as-is' ? p256.sign(bytes, this.#scalar, { lowS: false }) : this.#signNatively(bytes),
    );
    const fits = wanted === 'as-is' || signature.hasHighS() === (wanted === 'high');
    const order = p256.Point.Fn.ORDER;
    return (fits ? signature : new p256.Signature(signature.r, order - signature.s)).toBytes('der');
  }

  /** @returns r and s, 32 bytes each; with a random nonce, in a twentieth of the time of a deterministic one */
  #signNatively(bytes: Uint8Array): Uint8Array {
    this.#native ??= this.#toKeyObject();
    return sign('sha256', bytes, { key: this.#native, dsaEncoding: 'ieee-p1363' });
  }

  #toKeyObject(): KeyObject {
    const point = fromHex(this.uncompressed);
    const [x, y] = [toBase64Url(point.subarray(1, 33)), toBase64Url(point.subarray(33))];
    const jwk = { kty: 'EC', crv: 'P-256', d: toBase64Url(this.#scalar), x, y };
    return createPrivateKey({ format: 'jwk', key: jwk });
  }
}

/** Which of the two valid values of `s` a signature carries; both are legal. */
export interface SignOptions {
  /**
   * `low` (default): at most half the group's order. `high`: above it. `as-is`: what RFC 6979 gives, so half of all
   * signatures are high. The default is not `as-is`, so that a verifier that refuses high-S fails the one check that is
   * about it, and not half of all others.
   */
  s?: 'low' | 'high' | 'as-is';
}

/**
 * Verifies a DER signature over the SHA-256 of the bytes; high-S is accepted, and whatever cannot be parsed is false.
 * @param publicKey the point in hexadecimal digits, compressed or not
 */
export function verifyDer(signature: Uint8Array, bytes: Uint8Array, publicKey: string): boolean {
  try {
    return p256.verify(signature, bytes, fromHex(publicKey), { format: 'der', lowS: false });
  } catch {
    return false;
  }
}

/**
 * Signs a text as a wallet does that lives on ed25519 (Solana).
 *
 * @param seed 32 bytes, hexadecimal
 * @returns 64 bytes, lower-case hexadecimal
 */
export function signEd25519(text: string, seed: string): string {
  return toHex(ed25519.sign(utf8(text), fromHex(seed)));
}
