import { createECDH, createHash, createPublicKey, ECDH, verify, webcrypto } from 'node:crypto';
import { base58, createBase58check } from '@scure/base';
import { AEAD_AES_256_GCM, CipherSuite, KDF_HKDF_SHA256, KEM_DHKEM_P256_HKDF_SHA256 } from 'hpke';

const CURVE = 'prime256v1';

/** A P-256 private key with its public point, both as bytes. */
export interface PrivateKey {
  /** 32 bytes, big-endian. */
  readonly scalar: Buffer;
  /** 65 bytes, uncompressed. */
  readonly point: Buffer;
}

/** A fresh P-256 key. */
export function newPrivateKey(): PrivateKey {
  const key = createECDH(CURVE);
  const point = key.generateKeys();
  const bytes = key.getPrivateKey();
  // OpenSSL leaves out leading zero bytes.
  return { scalar: Buffer.concat([Buffer.alloc(32 - bytes.length), bytes]), point };
}

/** The uncompressed point (65 bytes) that a compressed or uncompressed key in hex stands for; undefined when it is none. */
export function pointOf(hex: unknown): Buffer | undefined {
  if (typeof hex !== 'string' || !/^(04[0-9a-f]{128}|0[23][0-9a-f]{64})$/i.test(hex)) return undefined;
  try {
    return ECDH.convertKey(hex, CURVE, 'hex', undefined, 'uncompressed') as Buffer;
  } catch {
    return undefined;
  }
}

/** The same point in 33 bytes. */
export function compressed(point: Buffer): Buffer {
  return ECDH.convertKey(point, CURVE, undefined, undefined, 'compressed') as Buffer;
}

/** ECDSA over SHA-256, DER; the s of a signature may lie in either half of its range. */
export function verifies(point: Buffer, data: Buffer, signature: Buffer): boolean {
  return verify('sha256', data, createPublicKey({ format: 'jwk', key: jwkOf(point) }), signature);
}

/** A public key as a JSON Web Key. */
function jwkOf(point: Buffer) {
  const [x, y] = [point.subarray(1, 33), point.subarray(33)];
  return { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') };
}

/* HPKE: what is sealed to a P-256 key. */

const suite = new CipherSuite(KEM_DHKEM_P256_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM);
const base58check = createBase58check((data: Uint8Array) => createHash('sha256').update(data).digest());

/** What the interface does not show of a seal. */
export interface SealForm {
  readonly info: string;
  /** The additional data: both public keys, or nothing. */
  readonly aad: 'keys' | 'none';
}

/** As known deployments do it. */
const USUAL: SealForm = { info: 'turnkey_hpke', aad: 'keys' };

/** A message to one recipient. */
export interface Sealed {
  /** 65 bytes, uncompressed. */
  readonly encapsulated: Buffer;
  /** With the tag at its end. */
  readonly ciphertext: Buffer;
}

/** RFC 9180 base mode; the additional data names both keys. @param recipient uncompressed point */
export async function seal(recipient: Buffer, plaintext: Buffer, form: SealForm = USUAL): Promise<Sealed> {
  const { encapsulatedSecret, ctx } = await suite.SetupSender(await suite.DeserializePublicKey(recipient), {
    info: Buffer.from(form.info),
  });
  const encapsulated = Buffer.from(encapsulatedSecret);
  const ciphertext = await ctx.Seal(plaintext, additionalData(form, encapsulated, recipient));
  return { encapsulated, ciphertext: Buffer.from(ciphertext) };
}

/** @returns the plaintext, or undefined when the message was not sealed to this key or has been altered */
export async function open(
  recipient: PrivateKey,
  { encapsulated, ciphertext }: Sealed,
  form: SealForm = USUAL,
): Promise<Buffer | undefined> {
  try {
    const key = {
      privateKey: await privateCryptoKey(recipient),
      publicKey: await suite.DeserializePublicKey(recipient.point),
    };
    const context = await suite.SetupRecipient(key, encapsulated, { info: Buffer.from(form.info) });
    return Buffer.from(await context.Open(ciphertext, additionalData(form, encapsulated, recipient.point)));
  } catch {
    return undefined;
  }
}

/** The library knows the scalar alone, and spends two imports and an export on finding its point. */
function privateCryptoKey({ scalar, point }: PrivateKey): Promise<webcrypto.CryptoKey> {
  const jwk = { ...jwkOf(point), d: scalar.toString('base64url') };
  return webcrypto.subtle.importKey('jwk', jwk, { name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits']);
}

function additionalData({ aad }: SealForm, encapsulated: Buffer, recipient: Buffer): Buffer {
  return aad === 'none' ? Buffer.alloc(0) : Buffer.concat([encapsulated, recipient]);
}

/** A sealed message as one text: base58check of the compressed encapsulated key and the ciphertext. */
export function sealedText({ encapsulated, ciphertext }: Sealed): string {
  return base58check.encode(Buffer.concat([compressed(encapsulated), ciphertext]));
}

/* Ed25519: what the wallets of customers sign. */

/** ASN.1 in front of the 32 bytes of an Ed25519 public key. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Whether an Ed25519 wallet signed a message. @param signature 64 bytes in hex, base64 or base58 */
export function walletSigned(publicKey: Buffer, message: string, signature: string): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
  return readings(signature).some(
    (bytes) => bytes.length === 64 && verify(null, Buffer.from(message, 'utf8'), key, bytes),
  );
}

/** The address of an Ed25519 wallet, as Solana writes it. @param publicKey 32 bytes */
export function addressOf(publicKey: Buffer): string {
  return base58.encode(publicKey);
}

/** The public key (32 bytes) that an address stands for; undefined when it is none. */
export function keyAt(address: string): Buffer | undefined {
  const bytes = fromBase58(address);
  return bytes?.length === 32 ? bytes : undefined;
}

function fromBase58(text: string): Buffer | undefined {
  try {
    return Buffer.from(base58.decode(text));
  } catch {
    return undefined;
  }
}

function readings(signature: string): Buffer[] {
  const texts = [Buffer.from(signature.replace(/^0x/, ''), 'hex'), Buffer.from(signature, 'base64')];
  const third = fromBase58(signature);
  return third ? [...texts, third] : texts;
}
