/** The three binary structures of a WebAuthn ceremony, as an authenticator writes them. */
import { sha256 } from '@noble/hashes/sha2.js';
import { encode } from 'cbor2';
import { concat, fromHex, toBase64Url, utf8 } from '../bytes.ts';
import type { KeyPair } from '../key-pair.ts';

/** What the browser collects about a ceremony. */
export interface ClientData {
  type: 'webauthn.create' | 'webauthn.get';
  challenge: Uint8Array;
  origin: string;
  crossOrigin?: boolean;
  /** Further members, written last and in order; the standard allows them. */
  extra?: Readonly<Record<string, unknown>>;
}

/** The bytes of `clientDataJSON`, in the order of members that WebAuthn prescribes (section 5.8.1.1). */
export function clientDataJson(data: ClientData): Uint8Array {
  const collected = {
    type: data.type,
    challenge: toBase64Url(data.challenge),
    origin: data.origin,
    crossOrigin: data.crossOrigin ?? false,
    ...data.extra,
  };
  return utf8(JSON.stringify(collected));
}

/** The bits of the flags byte that a software passkey can set (WebAuthn section 6.1). */
export interface AuthenticatorFlags {
  userPresent?: boolean;
  userVerified?: boolean;
  backupEligible?: boolean;
  backedUp?: boolean;
}

const BITS = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10 } as const;
const ATTESTED_CREDENTIAL = 0x40;

/** The parts of authenticator data. */
export interface AuthenticatorDataParts {
  rpId: string;
  flags: AuthenticatorFlags;
  /** The signature counter, an unsigned 32-bit number. */
  counter: number;
  /** Only at registration. */
  attested?: { aaguid: Uint8Array; credentialId: Uint8Array; coseKey: Uint8Array };
}

/** The bytes of authenticator data (WebAuthn section 6.1). */
export function authenticatorData(parts: AuthenticatorDataParts): Uint8Array {
  const { attested } = parts;
  const head = new Uint8Array(5);
  let bits = attested ? ATTESTED_CREDENTIAL : 0;
  for (const [name, bit] of Object.entries(BITS)) {
    if (parts.flags[name as keyof typeof BITS]) bits |= bit;
  }
  head[0] = bits;
  new DataView(head.buffer).setUint32(1, parts.counter);
  const hash = sha256(utf8(parts.rpId));
  if (!attested) return concat(hash, head);
  const length = new Uint8Array(2);
  new DataView(length.buffer).setUint16(0, attested.credentialId.length);
  return concat(hash, head, attested.aaguid, length, attested.credentialId, attested.coseKey);
}

/** COSE labels and values (RFC 9053) of an ES256 key. */
const KTY = 1;
const ALG = 3;
const CRV = -1;
const X = -2;
const Y = -3;
const EC2 = 2;
const ES256 = -7;
const P256 = 1;

/** The public key as a COSE_Key, in CTAP2 canonical order. */
export function coseKey(key: KeyPair): Uint8Array {
  const point = fromHex(key.uncompressed);
  const labels = new Map<number, number | Uint8Array>([
    [KTY, EC2],
    [ALG, ES256],
    [CRV, P256],
    [X, point.slice(1, 33)],
    [Y, point.slice(33)],
  ]);
  return encode(labels);
}

/** An attestation object of format `none` around authenticator data. */
export function attestationObject(authData: Uint8Array): Uint8Array {
  const members = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ]);
  return encode(members);
}
