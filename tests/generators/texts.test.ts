import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import {
  plainTexts,
  printableTexts,
  overlongTexts,
  EXOTIC_KINDS,
  exoticText,
  exoticTexts,
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

const MOST = 80;

fourProperties('exoticTexts', {
  arbitrary: exoticTexts(MOST),
  isRight: ({ kind, text }) => {
    const piece = exoticText(kind, 1);
    const times = text.length / piece.length;
    return Number.isInteger(times) && times >= 1 && times <= MOST && text === piece.repeat(times);
  },
});

test('every kind comes by', () => {
  const seen = new Set(fc.sample(exoticTexts(MOST), { seed: 1, numRuns: 800 }).map(({ kind }) => kind));
  expect([...seen].sort()).toEqual([...EXOTIC_KINDS].sort());
});

test('lone surrogates are lone', () => {
  for (const kind of EXOTIC_KINDS)
    expect(/\p{Surrogate}/u.test(exoticText(kind, 2)), kind).toBe(kind.startsWith('lone'));
});
