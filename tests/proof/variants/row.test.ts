import { expect, test } from '@playwright/test';
import { isFair, judged, variantLines, type VariantRow } from '../../../proof/variants/row.ts';
import { readShowsLess } from '../../../proof/variants/shows-less.ts';
import { choices } from '../../../sandbox/variants/index.ts';
import { dialects } from '../../../sandbox/variants/dialects.ts';
import { loadRules } from '../../../schemas/rules.ts';

const lost = (rule: string) => ({ rule, why: 'the quote came without it' });
const row: VariantRow = {
  seed: 7,
  differences: ['rate-details-is-absent', 'paths'],
  accused: [],
  lost: [lost('QUOTE-ID'), lost('QUOTE-STATUS')],
  crashed: [],
};
const takes = (names: readonly string[], ...rules: string[]) => ({
  with: names,
  because: 'it is not there',
  rules,
});

test('what a difference is known to take away is not held against the suite', () => {
  const all = judged(row, [takes(['paths'], 'QUOTE-ID'), takes(['rate-details-is-absent'], 'QUOTE-STATUS')]);
  expect(isFair(all)).toBe(true);
  expect(all.hidden).toBe(2);
});

test('what a difference takes away is lost where the world does not have it', () => {
  const part = judged(row, [takes(['paths', 'stamp'], 'QUOTE-ID'), takes(['paths'], 'QUOTE-STATUS')]);
  expect(isFair(part)).toBe(false);
  expect(part.lost.map(({ rule }) => rule)).toEqual(['QUOTE-ID']);
  expect(variantLines(part)).toEqual([
    'world 7: 0 rules accused, 1 no longer verified, 1 not shown there, 0 mistakes of the suite',
    '  no longer verified, the quote came without it: QUOTE-ID',
  ]);
});

test('an accusation is never excused', () => {
  const accused = { ...row, accused: [lost('QUOTE-ID')], lost: [] };
  expect(isFair(judged(accused, [takes(['paths'], 'QUOTE-ID')]))).toBe(false);
});

test('the list names differences and rules that there are', () => {
  const differences = new Set([
    ...choices.flatMap(({ name, options }) => Object.keys(options).map((option) => `${name}-is-${option}`)),
    ...dialects.map(({ key }) => key),
  ]);
  const rules = new Set(loadRules().map(({ id }) => id));
  const list = readShowsLess();
  expect(list.flatMap(({ with: names }) => names.filter((name) => !differences.has(name)))).toEqual([]);
  expect(list.flatMap((entry) => entry.rules.filter((rule) => !rules.has(rule)))).toEqual([]);
});
