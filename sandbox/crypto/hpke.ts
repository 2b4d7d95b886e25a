import { createHash } from 'node:crypto';
import { createBase58check } from '@scure/base';
import { AEAD_AES_256_GCM, CipherSuite, KDF_HKDF_SHA256, KEM_DHKEM_P256_HKDF_SHA256 } from 'hpke';
import { compressed, type PrivateKey } from './p256.ts';

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
      privateKey: await suite.DeserializePrivateKey(recipient.scalar),
      publicKey: await suite.DeserializePublicKey(recipient.point),
    };
    const context = await suite.SetupRecipient(key, encapsulated, { info: Buffer.from(form.info) });
    return Buffer.from(await context.Open(ciphertext, additionalData(form, encapsulated, recipient.point)));
  } catch {
    return undefined;
  }
}

function additionalData({ aad }: SealForm, encapsulated: Buffer, recipient: Buffer): Buffer {
  return aad === 'none' ? Buffer.alloc(0) : Buffer.concat([encapsulated, recipient]);
}

/** A sealed message as one text: base58check of the compressed encapsulated key and the ciphertext. */
export function sealedText({ encapsulated, ciphertext }: Sealed): string {
  return base58check.encode(Buffer.concat([compressed(encapsulated), ciphertext]));
}
