import { test, expect } from '@playwright/test';
import { fromHex, toHex, utf8 } from '../../../client/crypto/bytes.ts';
import { KeyPair } from '../../../client/crypto/key-pair.ts';
import { verifyDer } from '../../../client/crypto/signature.ts';
import { nodeVerify } from './other-side/node-verify.ts';
import { rfc6979 } from './vectors/rfc6979.ts';
import { wycheproof } from './vectors/wycheproof.ts';

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
