import { createECDH, createPublicKey, ECDH, verify } from 'node:crypto';

const CURVE = 'prime256v1';

/** A P-256 private key with its public point, both as bytes. */
export interface PrivateKey {
  /** 32 bytes, big-endian. */
  readonly scalar: Buffer;
  /** 65 bytes, uncompressed. */
  readonly point: Buffer;
}

export function newPrivateKey(): PrivateKey {
  const key = createECDH(CURVE);
  const point = key.generateKeys();
  const bytes = key.getPrivateKey();
  // OpenSSL leaves out leading zero bytes.
  return { scalar: Buffer.concat([Buffer.alloc(32 - bytes.length), bytes]), point };
}

/** The uncompressed point (65 bytes) that a compressed or uncompressed key in hex stands for; undefined when it is none. */
export function pointOf(hex: unknown): Buffer | undefined {
  if (typeof hex !== 'string' || !/^(04[0-9a-f]{128}|0[23][0-9a-f]{64})$/i.test(hex)) return undefined;
  try {
    return ECDH.convertKey(hex, CURVE, 'hex', undefined, 'uncompressed') as Buffer;
  } catch {
    return undefined;
  }
}

/** The same point in 33 bytes. */
export function compressed(point: Buffer): Buffer {
  return ECDH.convertKey(point, CURVE, undefined, undefined, 'compressed') as Buffer;
}

/** ECDSA over SHA-256, DER; the s of a signature may lie in either half of its range. */
export function verifies(point: Buffer, data: Buffer, signature: Buffer): boolean {
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x!, y: y! } });
  return verify('sha256', data, key, signature);
}
