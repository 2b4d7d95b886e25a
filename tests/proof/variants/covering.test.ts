import { expect, test } from '@playwright/test';
import { coveringSeeds, factors, pairsIn, seeds } from '../../../proof/variants/covering.ts';
import { choices } from '../../../sandbox/variants/index.ts';
import { dialects } from '../../../sandbox/variants/dialects.ts';

test('each two ways of any two differences meet in some world, those of the dialect included', () => {
  expect(factors).toHaveLength(choices.length + dialects.length);
  const worlds = coveringSeeds();
  const { shown, all } = pairsIn(worlds);
  expect(shown).toBe(all);
  expect(pairsIn(worlds.slice(0, 3)).shown).toBeLessThan(all);
  expect(worlds.length).toBeLessThan(80);
});

test('a number means the same world each time, and more of them begin with the same ones', () => {
  const covering = coveringSeeds();
  const more = seeds(covering.length + 2);
  expect(more.slice(0, covering.length)).toEqual(covering);
  expect(more).toHaveLength(covering.length + 2);
  expect(seeds(covering.length + 2)).toEqual(more);
});
