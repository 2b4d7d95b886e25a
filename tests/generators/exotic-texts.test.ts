import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { EXOTIC_KINDS, exoticText, exoticTexts } from '../../generators/exotic-texts.ts';
import { fourProperties } from './four-properties.ts';

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
