import { inspect } from 'node:util';
import { test, expect } from '@playwright/test';
import { toHex } from '../../../client/crypto/bytes.ts';
import { KeyPair } from '../../../client/crypto/key-pair.ts';
import { nodePublicKey } from './other-side/node-verify.ts';

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
