import { expect, test } from '@playwright/test';
import { mergeDefects } from '../../reports/defects.ts';
import { placeOf, type TestRecord } from '../../reports/evidence.ts';
import type { Finding } from '../../journal/types.ts';
import { withoutGuesses, withoutConsequences, type VouchedFor } from '../../reports/withdrawn-findings.ts';
import type { Rule } from '../../schemas/rules.ts';
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

const finding = (assumes?: readonly string[]) => ({
  rule: 'THING-A',
  place: 'THING-A',
  message: 'expected an accepted request, got 400',
  exchanges: ['1'],
  ...(assumes ? { assumes } : {}),
});

function assuming(assumes: readonly string[] | undefined, spoken: readonly string[] = []): TestRecord {
  return {
    label: 'a test',
    rules: ['THING-A'],
    standing: 'stopped',
    outcome: 'failed',
    journal: {
      version: 1,
      rules: ['THING-A'],
      seen: {},
      checks: [{ rule: 'THING-A', outcome: 'failed', reason: 'x', exchanges: ['1'] }],
      findings: [finding(assumes)],
      observations: [],
      exchanges: [],
      spoken,
    },
  };
}

const spoke = (...keys: string[]): TestRecord => {
  const good = assuming(undefined, keys);
  return { ...good, journal: { ...good.journal!, findings: [], checks: [] } };
};

const accuses = (tests: readonly TestRecord[], vouchedFor: VouchedFor): boolean =>
  withoutGuesses(tests, vouchedFor)[0]!.journal!.findings.length > 0;

test('a refusal of what nobody has shown to be spoken accuses nobody, and says what to do', () => {
  const [taken] = withoutGuesses([assuming(['otpSeal', 'stamp'], ['stamp'])], []);
  expect(taken).toMatchObject({ standing: 'inconclusive' });
  expect(taken!.journal!.findings).toEqual([]);
  expect(taken!.journal!.checks).toMatchObject([
    {
      outcome: 'inconclusive',
      reason: expect.stringContaining('It assumes `otpSeal`;') as unknown as string,
      mend: expect.stringContaining('say in the profile how the target does `otpSeal`') as unknown as string,
    },
  ]);
});

test('it accuses where the profile vouches, where anything in the run was accepted, or where nothing was assumed', () => {
  expect(accuses([assuming(['otpSeal'])], 'all')).toBe(true);
  expect(accuses([assuming(['otpSeal'])], ['otpSeal'])).toBe(true);
  expect(accuses([assuming(['otpSeal']), spoke('otpSeal')], [])).toBe(true);
  expect(accuses([assuming(undefined)], [])).toBe(true);
  expect(accuses([assuming(['otpSeal', 'stamp']), spoke('otpSeal')], [])).toBe(false);
});

test('who vouches for all bodies vouches for one; one accepted body says nothing of another', () => {
  expect(accuses([assuming(['bodies.createQuote'])], ['bodies'])).toBe(true);
  expect(accuses([assuming(['bodies.createQuote']), spoke('bodies.createAgent')], [])).toBe(false);
  expect(accuses([assuming(['bodies.createQuote']), spoke('bodies.createQuote')], [])).toBe(true);
});

test('a time that was kept once is no promise: only the profile tells', () => {
  expect(accuses([assuming(['eventSeconds']), spoke('eventSeconds')], [])).toBe(false);
  expect(accuses([assuming(['eventSeconds'])], ['eventSeconds'])).toBe(true);
});

const following = (id: string, follows?: readonly string[]) =>
  ({ id, ...(follows ? { follows } : {}) }) as Rule;
const RULES = [following('CAUSE'), following('EFFECT', ['CAUSE']), following('OTHER')];

function failing(...broken: string[]): TestRecord {
  return {
    label: 'a test',
    rules: broken,
    standing: 'stopped',
    outcome: 'failed',
    journal: {
      version: 1,
      rules: broken,
      seen: {},
      checks: broken.map((id) => ({ rule: id, outcome: 'failed', reason: 'x', exchanges: ['1'] })),
      findings: broken.map((id) => ({ rule: id, place: id, message: 'got 200', exchanges: ['1'] })),
      observations: [],
      exchanges: [],
      spoken: [],
    },
  };
}

const accused = (tests: readonly TestRecord[]) =>
  tests.map(({ journal }) => journal!.findings.map((finding) => finding.rule));

test('while the cause is broken anywhere in the run, its consequence stays open and says of what', () => {
  const [effect] = withoutConsequences([failing('EFFECT'), failing('CAUSE')], RULES);
  expect(effect).toMatchObject({ standing: 'inconclusive', journal: { findings: [] } });
  expect(effect!.journal!.checks).toEqual([
    expect.objectContaining({
      rule: 'EFFECT',
      outcome: 'inconclusive',
      reason: expect.stringContaining('breach of CAUSE') as unknown,
    }),
  ]);
});

test('the cause, what follows from nothing broken, and all else stay accused', () => {
  expect(accused(withoutConsequences([failing('EFFECT', 'OTHER')], RULES))).toEqual([['EFFECT', 'OTHER']]);
  expect(accused(withoutConsequences([failing('CAUSE', 'EFFECT', 'OTHER')], RULES))).toEqual([
    ['CAUSE', 'OTHER'],
  ]);
});

test('what follows from a breach and is a known failure stays one', () => {
  const both = failing('CAUSE', 'EFFECT');
  const findings = both.journal!.findings.map((found) => ({ ...found, known: 'being mended' }));
  expect(accused(withoutConsequences([{ ...both, journal: { ...both.journal!, findings } }], RULES))).toEqual(
    [['CAUSE', 'EFFECT']],
  );
});
