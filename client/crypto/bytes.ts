/** The encodings that the interface's byte values travel in; all by library, so that there is one opinion on padding. */
import { bytesToHex, concatBytes, hexToBytes } from '@noble/curves/utils.js';
import { base64urlnopad } from '@scure/base';

export const toHex = (bytes: Uint8Array): string => bytesToHex(bytes);
/** Throws where the text is not an even number of hexadecimal digits. */
export const fromHex = (text: string): Uint8Array => hexToBytes(text);
export const toBase64Url = (bytes: Uint8Array): string => base64urlnopad.encode(bytes);
/** Throws where the text is not base64url without padding. */
export const fromBase64Url = (text: string): Uint8Array => base64urlnopad.decode(text);
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
export const concat = (...parts: Uint8Array[]): Uint8Array => concatBytes(...parts);
