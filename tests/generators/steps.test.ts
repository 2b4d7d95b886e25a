import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { chosen, sequences } from '../../generators/steps.ts';
import { fourProperties } from './four-properties.ts';

const NAMES = ['open', 'take', 'take', 'close', 'look'] as const;

fourProperties('sequences', {
  arbitrary: sequences(NAMES),
  isRight: (steps) =>
    steps.length <= NAMES.length &&
    NAMES.every(
      (name) =>
        steps.filter((step) => step.do === name).length <= NAMES.filter((other) => other === name).length,
    ),
});

test('a dozen sequences come to every name, and have a good half of the steps', () => {
  const all = fc.sample(sequences(NAMES), { seed: 1, numRuns: 12 });
  expect(new Set(all.flat().map((step) => step.do))).toEqual(new Set(NAMES));
  const average = all.flat().length / all.length;
  expect(average).toBeGreaterThan(NAMES.length / 2);
});

test('what fails shrinks to the steps that it takes, in their order', () => {
  const found = fc.check(
    fc.property(sequences(NAMES), (steps) => {
      const names = steps.map((step) => step.do);
      const closed = names.indexOf('close');
      return closed < 0 || !names.slice(closed).includes('take');
    }),
    { seed: 3, numRuns: 200 },
  );
  expect(found.counterexample?.[0].map(({ do: name, which, what }) => [name, which, what])).toEqual([
    ['close', 0, 0],
    ['take', 0, 0],
  ]);
});

test('a number chooses a member of any list that has one', () => {
  expect(chosen(['a', 'b'], 3)).toBe('b');
  expect(chosen([], 3)).toBeUndefined();
});
