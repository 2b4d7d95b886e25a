import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { overlongTexts } from '../../generators/overlong-texts.ts';
import { fourProperties } from './four-properties.ts';

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
