import { expect, test } from '@playwright/test';
import { Secrets } from '../../client/secrets/secrets.ts';
import { showValue } from '../../schemas/blame.ts';
import { Validator } from '../../schemas/validator.ts';

const plain = (text: string) => text;
const SECRET = 'agent-token-3f9a81c2d7'.repeat(10);

function masking(): (text: string) => string {
  const secrets = new Secrets();
  secrets.add(SECRET);
  return (text) => secrets.mask(text);
}

test('values are shown as JSON, and long ones are cut', () => {
  for (const value of ['a"b', 1.5, null, true, [], {}, [1, 'a', [null]], { a: { b: [1] }, c: 'd' }])
    expect(showValue(value, 'field', plain)).toBe(JSON.stringify(value));
  expect(showValue(undefined, 'field', plain)).toBe('absent');
  expect(showValue('c'.repeat(500), 'field', plain)).toBe(`"${'c'.repeat(76)}…`);
  expect(showValue(['c'.repeat(500)], 'field', plain)).toHaveLength(78);
});

test('secrets are masked before a value is cut', () => {
  expect(showValue(SECRET, 'field', masking())).toBe('"••••••"');
  expect(showValue({ a: 'b'.repeat(60), c: SECRET }, 'field', masking())).not.toContain('agent-');
  expect(showValue({ a: 'b'.repeat(3_990), c: SECRET.repeat(9) }, 'field', masking())).not.toContain(
    'agent-',
  );
});

test('the name of its field tells that a value is secret', () => {
  expect(showValue(73915, 'otp_code', masking())).toBe('"••••••"');
  expect(showValue(['unknown'], 'accessToken', masking())).toBe('["••••••"]');
  expect(showValue(73915, 'amount', masking())).toBe('73915');
});

test('values that are nested or long beyond reason are shown in no time', () => {
  let nested: unknown = [];
  for (let depth = 0; depth < 20_000; depth += 1) nested = depth % 2 ? [nested] : { a: nested };
  const started = performance.now();
  expect(showValue(nested, 'field', plain)).toContain('[{"a":');
  expect(showValue(new Array(2_000_000).fill(1), 'field', plain)).toContain('1,1,1');
  expect(performance.now() - started).toBeLessThan(1_000);
});

test('a validator masks what its messages show, whole', () => {
  const validator = new Validator(masking());
  const schema = { properties: { a: { type: 'integer' }, accessToken: { type: 'string' } } };
  const { breaches } = validator.judge(schema, { a: SECRET, accessToken: 739_152 });
  expect(breaches.map(({ message }) => message)).toEqual([
    'a must be a whole number, but is "••••••"',
    'accessToken must be text, but is "••••••"',
  ]);
});

test('a breach that comes again in every item is told by the first items', () => {
  const schema = { items: { type: 'object', properties: { a: { type: 'string' } } } };
  const { breaches } = new Validator().judge(
    schema,
    Array.from({ length: 50_000 }, () => ({ a: 1 })),
  );
  expect(breaches).toHaveLength(20);
});
