import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { fromHex, toHex, utf8 } from './bytes.ts';

/** Which of the two valid values of `s` a signature carries; both are legal. */
export interface SignOptions {
  /**
   * `low` (default): at most half the group's order. `high`: above it. `as-is`: what RFC 6979 gives, so half of all
   * signatures are high. The default is not `as-is`, so that a verifier that refuses high-S fails the one check that is
   * about it, and not half of all others.
   */
  s?: 'low' | 'high' | 'as-is';
}

/** A deterministic (RFC 6979) P-256 signature over the SHA-256 of the bytes, DER. */
export function signDer(bytes: Uint8Array, scalar: Uint8Array, options: SignOptions = {}): Uint8Array {
  const wanted = options.s ?? 'low';
  const signature = p256.Signature.fromBytes(p256.sign(bytes, scalar, { lowS: false }));
  const fits = wanted === 'as-is' || signature.hasHighS() === (wanted === 'high');
  const order = p256.Point.Fn.ORDER;
  return (fits ? signature : new p256.Signature(signature.r, order - signature.s)).toBytes('der');
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
