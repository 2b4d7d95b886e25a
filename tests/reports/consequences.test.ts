import { expect, test } from '@playwright/test';
import { withoutConsequences } from '../../reports/consequences.ts';
import type { TestRecord } from '../../reports/evidence.ts';
import type { Rule } from '../../schemas/rules.ts';

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
