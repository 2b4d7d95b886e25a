import { rmSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { cacheFile, contractDigest } from '../../schemas/cache.ts';
import { compileAhead, compiledAhead, contractAjv } from '../../schemas/compiled.ts';
import { loadContract, type Schema } from '../../schemas/contract.ts';
import { Validator } from '../../schemas/validator.ts';

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

test('every schema of the contract is one by the meta schema, which workers do not ask again', async () => {
  const ajv = new Ajv2020({ strict: false });
  for (const [name, schema] of (await load()).components)
    expect(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`).toBe(true);
});

test('a rule is noted where its schema was evaluated, and not where it was not', () => {
  const schema: Schema = {
    type: 'object',
    'x-rule': 'OUTER',
    properties: { a: { type: 'string', 'x-rule': 'INNER' } },
  };
  const validate = contractAjv().compile(schema);
  const rulesOf = (value: unknown) => {
    const seen = new Set<string>();
    validate.call(seen, value);
    return [...seen];
  };
  expect(rulesOf({})).toEqual(['OUTER']);
  expect(rulesOf({ a: 1 })).toEqual(['OUTER', 'INNER']);
});
