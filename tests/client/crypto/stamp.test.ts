import { inspect } from 'node:util';
import { verify } from 'node:crypto';
import { test, expect } from '@playwright/test';
import { p256 } from '@noble/curves/nist.js';
import fc from 'fast-check';
import { toHex, fromHex, utf8 } from '../../../client/crypto/bytes.ts';
import { KeyPair, verifyDer } from '../../../client/crypto/key-pair.ts';
import { stamp } from '../../../client/crypto/stamp.ts';
import { DIALECT } from '../../../target/dialect/keys.ts';
import { invalidStamps, malformedStamps } from '../../../client/crypto/tampered-stamps.ts';
import { nodePublicKey, nodeVerify, judgeStamp } from './other-side.ts';
import { rfc6979 } from './vectors.ts';
import { wycheproof } from './vectors.ts';

test('a key pair comes back from its scalar, in bytes and in hexadecimal digits', () => {
  const key = KeyPair.generate();
  expect(KeyPair.fromScalar(key.scalar).compressed).toBe(key.compressed);
  expect(KeyPair.fromScalar(toHex(key.scalar)).uncompressed).toBe(key.uncompressed);
});

test('both forms of the public key are the same point for node:crypto', () => {
  const key = KeyPair.generate();
  expect(key.compressed).toMatch(/^0[23][0-9a-f]{64}$/);
  expect(key.uncompressed).toMatch(/^04[0-9a-f]{128}$/);
  expect(nodePublicKey(key.compressed).equals(nodePublicKey(key.uncompressed))).toBe(true);
});

const ORDER = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';
for (const [says, scalar] of [
  ['zero', '00'.repeat(32)],
  ['the order of the group', ORDER],
  ['one byte short', '11'.repeat(31)],
  ['one byte long', '11'.repeat(33)],
  ['not hexadecimal', 'zz'.repeat(32)],
] as const) {
  test(`no private key: ${says}`, () => expect(() => KeyPair.fromScalar(scalar)).toThrow(RangeError));
}

test('the private half appears in no rendering', () => {
  const key = KeyPair.generate();
  const shown = inspect(key, { depth: 5, showHidden: true }) + JSON.stringify(key);
  expect(shown).not.toContain(toHex(key.scalar));
  expect(Object.keys(key)).toEqual(['compressed', 'uncompressed']);
});

test('a point is told from what is none', () => {
  const key = KeyPair.generate();
  expect([key.compressed, key.uncompressed].map((hex) => KeyPair.isPublicKey(hex))).toEqual([true, true]);
  const none = [
    '',
    'zz',
    `02${'1'.padStart(64, '0')}`,
    key.compressed.slice(2),
    `05${key.compressed.slice(2)}`,
  ];
  expect(none.filter((hex) => KeyPair.isPublicKey(hex))).toEqual([]);
});

/** r or s as a DER integer. */
function integer(hex: string): string {
  const digits = Number.parseInt(hex.slice(0, 2), 16) > 0x7f ? `00${hex}` : hex;
  return `02${(digits.length / 2).toString(16).padStart(2, '0')}${digits}`;
}

for (const { message, r, s } of rfc6979.signatures) {
  test(`RFC 6979 A.2.5: the signature of "${message}" is the published one`, () => {
    const key = KeyPair.fromScalar(rfc6979.scalar);
    expect(key.uncompressed).toBe(`04${rfc6979.x}${rfc6979.y}`);
    const body = integer(r) + integer(s);
    const der = `30${(body.length / 2).toString(16)}${body}`;
    expect(toHex(key.sign(utf8(message), { s: 'as-is' }))).toBe(der);
  });
}

for (const { publicKey, cases } of wycheproof) {
  for (const row of cases) {
    test(`Wycheproof ${row.id}, ${row.says}: ${row.valid ? 'accepted' : 'refused'}`, () => {
      const [signature, message] = [fromHex(row.signature), fromHex(row.message)];
      expect(verifyDer(signature, message, publicKey)).toBe(row.valid);
      expect(nodeVerify(signature, message, publicKey)).toBe(row.valid);
    });
  }
}

test('low and high s differ, and both are valid', () => {
  const key = KeyPair.generate();
  const [low, high] = [key.sign(utf8('a')), key.sign(utf8('a'), { s: 'high' })];
  expect(toHex(low)).not.toBe(toHex(high));
  for (const signature of [low, high]) {
    expect(verifyDer(signature, utf8('a'), key.compressed)).toBe(true);
    expect(nodeVerify(signature, utf8('a'), key.compressed)).toBe(true);
  }
});

const FORM = DIALECT.stamp.default;

test('node:crypto verifies 200 stamps over random text, low-S and high-S', () => {
  let runs = 0;
  const text = fc.string({ unit: 'binary', maxLength: 300 });
  fc.assert(
    fc.property(text, fc.constantFrom('low', 'high', 'as-is'), (payload, s) => {
      const key = KeyPair.generate();
      runs += 1;
      return judgeStamp(stamp(payload, key, FORM, { s }), payload, key.compressed) === 'valid';
    }),
    { numRuns: 200 },
  );
  expect(runs).toBe(200);
});

