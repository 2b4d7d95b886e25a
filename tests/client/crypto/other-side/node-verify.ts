import { createPublicKey, ECDH, verify, type KeyObject } from 'node:crypto';

/** The point, compressed or not, as a key of node:crypto; throws where it is no point of P-256. */
export function nodePublicKey(hex: string): KeyObject {
  const point = Buffer.from(
    ECDH.convertKey(hex, 'prime256v1', 'hex', 'hex', 'uncompressed') as string,
    'hex',
  );
  return createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
}

/** Verifies a DER signature over the SHA-256 of the bytes with node:crypto. */
export function nodeVerify(signature: Uint8Array, bytes: Uint8Array, publicKey: string): boolean {
  try {
    return verify('sha256', bytes, { key: nodePublicKey(publicKey), dsaEncoding: 'der' }, signature);
  } catch {
    return false;
  }
}
