import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { KeptRows } from '../../proof/long-run.ts';
import { isGood, rowOf, withUnvouched } from '../../proof/matrix/row.ts';
import type { RuleReport, Verdict } from '../../reports/verdicts/model.ts';
import type { Fault } from '../../sandbox/faults/fault.ts';
import { type MutantRow, nameable, readSurvivors } from '../../proof/mutants/row.ts';
import { coveringSeeds, factors, pairsIn } from '../../proof/variants/covering.ts';
import { choices } from '../../sandbox/variants/index.ts';
import { dialects } from '../../sandbox/variants/dialects.ts';
import { type VariantRow, isFair, judged, readShowsLess } from '../../proof/variants/row.ts';
import { loadRules } from '../../schemas/rules.ts';
import { scratch, scratchFile } from '../support/run-assay.ts';

test('rows of several machines are read together, those of another digest are not, and a cut line is left out', () => {
  const folder = scratch('kept');
  new KeptRows<number>('matrix', 'abc', '1-of-2', folder).add(1);
  new KeptRows<number>('matrix', 'abc', '2-of-2', folder).add(2);
  new KeptRows<number>('matrix', 'other', 'all', folder).add(3);
  appendFileSync(join(folder, 'matrix-abc-2-of-2.ndjson'), '{"cut');
  const all = new KeptRows<number>('matrix', 'abc', 'all', folder);
  expect(all.all().sort()).toEqual([1, 2]);
  all.clear();
  expect(all.all()).toEqual([]);
  expect(new KeptRows<number>('matrix', 'other', 'all', folder).all()).toEqual([3]);
});

const fault: Fault = { name: 'f', breaks: 'A-RULE', also: ['B-RULE'], says: '', replace: {} };
const verified = new Set(['A-RULE', 'B-RULE', 'C-RULE']);

const reached = { run: 3, reaching: 3 };

function judgedBy(
  verdicts: Readonly<Record<string, Verdict>>,
  { crashed = [], run = 3 }: { readonly crashed?: readonly string[]; readonly run?: number } = {},
) {
  const rules = Object.entries(verdicts).map(
    ([id, verdict]) => ({ id, verdict, reason: 'so' }) as RuleReport,
  );
  return rowOf(fault, { rules, crashed }, verified, { ...reached, run });
}

test('caught by its own rule and nobody else is good', () => {
  const row = judgedBy({ 'A-RULE': 'violated', 'B-RULE': 'violated', 'C-RULE': 'verified' });
  expect(row).toEqual({
    ...{ fault: 'f', breaks: 'A-RULE', fate: 'caught', also: ['B-RULE'], tests: 3, reaching: 3 },
  });
  expect(isGood(row)).toBe(true);
});

test('in doubt where no profile vouches is told, and good; a wrong accusation there is not', () => {
  const row = judgedBy({ 'A-RULE': 'violated' });
  expect(withUnvouched(row, row)).toBe(row);
  const open = withUnvouched(row, judgedBy({ 'A-RULE': 'inconclusive' }));
  expect(open).toMatchObject({ fate: 'caught', unvouched: { fate: 'in doubt', hint: 'so' } });
  expect(isGood(open)).toBe(true);
  const wrong = withUnvouched(row, judgedBy({ 'A-RULE': 'inconclusive', 'C-RULE': 'violated' }));
  expect(isGood(wrong)).toBe(false);
});

for (const [what, row, shows] of [
  ['a fault that is missed', judgedBy({ 'A-RULE': 'verified' }), { fate: 'missed' }],
  ['a fault that is in doubt', judgedBy({ 'A-RULE': 'inconclusive' }), { fate: 'in doubt' }],
  ['a fault without a test', judgedBy({ 'A-RULE': 'verified' }, { run: 0 }), { fate: 'never reached' }],
  [
    'a wrong accusation, though the fault is caught',
    judgedBy({ 'A-RULE': 'violated', 'C-RULE': 'violated' }),
    { fate: 'caught', wrongly: ['C-RULE'] },
  ],
  ['a mistake of the suite', judgedBy({ 'A-RULE': 'violated' }, { crashed: ['a test: no'] }), {}],
] as const)
  test(`${what} is red`, () => {
    expect(row).toMatchObject(shows);
    expect(isGood(row)).toBe(false);
  });

test('the list in the repository can be read', () => expect(() => readSurvivors()).not.toThrow());

test('an entry without a reason is refused', () => {
  const file = scratchFile('list.yaml', '- {file: a, was: b, becomes: c, is: open}\n');
  expect(() => readSurvivors(pathToFileURL(file))).toThrow(
    /Entry 1 of .* needs file, was, becomes and because/,
  );
});

test('a mutant that is never reached, left open or unseen is none that a rule can name', () => {
  const row = { file: 'a', was: 'b', becomes: 'c', fate: 'unnoticed' } as MutantRow;
  const explained = (is: 'open' | 'unseen' | 'missing') => [{ ...row, is, because: '' }];
  expect(nameable(10, [row], [])).toBe(10);
  expect(nameable(10, [row], explained('missing'))).toBe(10);
  expect(nameable(10, [row], explained('open'))).toBe(9);
  expect(nameable(10, [row, { ...row, file: 'd', fate: 'never reached' }], explained('unseen'))).toBe(8);
});

test('each two ways of any two differences meet in some world, those of the dialect included', () => {
  expect(factors).toHaveLength(choices.length + dialects.length);
  const worlds = coveringSeeds();
  const { shown, all } = pairsIn(worlds);
  expect(shown).toBe(all);
  expect(pairsIn(worlds.slice(0, 3)).shown).toBeLessThan(all);
  expect(worlds.length).toBeLessThan(80);
});

const lost = (rule: string) => ({ rule, why: 'the quote came without it' });
const row: VariantRow = {
  ...{ seed: 7, differences: ['rate-details-is-absent', 'paths'], accused: [], crashed: [] },
  lost: [lost('QUOTE-ID'), lost('QUOTE-STATUS')],
};
const takes = (names: readonly string[], ...rules: string[]) => ({
  ...{ with: names, because: 'it is not there', rules },
});

test('what a difference is known to take away is not held against the suite; an accusation is', () => {
  const all = judged(row, [takes(['paths'], 'QUOTE-ID'), takes(['rate-details-is-absent'], 'QUOTE-STATUS')]);
  expect(isFair(all)).toBe(true);
  expect(all.hidden).toBe(2);
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