test('keys and signatures that OpenSSL makes are those of noble: points, and what verifies', () => {
  const scalar = fc
    .bigInt({ min: 1n, max: p256.Point.Fn.ORDER - 1n })
    .map((value) => value.toString(16).padStart(64, '0'));
  fc.assert(
    fc.property(
      scalar,
      fc.uint8Array({ maxLength: 100 }),
      fc.constantFrom('low', 'high'),
      (hex, bytes, s) => {
        const key = KeyPair.fromScalar(hex);
        const point = p256.Point.BASE.multiply(BigInt(`0x${hex}`));
        expect([key.compressed, key.uncompressed]).toEqual([point.toHex(true), point.toHex(false)]);
        expect(verifyDer(key.sign(bytes, { s }), bytes, key.compressed)).toBe(true);
      },
    ),
    { numRuns: 60, examples: [['1'.padStart(64, '0'), new Uint8Array(), 'low']] },
  );
});

test('a stamp over one text is not a stamp over another', () => {
  const key = KeyPair.generate();
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      const verdict = judgeStamp(stamp(one, key, FORM), other, key.compressed);
      return verdict === (one === other ? 'valid' : 'invalid');
    }),
  );
});

test('the header is base64url without padding of JSON without white space, fields in the published order', () => {
  const key = KeyPair.generate();
  const header = stamp('{"a": 1}', key, FORM);
  expect(header).toMatch(/^[A-Za-z0-9_-]+$/);
  const json = Buffer.from(header, 'base64url').toString();
  expect(json).not.toMatch(/\s/);
  const fields = JSON.parse(json) as Record<string, string>;
  expect(Object.keys(fields)).toEqual(['publicKey', 'scheme', 'signature']);
  expect(fields).toMatchObject({ publicKey: key.compressed, scheme: 'SIGNATURE_SCHEME_TK_API_P256' });
  expect(fields['signature']).toMatch(/^30[0-9a-f]+$/);
});

test('another scheme and another encoding are written as they are told', () => {
  const key = KeyPair.generate();
  for (let turn = 0; turn < 20; turn += 1) {
    const header = stamp(`{"turn": ${turn}}`, key, { scheme: 'ANOTHER', encoding: 'base64' });
    expect(header).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(header.length % 4).toBe(0);
    expect(JSON.parse(Buffer.from(header, 'base64').toString())).toMatchObject({ scheme: 'ANOTHER' });
  }
});

/** A payload that every row of the tables changes: outer white space, inner white space, keys out of order. */
const PAYLOAD = ' {"type":"ACTIVITY", "b": {"d": 1, "c": "ä"}, "a": [1, 2]}\n';
const key = KeyPair.generate();

for (const row of malformedStamps) {
  test(`malformed: the stamp ${row.says}`, () => {
    const verdict = judgeStamp(row.make(PAYLOAD, key, FORM), PAYLOAD, key.compressed);
    expect(verdict).toBe(row.orElse === 'missing' ? 'missing' : 'malformed');
  });
}

for (const row of invalidStamps) {
  test(`invalid: the stamp ${row.says}`, () => {
    expect(judgeStamp(row.make(PAYLOAD, key, FORM) ?? '', PAYLOAD, key.compressed)).toBe('invalid');
  });
}

test('names are kebab-case and unique over both tables', () => {
  const names = [...malformedStamps, ...invalidStamps].map((row) => row.name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test('the standard base64 row uses plus, slash and padding', () => {
  for (let length = 0; length < 6; length += 1) {
    const header = stampOf('encoding-standard-base64', 'x'.repeat(length), KeyPair.generate());
    expect(header).toMatch(/\+.*\/.*=$/);
  }
});

test('r and s side by side are the same signature in its other encoding', () => {
  for (let turn = 0; turn < 50; turn += 1) {
    const json = Buffer.from(stampOf('signature-not-der', `${turn}`, key), 'base64url').toString();
    const signature = Buffer.from((JSON.parse(json) as { signature: string }).signature, 'hex');
    const ieee = { key: nodePublicKey(key.compressed), dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', Buffer.from(`${turn}`), ieee, signature)).toBe(true);
  }
});

test('a mistake that would change nothing is no mistake', () => {
  const compact = '{"a":1,"b":2}';
  const made = invalidStamps
    .filter((row) => row.make(compact, key, FORM) === undefined)
    .map((row) => row.name);
  expect(made).toEqual(['payload-trimmed', 'payload-re-serialised', 'payload-keys-sorted']);
  const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.c2ln';
  expect(invalidStamps.find((row) => row.name === 'payload-indented')?.make(jwt, key, FORM)).toBeUndefined();
});

function stampOf(name: string, payload: string, by: KeyPair): string {
  return malformedStamps.find((row) => row.name === name)!.make(payload, by, FORM);
}
