import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { int64s, int64sBeyondDouble, beyondInt64, fractions } from '../../generators/numbers.ts';
import { INT64 } from '../../schemas/values.ts';
import { fourProperties } from './four-properties.ts';

fourProperties('int64s', {
  arbitrary: int64s(),
  isRight: (value) => value >= INT64.min && value <= INT64.max,
});

fourProperties('int64s in a range', {
  arbitrary: int64s({ min: 1n }),
  isRight: (value) => value >= 1n && value <= INT64.max,
});

fourProperties('int64sBeyondDouble', {
  arbitrary: int64sBeyondDouble(),
  isRight: (value) => value > 2n ** 53n && value <= INT64.max && BigInt(Number(value)) !== value,
});

test('both ends of the range come by', () => {
  const seen = new Set(fc.sample(int64s(), { seed: 1, numRuns: 300 }));
  expect(seen).toContain(INT64.min);
  expect(seen).toContain(INT64.max);
});

fourProperties('beyondInt64', { arbitrary: beyondInt64(), isRight: (value) => value > INT64.max });

test('some values wrap to a small amount', () => {
  const wrapped = fc
    .sample(beyondInt64(), { seed: 1, numRuns: 100 })
    .map((value) => BigInt.asIntN(64, value));
  expect(wrapped.some((value) => value > 0n && value <= 1_000n)).toBe(true);
});

const MOST = 10_000;

fourProperties('fractions', {
  arbitrary: fractions(MOST),
  isRight: (value) => /^\d+\.\d{1,3}$/.test(JSON.stringify(value)) && value < MOST + 1,
});
