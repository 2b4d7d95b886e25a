import { verifies } from '../../crypto/keys.ts';
import type { JsonObject } from '../../server/json.ts';
import type { World } from '../../world/world.ts';

/** A wallet signature, taken apart. */
export interface Stamp {
  /** Uncompressed point. */
  readonly point: Buffer;
  /** Compressed point, lower-case hex. */
  readonly publicKey: string;
  /** DER. */
  readonly signature: Buffer;
}

/**
 * How the wallet signature value is built is not shown; that its encoding can be at fault is (interface.md > Errors > 401
 * codes).
 *
 * @throws Refusal
 */
export function decodeStamp(world: World, header: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(header))
    throw world.behaviour.refuseMalformedSignature('encoding', 'it is not base64url');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'base64url'));
  } catch {
    throw world.behaviour.refuseMalformedSignature('encoding', 'it decodes to no text');
  }
}

/** What is wrong with the form of the fields, or undefined. */
export function stampFieldsFault(
  _world: World,
  { publicKey, scheme, signature }: JsonObject,
): string | undefined {
  if (typeof publicKey !== 'string' || !/^0[23][0-9a-f]{64}$/i.test(publicKey))
    return 'publicKey is no compressed key in hex';
  if (scheme !== 'SIGNATURE_SCHEME_TK_API_P256') return 'scheme is unknown';
  if (typeof signature !== 'string' || !/^([0-9a-f]{2})+$/i.test(signature)) return 'signature is not hex';
  return undefined;
}

/** Whether the stamp was made, by the key that it names, over these very bytes. */
export function stampVerifies(world: World, stamp: Stamp, payload: string): boolean {
  return world.behaviour
    .signedTexts(payload)
    .some((text) => world.behaviour.signatureVerifies(stamp, Buffer.from(text)));
}

/** The texts that may have been signed: the payload, every byte of it, and nothing else. */
export function signedTexts(_world: World, payload: string): readonly string[] {
  return [payload];
}

/** ECDSA; high-S signatures are as good as low-S ones. */
export function signatureVerifies(_world: World, stamp: Stamp, data: Buffer): boolean {
  return verifies(stamp.point, data, stamp.signature);
}

/** The wallet signature header as this deployment spells it. */
export function signatureHeader(world: World): string {
  return `${world.config.brand}-Wallet-Signature`;
}
