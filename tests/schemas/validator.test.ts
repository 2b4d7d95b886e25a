import { expect, test } from '@playwright/test';
import { Validator } from '../../schemas/validator.ts';

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
  expect([...judge({ kind: 'B' }).seen]).toEqual(['KIND']);
  expect([...judge({ kind: 'A', size: 1 }).seen].sort()).toEqual(['KIND', 'SIZE', 'SIZE-FOR-A']);
});

test('the deepest rule on the way is blamed, with its place', () => {
  expect(judge({ kind: 'B', inner: { deep: 1 } }).breaches).toEqual([
    { rule: 'DEEP', pointer: '/inner/deep', message: 'inner.deep must be string, but is 1' },
  ]);
});

test('a missing property is blamed on its own rule, and under a condition on the rule of the condition', () => {
  expect(judge({}).breaches).toEqual([{ rule: 'KIND', pointer: '/kind', message: 'kind is missing' }]);
  expect(judge({ kind: 'A' }).breaches).toEqual([
    { rule: 'SIZE-FOR-A', pointer: '/size', message: 'size is missing' },
  ]);
});

test('a breach that no rule stands for is left to the caller', () => {
  expect(judge([]).breaches).toEqual([
    { rule: undefined, pointer: '', message: 'the body must be object, but is []' },
  ]);
});

test('one breach is told once, and long values are cut', () => {
  const [breach, ...others] = new Validator().judge(
    { properties: { a: { 'x-rule': 'A', type: 'string', maxLength: 3, pattern: '^b$' } } },
    { a: 'c'.repeat(500) },
  ).breaches;
  expect(others).toEqual([]);
  expect(breach?.message.length).toBeLessThan(200);
});

test('judgements do not leak into each other', () => {
  const validator = new Validator();
  validator.judge(schema, { kind: 'A', size: 1 });
  expect([...validator.judge(schema, {}).seen]).toEqual([]);
});
