import { test, expect } from '@playwright/test';
import fc from 'fast-check';
import { KeyPair } from '../../../client/crypto/key-pair.ts';
import { stamp } from '../../../client/crypto/stamp.ts';
import { DIALECT } from '../../../target/dialect/keys.ts';
import { judgeStamp } from './other-side/judge-stamp.ts';

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
