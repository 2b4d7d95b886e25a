import { createPublicKey, ECDH, verify, type KeyObject } from 'node:crypto';

/** How a strict service sees a header value. */
export type StampVerdict = 'missing' | 'malformed' | 'invalid' | 'valid';

/** A strict verifier of wallet signatures that shares nothing with the client: node:crypto and its own parsing. */
export function judgeStamp(header: string, payloadToSign: string, registeredKey: string): StampVerdict {
  if (header === '') return 'missing';
  if (!/^[A-Za-z0-9_-]+$/.test(header)) return 'malformed';
  let fields: unknown;
  try {
    fields = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
  } catch {
    return 'malformed';
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return 'malformed';
  const { publicKey, scheme, signature } = fields as Record<string, unknown>;
  if (typeof publicKey !== 'string' || !/^0[23][0-9a-f]{64}$/i.test(publicKey)) return 'malformed';
  if (scheme !== 'SIGNATURE_SCHEME_TK_API_P256') return 'malformed';
  if (typeof signature !== 'string' || !/^([0-9a-f]{2})+$/i.test(signature)) return 'malformed';
  try {
    nodePublicKey(publicKey);
  } catch {
    return 'malformed';
  }
  if (
    !signature.startsWith('30') ||
    Number.parseInt(signature.slice(2, 4), 16) * 2 + 4 !== signature.length
  ) {
    return 'malformed';
  }
  if (publicKey !== registeredKey) return 'invalid';
  const good = nodeVerify(Buffer.from(signature, 'hex'), Buffer.from(payloadToSign, 'utf8'), publicKey);
  return good ? 'valid' : 'invalid';
}

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
