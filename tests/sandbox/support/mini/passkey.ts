import { createHash, randomBytes } from 'node:crypto';
import { Key } from './key.ts';

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const url = (data: Buffer | string) => Buffer.from(data).toString('base64url');

/** What a ceremony does differently from what it should. */
export interface Tampered {
  challenge?: string;
  origin?: string;
  rpId?: string;
  flags?: number;
  counter?: number;
  key?: Key;
  credentialId?: string;
}

/** A passkey, its CBOR put together by hand. */
export class Passkey {
  readonly id = randomBytes(32);
  readonly key = new Key();
  readonly origin = 'https://app.example.com';
  readonly rpId = 'example.com';
  counter = 1;

  get credentialId(): string {
    return url(this.id);
  }

  /** `challenge` and `attestation` of a registration. @param challenge base64url */
  register(challenge: string, tampered: Tampered = {}): object {
    const point = this.key.ecdh.getPublicKey();
    const cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      point.subarray(1, 33),
      Buffer.from('225820', 'hex'),
      point.subarray(33),
    ]);
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.of(0, this.id.length), this.id, cose]);
    const authData = Buffer.concat([this.#head({ flags: 0x41, ...tampered }), attested]);
    const head = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.of(0x58, authData.length),
    ]);
    return {
      challenge,
      attestation: {
        credentialId: tampered.credentialId ?? this.credentialId,
        clientDataJson: url(this.#clientData('webauthn.create', challenge, tampered)),
        attestationObject: url(Buffer.concat([head, authData])),
        transports: ['internal'],
      },
    };
  }

  /** `assertion` of a login. @param challenge as the challenge call answered it: its text is what is signed */
  assert(challenge: string, tampered: Tampered = {}): object {
    this.counter++;
    const clientData = this.#clientData('webauthn.get', url(challenge), tampered);
    const authData = this.#head({ flags: 0x01, ...tampered });
    return {
      credentialId: tampered.credentialId ?? this.credentialId,
      clientDataJson: url(clientData),
      authenticatorData: url(authData),
      signature: url((tampered.key ?? this.key).sign(Buffer.concat([authData, sha256(clientData)]))),
    };
  }

  #clientData(type: string, challenge: string, tampered: Tampered): string {
    return JSON.stringify({
      type,
      challenge: tampered.challenge ?? challenge,
      origin: tampered.origin ?? this.origin,
      crossOrigin: false,
    });
  }

  #head({ rpId = this.rpId, flags = 1, counter = this.counter }: Tampered): Buffer {
    const tail = Buffer.alloc(5);
    tail[0] = flags;
    tail.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), tail]);
  }
}
