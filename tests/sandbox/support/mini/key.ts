import {
  createECDH,
  createHash,
  createPrivateKey,
  sign,
  ECDH,
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createHmac,
} from 'node:crypto';

/** A client's P-256 key. */
export class Key {
  readonly ecdh: ECDH;
  readonly #signing: KeyObject;

  constructor(scalar?: Buffer) {
    this.ecdh = createECDH('prime256v1');
    if (scalar) this.ecdh.setPrivateKey(scalar);
    else this.ecdh.generateKeys();
    const part = (bytes: Buffer) => bytes.toString('base64url');
    const point = this.ecdh.getPublicKey();
    const d = Buffer.concat([Buffer.alloc(32), this.ecdh.getPrivateKey()]).subarray(-32);
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: part(point.subarray(1, 33)),
      y: part(point.subarray(33)),
      d: part(d),
    };
    this.#signing = createPrivateKey({ format: 'jwk', key: jwk });
  }

  get uncompressed(): string {
    return this.ecdh.getPublicKey('hex');
  }

  get compressed(): string {
    return this.ecdh.getPublicKey('hex', 'compressed');
  }

  sign(data: Buffer): Buffer {
    return sign('sha256', data, this.#signing);
  }

  /** The wallet signature header for a text. */
  stamp(payload: string, fields: object = {}): string {
    const signature = this.sign(Buffer.from(payload)).toString('hex');
    return encode({
      publicKey: this.compressed,
      scheme: 'SIGNATURE_SCHEME_TK_API_P256',
      signature,
      ...fields,
    });
  }

  /** The session key that was sealed to this key. */
  openSessionKey(sealed: string): Key {
    return new Key(open(this.ecdh, base58check(sealed)));
  }
}

export const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The twin of a signature in the other half of the range of s; DER, hex. */
export function withOtherS(der: Buffer): string {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const rLength = der[3]!;
  const s = BigInt(`0x${der.subarray(6 + rLength).toString('hex')}`);
  let other = (order - s).toString(16).padStart(64, '0');
  if (Number.parseInt(other[0]!, 16) >= 8) other = `00${other}`;
  const body = Buffer.concat([
    der.subarray(2, 4 + rLength),
    Buffer.of(2, other.length / 2),
    Buffer.from(other, 'hex'),
  ]);
  return Buffer.concat([Buffer.of(0x30, body.length), body]).toString('hex');
}

export function isHighS(der: Buffer): boolean {
  return (
    BigInt(`0x${der.subarray(6 + der[3]!).toString('hex')}`) >
    0x7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8n
  );
}

function base58check(text: string): Buffer {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  let value = 0n;
  for (const char of text) value = value * 58n + BigInt(alphabet.indexOf(char));
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  const [data, checksum] = [bytes.subarray(0, -4), bytes.subarray(-4)];
  const hash = (input: Buffer) => createHash('sha256').update(input).digest();
  if (!hash(hash(data)).subarray(0, 4).equals(checksum)) throw new Error('wrong checksum');
  return data;
}

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
