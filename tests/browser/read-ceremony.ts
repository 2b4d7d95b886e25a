import { decode } from 'cbor2';
import { fromBase64Url, toHex } from '../../client/crypto/bytes.ts';
import type { AuthenticatorFlags } from '../../client/crypto/index.ts';

/** What `clientDataJSON` says. */
export interface ReadClientData {
  readonly text: string;
  /** Members in the order in which they stand. */
  readonly members: readonly string[];
  readonly challenge: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Members beyond those that WebAuthn prescribes; Chromium adds one at random so that nobody relies on the text. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** What authenticator data say (WebAuthn section 6.1); byte strings as hexadecimal digits. */
export interface ReadAuthenticatorData {
  readonly rpIdHash: string;
  readonly flags: Required<AuthenticatorFlags>;
  readonly attestedCredential: boolean;
  readonly counter: number;
  readonly length: number;
  readonly aaguid: string;
  readonly credentialIdLength: number;
}

/** @param base64url `clientDataJson` in the interface's spelling */
export function readClientData(base64url: string): ReadClientData {
  const text = Buffer.from(base64url, 'base64url').toString('utf8');
  const all = JSON.parse(text) as Record<string, unknown>;
  const { type, challenge, origin, crossOrigin, ...extra } = all;
  const values = { type, challenge, origin, crossOrigin };
  return { text, members: Object.keys(all), challenge: String(challenge), values, extra };
}

export function readAuthenticatorData(bytes: Uint8Array): ReadAuthenticatorData {
  const flags = bytes[32] ?? 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const attestedCredential = (flags & 0x40) !== 0;
  return {
    rpIdHash: toHex(bytes.subarray(0, 32)),
    flags: {
      userPresent: (flags & 0x01) !== 0,
      userVerified: (flags & 0x04) !== 0,
      backupEligible: (flags & 0x08) !== 0,
      backedUp: (flags & 0x10) !== 0,
    },
    attestedCredential,
    counter: view.getUint32(33),
    length: bytes.length,
    aaguid: attestedCredential ? toHex(bytes.subarray(37, 53)) : '',
    credentialIdLength: attestedCredential ? view.getUint16(53) : 0,
  };
}

/** The members of an attestation object. */
export function readAttestation(base64url: string): { fmt: string; attStmt: object; authData: Uint8Array } {
  return decode(fromBase64Url(base64url));
}
