import { createHash, ECDH, generateKeyPairSync, sign } from 'node:crypto';
import { AEAD_AES_256_GCM, CipherSuite, KDF_HKDF_SHA256, KEM_DHKEM_P256_HKDF_SHA256 } from 'hpke';
import { base58 } from '@scure/base';

/** The suite of the interface, from a library that the client does not use. */
const suite = new CipherSuite(KEM_DHKEM_P256_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM);
const info = Buffer.from('turnkey_hpke', 'utf8');
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const plain = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'hex'));

type TargetKey = Awaited<ReturnType<typeof suite.GenerateKeyPair>>;

/** The far side of the sealed messages: what holds the target key and seals session keys. */
export class Enclave {
  readonly #target: TargetKey;
  readonly targetPublic: string;

  private constructor(target: TargetKey, targetPublic: string) {
    this.#target = target;
    this.targetPublic = targetPublic;
  }

  static async create(): Promise<Enclave> {
    const target = await suite.GenerateKeyPair();
    return new Enclave(target, hex(await suite.SerializePublicKey(target.publicKey)));
  }

  /** A signed `otpEncryptionTargetBundle`. */
  targetBundle(signedData?: Buffer): string {
    const quorum = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = quorum.publicKey.export({ format: 'jwk' });
    const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
    const data = Buffer.from(
      JSON.stringify({ targetPublic: this.targetPublic, organizationId: 'any' }),
      'utf8',
    );
    return JSON.stringify({
      version: 'v1.0.0',
      data: hex(data),
      dataSignature: hex(sign('sha256', signedData ?? data, { key: quorum.privateKey, dsaEncoding: 'der' })),
      enclaveQuorumPublic: hex(point),
    });
  }

  /** Opens an `encryptedOtpBundle`; rejects where it does not open. */
  async openOtpBundle(bundle: string): Promise<string> {
    const { encappedPublic, ciphertext } = JSON.parse(bundle) as Record<string, string>;
    const enc = plain(encappedPublic ?? '');
    const aad = Buffer.concat([enc, plain(this.targetPublic)]);
    const opened = await suite.Open(this.#target, enc, plain(ciphertext ?? ''), { info, aad });
    return Buffer.from(opened).toString('utf8');
  }

  /** An `encryptedSessionSigningKey` around a plaintext, sealed to an uncompressed point. */
  static async sealSessionKey(plaintext: Uint8Array, clientPublicKey: string): Promise<string> {
    const recipient = await suite.DeserializePublicKey(plain(clientPublicKey));
    // The additional data holds the encapsulated key, so a context is set up first and the message sealed after.
    const { encapsulatedSecret, ctx } = await suite.SetupSender(recipient, { info });
    const aad = Buffer.concat([encapsulatedSecret, plain(clientPublicKey)]);
    const ciphertext = await ctx.Seal(plaintext, aad);
    const compressed = ECDH.convertKey(hex(encapsulatedSecret), 'prime256v1', 'hex', 'hex', 'compressed');
    return base58check(Buffer.concat([Buffer.from(compressed as string, 'hex'), ciphertext]));
  }
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** base58check with the checksum from node:crypto. */
export function base58check(bytes: Uint8Array): string {
  return base58.encode(Buffer.concat([bytes, sha256(sha256(bytes)).subarray(0, 4)]));
}
