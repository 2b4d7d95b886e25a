import { expect, test } from '@playwright/test';
import { parseJson, printJson, withDoubles } from '../../../sandbox/server/json.ts';

for (const [text, value] of [
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', 9007199254740993n],
  ['9223372036854775807', 9223372036854775807n],
  ['1e2', 100],
  ['100.0', 100],
  ['9007199254740993.0', 9007199254740993n],
  ['1.5', 1.5],
  ['-0', -0],
] as const) {
  test(`reads ${text} exactly`, () => expect(parseJson(text)).toBe(value));
}

test('a fraction that a double rounds away is no number of use', () => {
  expect(parseJson('100.00000000000000000001')).toBe(Number.NaN);
  expect(parseJson('9007199254740993.5')).toBe(Number.NaN);
});

for (const text of [
  '',
  '{',
  '{"a":1,}',
  "{'a':1}",
  'undefined',
  'NaN',
  '01',
  '{"a":1,"a":2}',
  '{} {}',
  '['.repeat(100_000),
]) {
  test(`refuses ${text.slice(0, 20)}`, () => expect(() => parseJson(text)).toThrow(SyntaxError));
}

test('prints all digits and leaves out what is undefined', () => {
  expect(printJson({ a: 9223372036854775807n, b: undefined, c: [null] })).toBe(
    '{"a":9223372036854775807,"c":[null]}',
  );
});

test('what lies outside int64 stays outside as a double', () => {
  expect(withDoubles(2n ** 63n)).toBeGreaterThan(2 ** 63);
  expect(withDoubles(2n ** 63n - 1n)).toBeLessThanOrEqual(2 ** 63);
});
