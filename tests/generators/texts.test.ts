import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import {
  plainTexts,
  printableTexts,
  overlongTexts,
  EXOTIC_KINDS,
  exoticText,
} from '../../generators/texts.ts';
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

const printableLengths = { minLength: 1, maxLength: 80 };

fourProperties('printableTexts', {
  arbitrary: printableTexts(printableLengths),
  isRight: (text) => /^[\x20-\x7e]{1,80}$/.test(text) && text.trim() === text,
});

test('every printable character comes by', () => {
  const seen = new Set(fc.sample(printableTexts(printableLengths), { seed: 1, numRuns: 300 }).join(''));
  expect(seen.size).toBe(0x7e - 0x20 + 1);
});

const LIMIT = 80;

fourProperties('overlongTexts', {
  arbitrary: overlongTexts(LIMIT),
  isRight: (text) => /^[a-zA-Z0-9]+$/.test(text) && text.length > LIMIT,
});

test('a failing text shrinks to one character over the limit', () => {
  const { counterexample } = fc.check(
    fc.property(overlongTexts(LIMIT), () => false),
    { seed: 3 },
  );
  expect(counterexample?.[0]).toHaveLength(LIMIT + 1);
});

test('lone surrogates are lone', () => {
  for (const kind of EXOTIC_KINDS)
    expect(/\p{Surrogate}/u.test(exoticText(kind, 2)), kind).toBe(kind.startsWith('lone'));
});
