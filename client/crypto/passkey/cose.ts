import { encode } from 'cbor2';
import { fromHex } from '../bytes.ts';
import type { KeyPair } from '../key-pair.ts';

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
