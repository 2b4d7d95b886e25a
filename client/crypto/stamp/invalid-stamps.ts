import { sha256 } from '@noble/hashes/sha2.js';
import { toHex } from '../bytes.ts';
import { KeyPair } from '../key-pair.ts';
import { encodeStamp, stamp, stampFields, type StampFields, type StampForm } from './stamp.ts';

/** A stamp of the right form that must not be accepted. */
export interface InvalidStamp {
  /** Kebab-case, unique in the table. */
  readonly name: string;
  /** What the mistake is in: the key that signs or is named, the bytes signed, or the signature itself. */
  readonly part: 'key' | 'payload' | 'signature';
  /** What is wrong, to follow "the stamp …". */
  readonly says: string;
  /** The header value, or undefined where the mistake would change nothing (a payload with nothing to trim). */
  make(payloadToSign: string, key: KeyPair, form: StampForm): string | undefined;
}

/** A row that signs another text than the one to sign. */
function payload(name: string, says: string, change: (text: string) => string | undefined): InvalidStamp {
  const make: InvalidStamp['make'] = (text, key, form) => {
    const changed = change(text);
    return changed === undefined || changed === text ? undefined : stamp(changed, key, form);
  };
  return { name, part: 'payload', says, make };
}

/** A row that keeps the signature's form and changes its fields. */
function altered(
  name: string,
  part: InvalidStamp['part'],
  says: string,
  change: (good: StampFields, text: string, form: StampForm) => StampFields,
): InvalidStamp {
  const make: InvalidStamp['make'] = (text, key, form) =>
    encodeStamp(JSON.stringify(change(stampFields(text, key, form), text, form)), form);
  return { name, part, says, make };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function rewritten(text: string, write: (value: object) => string): string | undefined {
  const value = parsed(text);
  return typeof value === 'object' && value !== null ? write(value) : undefined;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sortKeys(inner)]));
}

/** r = s = 0 in DER: accepted by verifiers that skip the range check (CVE-2022-21449). */
const ZERO_SIGNATURE = '3006020100020100';

/** Every well-formed stamp that does not verify. */
export const invalidStamps: readonly InvalidStamp[] = [
  {
    name: 'key-other',
    part: 'key',
    says: 'is made with another key and names that key',
    make: (text, _, form) => stamp(text, KeyPair.generate(), form),
  },
  altered('key-other-signs', 'key', 'names the right key and is signed by another', (good, text, form) => ({
    ...good,
    signature: stampFields(text, KeyPair.generate(), form).signature,
  })),
  altered('key-other-named', 'key', 'is signed by the right key and names another', (good) => ({
    ...good,
    publicKey: KeyPair.generate().compressed,
  })),
  payload('payload-other', 'signs another payload', (text) => `${text}.`),
  payload('payload-trimmed', 'signs the payload without its outer white space', (text) => text.trim()),
  payload('payload-line-end', 'signs the payload with a line end added', (text) => `${text}\n`),
  payload('payload-re-serialised', 'signs the payload parsed and written again', (text) =>
    rewritten(text, (value) => JSON.stringify(value)),
  ),
  payload('payload-indented', 'signs the payload written again with indentation', (text) =>
    rewritten(text, (value) => JSON.stringify(value, null, 2)),
  ),
  payload('payload-keys-sorted', 'signs the payload with its keys sorted', (text) =>
    rewritten(text, (value) => JSON.stringify(sortKeys(value))),
  ),
  payload('payload-hashed-twice', 'signs the hash of the payload in hexadecimal digits', (text) =>
    toHex(sha256(new TextEncoder().encode(text))),
  ),
  altered('signature-zero', 'signature', 'has a signature whose r and s are 0', (good) => ({
    ...good,
    signature: ZERO_SIGNATURE,
  })),
  altered('signature-flipped-bit', 'signature', 'has a signature with its last bit flipped', (good) => ({
    ...good,
    signature: good.signature.slice(0, -1) + (Number.parseInt(good.signature.slice(-1), 16) ^ 1).toString(16),
  })),
];
