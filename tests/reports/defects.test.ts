import { expect, test } from '@playwright/test';
import { mergeDefects } from '../../reports/defects.ts';
import { placeOf } from '../../reports/evidence.ts';
import type { Finding } from '../../journal/types.ts';
import { journal, record, rule } from './sample.ts';

const rules = new Map([rule('THING-A'), rule('THING-B', { level: 'SHOULD' })].map((each) => [each.id, each]));
const merge = (findings: readonly (readonly [string, Partial<Finding>])[]) =>
  mergeDefects(
    findings.map(([label, more]) =>
      record({
        label,
        journal: journal({
          findings: [{ rule: 'THING-A', place: 'THING-A', message: 'wrong', exchanges: [], ...more }],
        }),
      }),
    ),
    (id) => rules.get(id),
  );

test('findings of one rule at one place are one defect', () => {
  const defects = merge([
    ['one', { exchanges: ['1.1'] }],
    ['two', { exchanges: ['2.1', '1.1'] }],
    ['two', {}],
  ]);
  expect(defects).toMatchObject([
    {
      id: 'THING-A',
      rule: 'THING-A',
      level: 'MUST',
      place: 'THING-A',
      title: 'What THING-A says.',
      message: 'wrong',
      count: 3,
      tests: ['one', 'two'],
      exchanges: ['1.1', '2.1'],
      seen: [{ words: 'wrong', tests: ['one', 'two'] }],
      steadiness: 'once',
    },
  ]);
});

test('another place is another defect', () => {
  expect(
    merge([
      ['one', { place: 'A/b' }],
      ['one', { place: 'A/c' }],
    ]),
  ).toHaveLength(2);
});

test('the clearest message has an exchange, is frequent, and short', () => {
  const [defect] = merge([
    ['one', { message: 'no' }],
    ['one', { message: 'often said', exchanges: ['2'] }],
    ['one', { message: 'often said', exchanges: ['3'] }],
    ['one', { message: 'rare', exchanges: ['4'] }],
  ]);
  expect(defect).toMatchObject({ message: 'often said', exchanges: ['2', '3', '4'] });
});

test('a counterexample is kept whoever found it', () => {
  const counterexample = { seed: 1, path: '0', input: '{}', runs: 9 };
  expect(
    merge([
      ['one', { exchanges: ['1'] }],
      ['two', { counterexample }],
    ])[0],
  ).toMatchObject({ counterexample });
});

test('a defect is known only when all of it is', () => {
  expect(merge([['one', { known: 'ticket' }]])[0]?.known).toBe('ticket');
  expect(
    merge([
      ['one', { known: 'ticket' }],
      ['two', {}],
    ])[0]?.known,
  ).toBeUndefined();
});

test('open before known, MUST before SHOULD, often before rarely', () => {
  const order = merge([
    ['one', { place: 'known', known: 'ticket' }],
    ['one', { rule: 'THING-B', place: 'should' }],
    ['one', { place: 'rare' }],
    ['one', { place: 'often' }],
    ['two', { place: 'often' }],
  ]);
  expect(order.map((defect) => defect.place)).toEqual(['often', 'rare', 'should', 'known']);
});

test('one test that does not see it again makes a defect intermittent', () => {
  const seen = (label: string, steadiness: 'steady' | 'intermittent' | 'once') => {
    const finding = { rule: 'THING-A', place: 'THING-A', message: 'wrong', exchanges: [] };
    return record({
      label,
      journal: journal({ findings: [finding] }),
      steadiness: new Map([[placeOf(finding), steadiness]]),
    });
  };
  const of = (...tests: ReturnType<typeof seen>[]) =>
    mergeDefects(tests, (id) => rules.get(id))[0]?.steadiness;
  expect(of(seen('one', 'once'), seen('two', 'steady'))).toBe('steady');
  expect(of(seen('one', 'steady'), seen('two', 'intermittent'))).toBe('intermittent');
});
