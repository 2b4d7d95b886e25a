import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { plainTexts } from '../../generators/plain-texts.ts';
import { fourProperties } from './four-properties.ts';

const lengths = { minLength: 1, maxLength: 80 };

fourProperties('plainTexts', {
  arbitrary: plainTexts(lengths),
  isRight: (text) => /^[a-zA-Z0-9]{1,80}$/.test(text),
});

test('both bounds come often', () => {
  const seen = fc.sample(plainTexts(lengths), { seed: 1, numRuns: 100 }).map((text) => text.length);
  expect(seen.filter((length) => length === lengths.minLength).length).toBeGreaterThan(10);
  expect(seen.filter((length) => length === lengths.maxLength).length).toBeGreaterThan(10);
});
