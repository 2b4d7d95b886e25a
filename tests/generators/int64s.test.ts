import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { int64s, int64sBeyondDouble } from '../../generators/int64s.ts';
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
