import { expect, test } from '@playwright/test';
import type { TestRecord } from '../../reports/evidence.ts';
import { withoutGuesses, type VouchedFor, withoutConsequences } from '../../reports/take-back.ts';
import type { Rule } from '../../schemas/rules.ts';

const finding = (assumes?: readonly string[]) => ({
  rule: 'THING-A',
  place: 'THING-A',
  message: 'expected an accepted request, got 400',
  exchanges: ['1'],
  ...(assumes ? { assumes } : {}),
});

function record(assumes: readonly string[] | undefined, spoken: readonly string[] = []): TestRecord {
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
  const good = record(undefined, keys);
  return { ...good, journal: { ...good.journal!, findings: [], checks: [] } };
};

const accuses = (tests: readonly TestRecord[], vouchedFor: VouchedFor): boolean =>
  withoutGuesses(tests, vouchedFor)[0]!.journal!.findings.length > 0;

test('a refusal of what nobody has shown to be spoken accuses nobody, and says what to do', () => {
  const [taken] = withoutGuesses([record(['otpSeal', 'stamp'], ['stamp'])], []);
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
  expect(accuses([record(['otpSeal'])], 'all')).toBe(true);
  expect(accuses([record(['otpSeal'])], ['otpSeal'])).toBe(true);
  expect(accuses([record(['otpSeal']), spoke('otpSeal')], [])).toBe(true);
  expect(accuses([record(undefined)], [])).toBe(true);
  expect(accuses([record(['otpSeal', 'stamp']), spoke('otpSeal')], [])).toBe(false);
});

test('who vouches for all bodies vouches for one; one accepted body says nothing of another', () => {
  expect(accuses([record(['bodies.createQuote'])], ['bodies'])).toBe(true);
  expect(accuses([record(['bodies.createQuote']), spoke('bodies.createAgent')], [])).toBe(false);
  expect(accuses([record(['bodies.createQuote']), spoke('bodies.createQuote')], [])).toBe(true);
});

test('a time that was kept once is no promise: only the profile tells', () => {
  expect(accuses([record(['eventSeconds']), spoke('eventSeconds')], [])).toBe(false);
  expect(accuses([record(['eventSeconds'])], ['eventSeconds'])).toBe(true);
});

const rule = (id: string, follows?: readonly string[]) => ({ id, ...(follows ? { follows } : {}) }) as Rule;
const RULES = [rule('CAUSE'), rule('EFFECT', ['CAUSE']), rule('OTHER')];

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
