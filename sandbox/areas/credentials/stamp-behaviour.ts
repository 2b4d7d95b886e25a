import { verifies } from '../../crypto/keys.ts';
import type { JsonObject } from '../../server/json.ts';
import { Refusal } from '../../server/refusal.ts';
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

/** Digits of the right form that are no point of the curve: malformed or invalid, both can be said. */
export function refuseOffCurve(world: World): Refusal {
  return world.behaviour.refuseMalformedSignature('fields', 'publicKey is no point of the curve');
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

/**
 * interface.md > Errors > 401 codes: required but absent. A call with neither header is a first call, so it is the other
 * header that requires it.
 */
export function refuseMissingSignature(world: World): Refusal {
  return new Refusal(
    401,
    'WALLET_SIGNATURE_MISSING',
    `${world.behaviour.signatureHeader()} is required beside Request-Id.`,
  );
}

/** interface.md > Errors > 401 codes: required on the signed retry but absent. A wallet signature makes the call a retry. */
export function refuseMissingRequestId(world: World): Refusal {
  return new Refusal(
    401,
    'REQUEST_ID_MISSING',
    `Request-Id is required beside ${world.behaviour.signatureHeader()}.`,
  );
}

/** @param part of the header that cannot be read */
export function refuseMalformedSignature(
  world: World,
  part: 'encoding' | 'structure' | 'fields',
  why: string,
): Refusal {
  return new Refusal(
    401,
    'WALLET_SIGNATURE_MALFORMED',
    `The ${part} of ${world.behaviour.signatureHeader()} cannot be read: ${why}.`,
  );
}

/** interface.md > Errors > 401 codes: the signature was computed over a different body than received. */
export function refuseOtherBody(_world: World): Refusal {
  return new Refusal(401, 'WALLET_SIGNATURE_BODY_MISMATCH', 'The signed request had another body.');
}

/** The signature does not verify with the key that it names. */
export function refuseInvalidSignature(_world: World): Refusal {
  return new Refusal(401, 'WALLET_SIGNATURE_INVALID', 'The wallet signature does not verify.');
}

/** The signature is good, but its key may not sign this. */
export function refuseSigner(_world: World, why: string): Refusal {
  return new Refusal(401, 'WALLET_SIGNATURE_INVALID', why);
}

/** A session of the credential that is to be revoked signed the revocation. */
export function refuseOwnSession(world: World): Refusal {
  return world.behaviour.refuseSigner('A revocation is signed with a session of a different credential.');
}

/** Which code a Request-Id that is unknown, used, late or of another request gets is left open. */
export function refuseRequestId(_world: World, why: string): Refusal {
  return new Refusal(401, 'WALLET_SIGNATURE_INVALID', why);
}
