import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { wrongRecordIds, ID_MISTAKES } from '../../generators/ids.ts';
import { componentSchema } from '../../generators/schemas.ts';
import { Validator } from '../../schemas/validator.ts';
import { fourProperties } from './four-properties.ts';

const LEGAL = 'InternalAccount:01234567-89ab-4cde-8f01-23456789abcd';
const validator = new Validator();
const schema = componentSchema('InternalAccountId');
const isLegal = (id: string) => validator.judge(schema, id).breaches.length === 0;

fourProperties('wrongRecordIds', {
  arbitrary: wrongRecordIds(LEGAL),
  isRight: ({ mistake, id }) => ID_MISTAKES.includes(mistake) && !isLegal(id),
});

test('what it bends was legal', () => {
  expect(isLegal(LEGAL)).toBe(true);
});

test('every mistake comes by', () => {
  const seen = new Set(
    fc.sample(wrongRecordIds(LEGAL), { seed: 1, numRuns: 500 }).map(({ mistake }) => mistake),
  );
  expect([...seen].sort()).toEqual([...ID_MISTAKES].sort());
});

test('no mistake names another record of the right form', () => {
  for (const { id } of fc.sample(wrongRecordIds(LEGAL), { seed: 2, numRuns: 500 })) expect(id).not.toBe(LEGAL);
});
