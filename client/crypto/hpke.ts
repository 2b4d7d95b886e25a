import type { CipherSuite } from '@hpke/core';
import { p256 } from '@noble/curves/nist.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { concat, fromHex, utf8, toHex } from './bytes.ts';
import { KeyPair } from './key-pair.ts';

let loaded: Promise<CipherSuite> | undefined;

/** Loaded with the first seal: the runner reads all specs and seals nothing, and many a worker does not either. */
function cipherSuite(): Promise<CipherSuite> {
  loaded ??= import('@hpke/core').then(
    ({ Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 }) =>
      new CipherSuite({
        kem: new DhkemP256HkdfSha256(),
        kdf: new HkdfSha256(),
        aead: new Aes256Gcm(),
      }),
  );
  return loaded;
}

/** Which part of a sealed key or bundle is wrong. */
type SealedKeyProblem =
  | 'not-text'
  | 'not-base58check'
  | 'wrong-length'
  | 'not-json'
  | 'field-missing'
  | 'not-hex'
  | 'not-on-curve'
  | 'does-not-open'
  | 'not-a-private-key';

/**
 * A bundle or a sealed key that cannot be used. The message is one sentence that says what is wrong; it never holds a
 * key, a code or a plaintext, since it ends up in reports.
 */
export class SealedKeyError extends Error {
  readonly problem: SealedKeyProblem;

  constructor(problem: SealedKeyProblem, message: string) {
    super(message);
    this.name = 'SealedKeyError';
    this.problem = problem;
  }
}

/** What the interface does not show of a seal. */
export interface SealForm {
  /** The `info` text: the domain of the key schedule. */
  readonly info: string;
  /** Whether the additional data is both public keys, or nothing. */
  readonly aad: 'keys' | 'none';
}

/** A seal's form in bytes, and what only a deliberately wrong or a reproducible message needs. */
export interface SealSettings {
  info: Uint8Array;
  /** Default: the encapsulated key, then the recipient's key, both uncompressed. */
  aad?: Uint8Array;
  /** Seed of the ephemeral key; random unless given. For published vectors only. */
  ephemeralSeed?: Uint8Array;
}

/** A form as settings. */
export function settingsOf({ info, aad }: SealForm): SealSettings {
  return { info: utf8(info), ...(aad === 'none' ? { aad: new Uint8Array() } : {}) };
}

/** One sealed message: `enc` is the 65-byte uncompressed encapsulated key, `ciphertext` ends with its 16-byte tag. */
interface Sealed {
  enc: Uint8Array;
  ciphertext: Uint8Array;
}

/** A buffer of its own: the library wants an ArrayBuffer that holds nothing else. */
const buffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

/** The point in hexadecimal digits as 65 uncompressed bytes; throws where it is none. */
function uncompressedPoint(hex: string): Uint8Array {
  return p256.Point.fromHex(hex).toBytes(false);
}

/**
 * Seals one message: RFC 9180 base mode, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM.
 * @param recipient the recipient's point in hexadecimal digits
 */
export async function hpkeSeal(
  recipient: string,
  plaintext: Uint8Array,
  settings: SealSettings,
): Promise<Sealed> {
  const point = uncompressedPoint(recipient);
  const suite = await cipherSuite();
  const sender = await suite.createSenderContext({
    recipientPublicKey: await suite.kem.deserializePublicKey(buffer(point)),
    info: buffer(settings.info),
    ...(settings.ephemeralSeed ? { ekm: buffer(settings.ephemeralSeed) } : {}),
  });
  const enc = new Uint8Array(sender.enc);
  const aad = settings.aad ?? concat(enc, point);
  return { enc, ciphertext: new Uint8Array(await sender.seal(buffer(plaintext), buffer(aad))) };
}

/** Opens one message that was sealed to the key; throws the library's error where it does not open. */
export async function hpkeOpen(
  key: KeyPair,
  sealed: Sealed,
  settings: Omit<SealSettings, 'ephemeralSeed'>,
): Promise<Uint8Array> {
  const suite = await cipherSuite();
  const recipientKey = {
    privateKey: await suite.kem.deserializePrivateKey(buffer(key.scalar)),
    publicKey: await suite.kem.deserializePublicKey(buffer(fromHex(key.uncompressed))),
  };
  const recipient = await suite.createRecipientContext({
    recipientKey,
    enc: buffer(sealed.enc),
    info: buffer(settings.info),
  });
  const aad = settings.aad ?? concat(sealed.enc, fromHex(key.uncompressed));
  return new Uint8Array(await recipient.open(buffer(sealed.ciphertext), buffer(aad)));
}

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
