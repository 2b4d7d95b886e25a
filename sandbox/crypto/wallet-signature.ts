import { createPublicKey, verify } from 'node:crypto';

/** ASN.1 in front of the 32 bytes of an Ed25519 public key. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Whether an Ed25519 wallet signed a message. @param signature 64 bytes in hex, base64 or base58 */
export function walletSigned(publicKey: Buffer, message: string, signature: string): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
  return readings(signature).some(
    (bytes) => bytes.length === 64 && verify(null, Buffer.from(message, 'utf8'), key, bytes),
  );
}

/** Bytes as base58 text, the way Solana writes addresses. */
export function base58(bytes: Buffer): string {
  let value = bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = ALPHABET[Number(value % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}

/** The bytes of a base58 text, at the given length; undefined when it is none. */
export function fromBase58(text: string, length: number): Buffer | undefined {
  let value = 0n;
  for (const char of text) {
    const digit = ALPHABET.indexOf(char);
    if (digit < 0) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const hex = value.toString(16);
  return hex.length > length * 2 ? undefined : Buffer.from(hex.padStart(length * 2, '0'), 'hex');
}

function readings(signature: string): Buffer[] {
  const texts = [Buffer.from(signature.replace(/^0x/, ''), 'hex'), Buffer.from(signature, 'base64')];
  const third = fromBase58(signature, 64);
  return third ? [...texts, third] : texts;
}
