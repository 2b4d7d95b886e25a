import { expect, test } from '@playwright/test';
import { evidenceByRule, type TestRecord } from '../../reports/evidence.ts';
import { isMomentary, type Coverage } from '../../reports/mend.ts';
import { ruleVerdict } from '../../reports/rule-verdict.ts';
import { journal, record, rule } from './sample.ts';

const named = (standing: TestRecord['standing'], more: Partial<TestRecord> = {}): TestRecord =>
  record({ rules: ['THING-A'], standing, reason: 'so', ...more });
const unsure = (more: object = {}) =>
  named('completed', {
    journal: journal({
      checks: [{ rule: 'THING-A', outcome: 'inconclusive', reason: 'so', exchanges: [], ...more }],
    }),
  });
const mend = (tests: readonly TestRecord[], coverage: Coverage = 'check') =>
  ruleVerdict({
    rule: rule('THING-A'),
    capabilities: new Set(),
    evidence: evidenceByRule(tests)('THING-A'),
    coverage,
  }).mend;

const table: readonly (readonly [string, string | undefined, string | undefined])[] = [
  ['no test at all', mend([]), 'run the whole suite, or merge all of its shards'],
  ['no test, but a shape', mend([], 'shape'), 'let an answer carry what the rule speaks of'],
  ['nothing at all', mend([], 'nothing'), 'wait for Assay: it has no check of this rule yet'],
  [
    'a test with nothing to hold it against',
    mend([named('completed')]),
    'let the target answer with what the rule speaks of',
  ],
  ['a test that did not run', mend([named('did not run')]), 'run again, to the end: its test did not run'],
  ['a skipped test', mend([named('skipped')]), 'read why its test was skipped'],
  ['an unprepared test', mend([named('unprepared')]), 'prepare what the reason names'],
  ['a crash', mend([named('crashed')]), 'repair Assay: a test of it failed by itself'],
  ['another breach', mend([named('stopped')]), 'mend the violated rules first'],
  ['a failed control', mend([named('inconclusive')]), 'read the reason: its test could not tell'],
  [
    'trouble',
    mend([named('inconclusive', { trouble: '503' })]),
    'run again: the network or the target was in trouble',
  ],
  ['an unclear check', mend([unsure()]), 'read the reason: a check could not tell'],
  [
    'an unclear check in trouble',
    mend([unsure({ trouble: true })]),
    'run again: the network or the target was in trouble',
  ],
  [
    'an order that is given',
    mend([named('unprepared', { mend: 'serve the state `a`' })]),
    'serve the state `a`',
  ],
  [
    'the order that most tests name',
    mend([
      named('unprepared', { mend: 'serve the state `a`' }),
      named('unprepared', { mend: 'serve the state `b`' }),
      named('unprepared', { mend: 'serve the state `b`' }),
    ]),
    'serve the state `b`',
  ],
  [
    'a given order before a derived one',
    mend([named('unprepared'), named('unprepared', { mend: 'serve the state `a`' })]),
    'serve the state `a`',
  ],
  [
    'tests that had no part in the verdict',
    mend([
      named('unprepared', { mend: 'serve the state `a`' }),
      named('unprepared', { mend: 'serve the state `a`' }),
      named('stopped'),
    ]),
    'mend the violated rules first',
  ],
  ['a verified rule', mend([record({ journal: journal({ seen: { 'THING-A': 1 } }) })]), undefined],
];

for (const [situation, order, expected] of table) {
  test(`${situation}: ${expected ?? 'nothing to mend'}`, () => expect(order).toBe(expected));
}

test('only accidents of a run are momentary', () => {
  const momentary = table.flatMap(([, order]) => (order !== undefined && isMomentary(order) ? [order] : []));
  expect(new Set(momentary)).toEqual(
    new Set([
      'run the whole suite, or merge all of its shards',
      'run again, to the end: its test did not run',
      'run again: the network or the target was in trouble',
    ]),
  );
});
