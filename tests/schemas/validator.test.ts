import { rmSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { Validator } from '../../schemas/validator.ts';
import { cacheFile, contractDigest } from '../../schemas/cache.ts';
import { compileAhead, compiledAhead } from '../../schemas/compiled.ts';
import { type Schema, discriminated, loadContract } from '../../schemas/contract.ts';
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

test('one breach is told once, and long values are cut', () => {
  const [breach, ...others] = new Validator().judge(
    { properties: { a: { 'x-rule': 'A', type: 'string', maxLength: 3, pattern: '^b$' } } },
    { a: 'c'.repeat(500) },
  ).breaches;
  expect(others).toEqual([]);
  expect(breach?.message.length).toBeLessThan(200);
});

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
    for (const [name, schema] of components)
      for (const value of VALUES) {
        expect(compiledAhead(schema), name).toBeDefined();
        const { seen, breaches } = judge.judge(schema, value);
        const now = new Validator().judge(structuredClone(schema), value);
        expect({ seen: [...seen], breaches }, name).toEqual({ seen: [...now.seen], breaches: now.breaches });
      }
  });

  test('what is compiled after a contract was read is found all the same', async () => {
    const contract = await loadContract('Later');
    const [schema] = [...contract.components.values()] as [Schema];
    rmSync(cacheFile(`validators-${contractDigest('Later')}.cjs`), { force: true });
    expect(compiledAhead(schema)).toBeUndefined();
    await compileAhead('Later', () => loadContract('Later'));
    expect(compiledAhead(schema)).toBeDefined();
  });
});

const ID = 'InternalAccount:553295e4-b848-4ee7-81c3-0a0c86a5b731';
const document = parse(readFileSync(join(root, 'schemas/openapi.yaml'), 'utf8')) as object;

test('a union with a discriminator becomes conditions, one for each member', () => {
  const branch = (values: string[], $ref: string) => ({
    if: { type: 'object', required: ['kind'], properties: { kind: { enum: values } } },
    then: { $ref },
  });
  expect(
    discriminated({
      type: 'object',
      allOf: [{ required: ['id'] }],
      oneOf: [{ $ref: '#/a' }, { $ref: '#/b' }],
      discriminator: { propertyName: 'kind', mapping: { X: '#/a', Y: '#/b', Z: '#/b' } },
    }),
  ).toEqual({
    type: 'object',
    allOf: [{ required: ['id'] }, branch(['X'], '#/a'), branch(['Y', 'Z'], '#/b')],
  });
});

test('other unions, and fields that are called discriminator or oneOf, are left alone', () => {
  const schema = {
    oneOf: [{ type: 'string' }, { type: 'number' }],
    properties: { discriminator: { type: 'string' }, oneOf: { type: 'string' } },
  };
  expect(discriminated(schema)).toEqual(schema);
});

test('the sandbox reads the unions of the contract in the same way', () => {
  expect(ofSandbox(document)).toEqual(discriminated(document));
  expect(JSON.stringify(discriminated(document))).not.toContain('propertyName');
});

/** By component; each of them right or wrong in another way. */
const VALUES: Readonly<Record<string, string>> = {
  CreateCredentialRequest: `{"type":"OAUTH","accountId":"${ID}","oidcToken":"x"}; {"type":"OAUTH","accountId":"${ID}"};
    {"type":"SMS_OTP","accountId":"${ID}"}; {"type":"PASSKEY","accountId":"${ID}","oidcToken":"x"};
    {"type":"X","accountId":"${ID}"}; {"accountId":"${ID}"}; null`,
  VerifyCredentialRequest: `{"type":"EMAIL_OTP","encryptedOtpBundle":"{}"}; {"type":"EMAIL_OTP","encryptedOtpBundle":1};
    {"type":"OAUTH","oidcToken":"x","clientPublicKey":"zz"}`,
  QuoteSource: `{"sourceType":"ACCOUNT","accountId":5}; {"sourceType":"UMA_ADDRESS"}; {}`,
  QuoteDestination: `{"destinationType":"UMA_ADDRESS"}; "ACCOUNT"`,
  Transaction: `{"type":"CARD","platformFees":[]}; {"type":"card"}`,
  AccountOrWalletInfo: `{"accountType":"USD_ACCOUNT","bankName":"Bank"}; {"accountType":"USD_ACCOUNT","bankName":7};
    {"accountType":"LIGHTNING","invoice":null}; {"accountType":"ZZZ_ACCOUNT"}`,
};

for (const [component, values] of Object.entries(VALUES))
  test(`${component} takes and refuses the same whether oneOf or conditions judge`, async () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false });
    addFormats.default(ajv);
    ajv.addSchema({ ...document, $id: 'https://contract.invalid/' });
    const $ref = `https://contract.invalid/#/components/schemas/${component}`;
    const { components } = await loadContract('Service');
    for (const text of values.split(';')) {
      const value: unknown = JSON.parse(text);
      const { breaches } = new Validator().judge(components.get(component)!, value);
      expect(breaches.length === 0, text).toBe(ajv.validate({ $ref }, value));
    }
  });

test('a wrong body is told once, in the member that it says it is', async () => {
  const { components } = await loadContract('Service');
  const schema = components.get('VerifyCredentialRequest')!;
  const { breaches } = new Validator().judge(schema, {
    type: 'OAUTH',
    oidcToken: 'x',
    clientPublicKey: 'zz',
  });
  expect(breaches.map(({ pointer }) => pointer)).toEqual(['/clientPublicKey']);
});
