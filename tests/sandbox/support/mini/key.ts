import { createECDH, createHash, createPrivateKey, sign, type ECDH, type KeyObject } from 'node:crypto';
import { open } from './hpke.ts';

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
