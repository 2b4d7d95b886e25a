import { verify } from 'node:crypto';
import { test, expect } from '@playwright/test';
import { KeyPair } from '../../../client/crypto/key-pair.ts';
import { invalidStamps, malformedStamps } from '../../../client/crypto/tampered-stamps.ts';
import { DIALECT } from '../../../target/dialect/keys.ts';
import { judgeStamp, nodePublicKey } from './other-side/judge-stamp.ts';

/** A payload that every row of the tables changes: outer white space, inner white space, keys out of order. */
const PAYLOAD = ' {"type":"ACTIVITY", "b": {"d": 1, "c": "ä"}, "a": [1, 2]}\n';
const key = KeyPair.generate();
const FORM = DIALECT.stamp.default;

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
