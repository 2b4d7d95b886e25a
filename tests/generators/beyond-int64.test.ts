import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { beyondInt64 } from '../../generators/beyond-int64.ts';
import { INT64 } from '../../schemas/values.ts';
import { fourProperties } from './four-properties.ts';

fourProperties('beyondInt64', { arbitrary: beyondInt64(), isRight: (value) => value > INT64.max });

test('some values wrap to a small amount', () => {
  const wrapped = fc
    .sample(beyondInt64(), { seed: 1, numRuns: 100 })
    .map((value) => BigInt.asIntN(64, value));
  expect(wrapped.some((value) => value > 0n && value <= 1_000n)).toBe(true);
});
