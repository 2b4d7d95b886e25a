import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { toHex } from './bytes.ts';
import { hpkeOpen, SealedKeyError, settingsOf, uncompressedPoint, type SealForm } from './hpke.ts';
import { KeyPair } from './key-pair.ts';

const base58check = createBase58check(sha256);

/** 33 bytes of compressed encapsulated key, 32 of sealed scalar, 16 of tag. */
const ENC_LENGTH = 33;
const SEALED_LENGTH = ENC_LENGTH + 32 + 16;

/**
 * Opens an `encryptedSessionSigningKey` with the private half of the `clientPublicKey` it was sealed to.
 * @returns the session signing key
 * @throws SealedKeyError that says what is wrong: the text, its length, the point in it, the seal or the key in the seal
 */
export async function openSessionSigningKey(
  sealed: unknown,
  client: KeyPair,
  form: SealForm,
): Promise<KeyPair> {
  const subject = 'The encrypted session signing key';
  if (typeof sealed !== 'string') throw new SealedKeyError('not-text', `${subject} is not a text.`);
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(sealed);
  } catch {
    throw new SealedKeyError('not-base58check', `${subject} is not base58 with a valid checksum.`);
  }
  if (bytes.length !== SEALED_LENGTH) {
    const lengths = `${bytes.length} bytes long instead of ${SEALED_LENGTH}`;
    throw new SealedKeyError('wrong-length', `${subject} is ${lengths}.`);
  }
  let enc: Uint8Array;
  try {
    enc = uncompressedPoint(toHex(bytes.subarray(0, ENC_LENGTH)));
  } catch {
    const what = 'does not begin with a compressed P-256 point';
    throw new SealedKeyError('not-on-curve', `${subject} ${what}.`);
  }
  let scalar: Uint8Array;
  try {
    scalar = await hpkeOpen(client, { enc, ciphertext: bytes.subarray(ENC_LENGTH) }, settingsOf(form));
  } catch {
    throw new SealedKeyError('does-not-open', `${subject} does not open with the client's key.`);
  }
  try {
    return KeyPair.fromScalar(scalar);
  } catch {
    throw new SealedKeyError(
      'not-a-private-key',
      `${subject} opens to something that is no P-256 private key.`,
    );
  }
}
