import { createCipheriv, createDecipheriv, createECDH, createHmac, ECDH } from 'node:crypto';

/**
 * RFC 9180 base mode, single message, DHKEM(P-256, HKDF-SHA256) / HKDF-SHA256 / AES-256-GCM on node:crypto alone, so that
 * the sandbox's library is held against something else.
 */
const INFO = Buffer.from('turnkey_hpke');
const KEM = Buffer.concat([Buffer.from('KEM'), Buffer.of(0, 0x10)]);
const SUITE = Buffer.concat([Buffer.from('HPKE'), Buffer.of(0, 0x10, 0, 1, 0, 2)]);
const VERSION = Buffer.from('HPKE-v1');
const NOTHING = Buffer.alloc(0);

const hmac = (key: Buffer, data: Buffer) => createHmac('sha256', key).update(data).digest();

function extract(suite: Buffer, salt: Buffer, label: string, ikm: Buffer): Buffer {
  return hmac(
    salt.length === 0 ? Buffer.alloc(32) : salt,
    Buffer.concat([VERSION, suite, Buffer.from(label), ikm]),
  );
}

function expand(suite: Buffer, prk: Buffer, label: string, info: Buffer, length: number): Buffer {
  const labelled = Buffer.concat([
    Buffer.of(0, length),
    VERSION,
    suite,
    Buffer.from(label),
    info,
    Buffer.of(1),
  ]);
  return hmac(prk, labelled).subarray(0, length);
}

function schedule(dh: Buffer, encapsulated: Buffer, recipient: Buffer): { key: Buffer; nonce: Buffer } {
  const shared = expand(
    KEM,
    extract(KEM, NOTHING, 'eae_prk', dh),
    'shared_secret',
    Buffer.concat([encapsulated, recipient]),
    32,
  );
  const hashes = [
    extract(SUITE, NOTHING, 'psk_id_hash', NOTHING),
    extract(SUITE, NOTHING, 'info_hash', INFO),
  ];
  const context = Buffer.concat([Buffer.of(0), ...hashes]);
  const secret = extract(SUITE, shared, 'secret', NOTHING);
  return {
    key: expand(SUITE, secret, 'key', context, 32),
    nonce: expand(SUITE, secret, 'base_nonce', context, 12),
  };
}

/** @param recipient uncompressed point */
export function seal(recipient: Buffer, plaintext: string): { encappedPublic: string; ciphertext: string } {
  const ephemeral = createECDH('prime256v1');
  const encapsulated = ephemeral.generateKeys();
  const { key, nonce } = schedule(ephemeral.computeSecret(recipient), encapsulated, recipient);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.concat([encapsulated, recipient]));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  return { encappedPublic: encapsulated.toString('hex'), ciphertext: ciphertext.toString('hex') };
}

/** @param sealed compressed encapsulated key and ciphertext. @throws when it was sealed to another key */
export function open(recipient: ECDH, sealed: Buffer): Buffer {
  const encapsulated = ECDH.convertKey(
    sealed.subarray(0, 33),
    'prime256v1',
    undefined,
    undefined,
    'uncompressed',
  ) as Buffer;
  const point = recipient.getPublicKey();
  const { key, nonce } = schedule(recipient.computeSecret(encapsulated), encapsulated, point);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.concat([encapsulated, point]));
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(33, -16)), decipher.final()]);
}
