import { showValue } from '../../schemas/blame.ts';
import { Secrets } from '../../client/secrets/secrets.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { Validator } from '../../schemas/validator.ts';
import { compileAhead, compiledAhead } from '../../schemas/compiled.ts';
import { discriminated, loadContract } from '../../schemas/contract.ts';
import { discriminated as ofSandbox } from '../../sandbox/server/read-contract.ts';
import { root } from '../support/run-assay.ts';

const schema = {
  type: 'object',
  required: ['kind'],
  properties: {
    kind: { 'x-rule': 'KIND', enum: ['A', 'B'] },
    size: { 'x-rule': 'SIZE', type: 'integer' },
    inner: { type: 'object', 'x-rule': 'INNER', properties: { deep: { 'x-rule': 'DEEP', type: 'string' } } },
  },
  allOf: [
    {
      if: { properties: { kind: { const: 'A' } }, required: ['kind'] },
      then: { required: ['size'], 'x-rule': 'SIZE-FOR-A' },
    },
  ],
};
const judge = (value: unknown) => new Validator().judge(schema, value);

test('a rule counts as seen only when there was something to hold against it', () => {
  const validator = new Validator();
  const seen = (value: unknown) => [...validator.judge(schema, value).seen].sort();
  expect(seen({ kind: 'A', size: 1 })).toEqual(['KIND', 'SIZE', 'SIZE-FOR-A']);
  // What was seen before is not seen again.
  expect(seen({ kind: 'B' })).toEqual(['KIND']);
});

/** Which rule is blamed, where, and in which words. */
for (const [what, value, rule, pointer, message] of [
  ['the deepest rule on the way', { kind: 'B', inner: { deep: 1 } }, 'DEEP', '/inner/deep', 'but is 1'],
  ['the rule of a missing property', {}, 'KIND', '/kind', 'kind is missing'],
  ['under a condition the rule of the condition', { kind: 'A' }, 'SIZE-FOR-A', '/size', 'size is missing'],
  ['nobody where no rule stands for it', [], undefined, '', 'the body must be an object, but is []'],
] as const)
  test(`blamed: ${what}`, () =>
    expect(judge(value).breaches).toEqual([{ rule, pointer, message: expect.stringContaining(message) }]));

test.describe(() => {
  const load = () => loadContract('Service');
  const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
  /** Right, wrong in many ways at once, and no objects at all. */
  const VALUES: readonly unknown[] = [
    {},
    { id: `AgentAction:${ID}`, status: 'APPROVED', type: 'TRANSFER_OUT', createdAt: '2025-10-13T10:00:00Z' },
    { id: 7, status: 'NEVER', data: [{}, null, { id: 'x' }], error: {}, amount: { amount: '1' } },
    [{ id: 'x' }],
    'text',
    null,
  ];

  test.beforeAll(() => compileAhead('Service', load));

  test('every schema compiled ahead of time says what it says when it is compiled at once', async () => {
    const { components } = await load();
    const judge = new Validator();
    // A copy is a schema that nobody knows, so it is compiled here.
    const other = [...components].flatMap(([name, schema]) =>
      VALUES.filter((value) => {
        const { seen, breaches } = judge.judge(schema, value);
        const now = new Validator().judge(structuredClone(schema), value);
        const isSame = isDeepStrictEqual([[...seen], breaches], [[...now.seen], now.breaches]);
        return compiledAhead(schema) === undefined || !isSame;
      }).map((value) => [name, value]),
    );
    expect(components.size).toBeGreaterThan(20);
    expect(other).toEqual([]);
  });
});

const document = parse(readFileSync(join(root, 'schemas/openapi.yaml'), 'utf8')) as object;

test('the sandbox reads the unions of the contract in the same way', () => {
  expect(ofSandbox(document)).toEqual(discriminated(document));
  expect(JSON.stringify(discriminated(document))).not.toContain('propertyName');
});

const plain = (text: string) => text;
const SECRET = 'agent-token-3f9a81c2d7'.repeat(10);

function masking(): (text: string) => string {
  const secrets = new Secrets();
  secrets.add(SECRET);
  return (text) => secrets.mask(text);
}

test('secrets are masked before a value is cut', () => {
  expect(showValue(SECRET, 'field', masking())).toBe('"••••••"');
  expect(showValue({ a: 'b'.repeat(60), c: SECRET }, 'field', masking())).not.toContain('agent-');
  expect(showValue({ a: 'b'.repeat(3_990), c: SECRET.repeat(9) }, 'field', masking())).not.toContain(
    'agent-',
  );
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
