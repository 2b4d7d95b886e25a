import { inspect } from 'node:util';
import { test, expect } from '@playwright/test';
import { toHex, fromHex, utf8 } from '../../../client/crypto/bytes.ts';
import { KeyPair, verifyDer } from '../../../client/crypto/key-pair.ts';
import { nodePublicKey, nodeVerify } from './other-side/judge-stamp.ts';
import { rfc6979 } from './vectors/specifications.ts';
import { wycheproof } from './vectors/wycheproof.ts';

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
