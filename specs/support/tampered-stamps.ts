import { sha256 } from '@noble/hashes/sha2.js';
import { base64 } from '@scure/base';
import { fromHex, toHex, utf8 } from '../../client/crypto/bytes.ts';
import { KeyPair } from '../../client/crypto/key-pair.ts';
import {
  encodeStamp,
  stamp,
  stampFields,
  type StampFields,
  type StampForm,
} from '../../client/crypto/stamp.ts';
import { parsedOrNothing } from '../../schemas/json.ts';

/** One way to get a stamp wrong, so that the header cannot be parsed (401 WALLET_SIGNATURE_MALFORMED). */
export interface MalformedStamp {
  /** Kebab-case, unique in the table. */
  readonly name: string;
  readonly rule: 'STAMP-MALFORMED-ENCODING' | 'STAMP-MALFORMED-STRUCTURE' | 'STAMP-MALFORMED-FIELDS';
  /** What is wrong, to follow "a stamp that …". */
  readonly says: string;
  /**
   * What else a target may do with it, where the interface leaves room. Absent: it can only be malformed.
   *
   * - `missing`: it may count as absent
   * - `invalid`: what is wrong may be found only when the signature is verified
   * - `unverified`: the same, so that a target which verifies nothing accepts it, which is another rule's matter
   * - `read`: how a stamp is built is not shown, so it may be read, and found good or not
   */
  readonly orElse?: 'missing' | 'invalid' | 'unverified' | 'read';
  /** The header value, made from an otherwise good stamp over the payload. */
  make(payloadToSign: string, key: KeyPair, form: StampForm): string;
}

type Fields = Record<string, unknown>;
const json = (fields: Fields | StampFields): string => JSON.stringify(fields);

const encoding = (
  name: string,
  says: string,
  change: (json: string, form: StampForm) => string,
  orElse?: MalformedStamp['orElse'],
) => row(name, 'STAMP-MALFORMED-ENCODING', says, (fields, form) => change(json(fields), form), orElse);

const structure = (name: string, says: string, change: (fields: StampFields) => string) =>
  row(name, 'STAMP-MALFORMED-STRUCTURE', says, (fields, form) => encodeStamp(change(fields), form));

const fields = (
  name: string,
  says: string,
  change: (good: StampFields) => Fields,
  orElse?: MalformedStamp['orElse'],
) => row(name, 'STAMP-MALFORMED-FIELDS', says, (good, form) => encodeStamp(json(change(good)), form), orElse);

function row(
  name: string,
  rule: MalformedStamp['rule'],
  says: string,
  change: (good: StampFields, form: StampForm) => string,
  orElse?: MalformedStamp['orElse'],
): MalformedStamp {
  const make: MalformedStamp['make'] = (payload, key, form) => change(stampFields(payload, key, form), form);
  return { name, rule, says, make, ...(orElse === undefined ? {} : { orElse }) };
}

function without(good: StampFields, field: keyof StampFields): Fields {
  return Object.fromEntries(Object.entries(good).filter(([name]) => name !== field));
}

/** Standard base64 that uses all three characters which base64url without padding has not: plus, slash and padding. */
function standardBase64(text: string): string {
  let wide = text.replace('{', '{"note":">>>>>?????",');
  while (utf8(wide).length % 3 === 0) wide = ` ${wide}`;
  return base64.encode(utf8(wide));
}

/** No point of the curve has this x coordinate. */
const OFF_CURVE = `02${'1'.padStart(64, '0')}`;

/** r and s as 64 plain bytes, the form that JOSE and WebCrypto use instead of DER. */
function plainSignature(der: string): string {
  const bytes = fromHex(der);
  const integer = (at: number): Uint8Array => bytes.subarray(at + 2, at + 2 + (bytes[at + 1] ?? 0));
  const r = integer(2);
  const s = integer(4 + r.length);
  return [r, s].map((n) => toHex(n).slice(-64).padStart(64, '0')).join('');
}

/** Every malformed stamp, by the part that is wrong. */
export const malformedStamps: readonly MalformedStamp[] = [
  encoding('encoding-empty', 'is an empty header', () => '', 'missing'),
  encoding('encoding-not-base64url', 'has characters that base64url has not', () => '%%%not*base64url%%%'),
  encoding('encoding-raw-json', 'is JSON that was not encoded', (text) => text, 'read'),
  encoding('encoding-hex', 'is written in hexadecimal digits', (text) => toHex(utf8(text)), 'read'),
  encoding('encoding-truncated', 'stops half-way', (text, form) => encodeStamp(text, form).slice(0, 40)),
  encoding('encoding-standard-base64', 'is base64 with +, / and =', standardBase64, 'read'),

  structure('structure-not-json', 'encodes text that is not JSON', () => 'publicKey, scheme, signature'),
  structure('structure-json-array', 'encodes a JSON array', (good) => JSON.stringify(Object.values(good))),
  structure('structure-json-string', 'encodes a JSON string', (good) => JSON.stringify(json(good))),
  structure('structure-json-number', 'encodes a JSON number', () => '256'),
  structure('structure-json-null', 'encodes null', () => 'null'),
  structure('structure-empty-object', 'encodes an empty object', () => '{}'),

  fields('public-key-missing', 'has no publicKey', (good) => without(good, 'publicKey'), 'read'),
  fields('public-key-not-text', 'has a number for its publicKey', (good) => ({ ...good, publicKey: 2 })),
  fields(
    'public-key-not-hex',
    'has a publicKey that is not hexadecimal',
    (good) => ({ ...good, publicKey: `zz${good.publicKey.slice(2)}` }),
    'invalid',
  ),
  fields(
    'public-key-wrong-length',
    'has a publicKey one byte short',
    (good) => ({ ...good, publicKey: good.publicKey.slice(0, -2) }),
    'invalid',
  ),
  fields(
    'public-key-not-on-curve',
    'has a publicKey that is no point of the curve',
    (good) => ({ ...good, publicKey: OFF_CURVE }),
    'unverified',
  ),
  fields('scheme-missing', 'has no scheme', (good) => without(good, 'scheme'), 'read'),
  fields(
    'scheme-unknown',
    'names a scheme that does not exist',
    (good) => ({ ...good, scheme: 'SIGNATURE_SCHEME_UNKNOWN' }),
    'read',
  ),
  fields('signature-missing', 'has no signature', (good) => without(good, 'signature')),
  fields('signature-empty', 'has an empty signature', (good) => ({ ...good, signature: '' }), 'invalid'),
  fields(
    'signature-not-hex',
    'has a signature that is not hexadecimal',
    (good) => ({ ...good, signature: `zz${good.signature.slice(2)}` }),
    'invalid',
  ),
  fields(
    'signature-not-der',
    'has r and s side by side instead of DER',
    (good) => ({ ...good, signature: plainSignature(good.signature) }),
    'unverified',
  ),
  fields(
    'signature-der-truncated',
    'has a DER signature that ends too early',
    (good) => ({ ...good, signature: good.signature.slice(0, -8) }),
    'unverified',
  ),
];

/** A stamp of the right form that must not be accepted. */
export interface InvalidStamp {
  /** Kebab-case, unique in the table. */
  readonly name: string;
  /** What the mistake is in: the key that signs or is named, the bytes signed, or the signature itself. */
  readonly part: 'key' | 'payload' | 'signature';
  /** What is wrong, to follow "a stamp that …". */
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

function rewritten(text: string, write: (value: object) => string): string | undefined {
  const value = parsedOrNothing(text);
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
    toHex(sha256(utf8(text))),
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
