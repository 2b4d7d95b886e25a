import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * Signs a text as a wallet does that lives on ed25519 (Solana).
 *
 * @param seed 32 bytes, hexadecimal
 * @returns 64 bytes, lower-case hexadecimal
 */
export function signEd25519(text: string, seed: string): string {
  return bytesToHex(ed25519.sign(utf8ToBytes(text), hexToBytes(seed)));
}
