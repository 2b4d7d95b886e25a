import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { printableTexts } from '../../generators/printable-texts.ts';
import { fourProperties } from './four-properties.ts';

const lengths = { minLength: 1, maxLength: 80 };

fourProperties('printableTexts', {
  arbitrary: printableTexts(lengths),
  isRight: (text) => /^[\x20-\x7e]{1,80}$/.test(text) && text.trim() === text,
});

test('every printable character comes by', () => {
  const seen = new Set(fc.sample(printableTexts(lengths), { seed: 1, numRuns: 300 }).join(''));
  expect(seen.size).toBe(0x7e - 0x20 + 1);
});
