import { p256 } from '@noble/curves/nist.js';
import { fromHex } from './bytes.ts';
import { signDer, type SignOptions } from './signature.ts';

/**
 * A P-256 key pair: a session signing key, the key a sealed key is encrypted to, or a passkey's key.
 * The private half is a private field, so that it shows up neither in a log nor in a failed expectation.
 */
export class KeyPair {
  readonly #scalar: Uint8Array;
  /** 33-byte compressed point, 66 lower-case hexadecimal digits: the form a stamp names. */
  readonly compressed: string;
  /** 65-byte uncompressed point, 130 lower-case hexadecimal digits: the form of a `clientPublicKey`. */
  readonly uncompressed: string;

  private constructor(scalar: Uint8Array) {
    this.#scalar = scalar.slice();
    // One multiplication for both forms: it is most of the time that a sign-in takes on this side.
    const point = p256.Point.fromBytes(p256.getPublicKey(this.#scalar, false));
    this.compressed = point.toHex(true);
    this.uncompressed = point.toHex(false);
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

  /** ECDSA over the SHA-256 of the bytes, DER. */
  sign(bytes: Uint8Array, options: SignOptions = {}): Uint8Array {
    return signDer(bytes, this.#scalar, options);
  }
}

/** Texts to which no session key can be sealed, however they are read. */
export const badClientKeys: readonly { readonly says: string; readonly make: () => string }[] = [
  { says: 'empty', make: () => '' },
  { says: 'not hexadecimal', make: () => `zz${KeyPair.generate().uncompressed.slice(2)}` },
  { says: 'one byte short', make: () => KeyPair.generate().uncompressed.slice(0, -2) },
  { says: 'no point of the curve', make: () => `04${'1'.padStart(128, '0')}` },
];
