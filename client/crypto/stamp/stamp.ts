import { toBase64Url, toHex, utf8 } from '../bytes.ts';
import type { KeyPair } from '../key-pair.ts';
import type { SignOptions } from '../signature.ts';

/** What a stamp says, before it is written as JSON. */
export interface StampFields {
  publicKey: string;
  scheme: string;
  signature: string;
}

export const STAMP_SCHEME = 'SIGNATURE_SCHEME_TK_API_P256';

/**
 * The three fields for a payload. The payload is signed as the exact UTF-8 bytes of the text and never parsed: it may be
 * JSON or a compact JWT (interface.md, Authentication 5).
 */
export function stampFields(payloadToSign: string, key: KeyPair, options: SignOptions = {}): StampFields {
  return {
    publicKey: key.compressed,
    scheme: STAMP_SCHEME,
    signature: toHex(key.sign(utf8(payloadToSign), options)),
  };
}

/** The JSON text of a stamp as a header value: base64url without padding. */
export function encodeStamp(json: string): string {
  return toBase64Url(utf8(json));
}

/** The value of the `Service-Wallet-Signature` header for a `payloadToSign`. */
export function stamp(payloadToSign: string, key: KeyPair, options: SignOptions = {}): string {
  return encodeStamp(JSON.stringify(stampFields(payloadToSign, key, options)));
}
