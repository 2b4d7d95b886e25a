import { sha256 } from '@noble/hashes/sha2.js';
import { concat, utf8 } from '../bytes.ts';

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
