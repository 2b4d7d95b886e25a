import { base64 } from '@scure/base';
import { toBase64Url, toHex, utf8 } from './bytes.ts';
import type { KeyPair, SignOptions } from './key-pair.ts';

/** What a stamp says, before it is written as JSON. */
export interface StampFields {
  publicKey: string;
  scheme: string;
  signature: string;
}

/** What the interface does not show of a stamp: the scheme's name, and how the JSON text becomes a header value. */
export interface StampForm {
  readonly scheme: string;
  /** `base64url` without padding, or `base64` with it. */
  readonly encoding: 'base64url' | 'base64';
}

/**
 * The three fields for a payload. The payload is signed as the exact UTF-8 bytes of the text and never parsed: it may be
 * JSON or a compact JWT (interface.md, Authentication 5).
 */
export function stampFields(
  payloadToSign: string,
  key: KeyPair,
  form: StampForm,
  options: SignOptions = {},
): StampFields {
  return {
    publicKey: key.compressed,
    scheme: form.scheme,
    signature: toHex(key.sign(utf8(payloadToSign), options)),
  };
}

/** The JSON text of a stamp as a header value. */
export function encodeStamp(json: string, { encoding }: Pick<StampForm, 'encoding'>): string {
  return encoding === 'base64' ? base64.encode(utf8(json)) : toBase64Url(utf8(json));
}

/** The value of the `Service-Wallet-Signature` header for a `payloadToSign`. */
export function stamp(
  payloadToSign: string,
  key: KeyPair,
  form: StampForm,
  options: SignOptions = {},
): string {
  return encodeStamp(JSON.stringify(stampFields(payloadToSign, key, form, options)), form);
}
