import { expect, test } from '@playwright/test';
import type { Gate, Level, Verdict } from '../../reports/model.ts';
import { DEFAULT_GATE, EXIT_CODES, runVerdict, type RunCase } from '../../reports/run-verdict.ts';
import { evidenceByRule, type TestRecord } from '../../reports/evidence.ts';
import { isMomentary, type Coverage } from '../../reports/mend.ts';
import { ruleVerdict } from '../../reports/rule-verdict.ts';
import { journal, record, rule } from './sample.ts';

const of = (verdict: Verdict, level: Level = 'MUST', id = 'THING-A') => ({ id, level, verdict });
const run = (rules: RunCase['rules'], more: Partial<Omit<RunCase, 'gate'>> & { gate?: Partial<Gate> } = {}) =>
  runVerdict({ rules, engineErrors: [], didNotRun: 0, ...more, gate: { ...DEFAULT_GATE, ...more.gate } });
const pass = of('verified');
const accepted = (verdict: Verdict) => ({ ...of(verdict), accepted: 'no sandbox for it' });
const outside = (verdict: Verdict) => ({ ...of(verdict), inScope: false as const });
const gone = { at: '2026-11-21T10:20:30.000Z', why: 'nothing listens there' };

const runs: readonly (readonly [string, ReturnType<typeof run>, string])[] = [
  ['all verified', run([pass]), 'conforming'],
  ['verified and not applicable', run([pass, of('not applicable')]), 'conforming'],
  ['a MUST that is not verified', run([pass, of('not verified')]), 'incomplete'],
  ['a MUST that is inconclusive', run([pass, of('inconclusive')]), 'incomplete'],
  ['a SHOULD that is not verified', run([pass, of('not verified', 'SHOULD')]), 'conforming'],
  ['a MUST that is accepted as not verified', run([pass, accepted('not verified')]), 'conforming'],
  ['a MUST that is accepted and inconclusive', run([pass, accepted('inconclusive')]), 'conforming'],
  ['a MUST that is accepted and violated', run([pass, accepted('violated')]), 'violated'],
  ['a MUST that is accepted and verified', run([accepted('verified')]), 'conforming'],
  ['nothing but accepted rules', run([accepted('not verified')]), 'incomplete'],
  ['an open MUST outside of the part', run([pass, outside('not verified')]), 'conforming'],
  ['nothing verified in the part', run([outside('verified')]), 'incomplete'],
  ['a SHOULD alone in the part', run([of('verified', 'SHOULD'), outside('not verified')]), 'conforming'],
  ['a breach outside of the part', run([pass, of('violated')]), 'violated'],
  ['known only', run([of('known')]), 'conforming'],
  ['a violated MUST', run([pass, of('violated')]), 'violated'],
  ['a violated MUST beside open ones', run([of('violated'), of('not verified')]), 'violated'],
  [
    'a violated MUST outweighs errors, tests that did not run and a target that went away',
    run([of('violated')], { engineErrors: ['oops'], didNotRun: 3, gone }),
    'violated',
  ],
  [
    'a usage error outweighs everything',
    run([of('violated')], { usageError: 'wrong address' }),
    'not judged',
  ],
  ['a violated SHOULD', run([pass, of('violated', 'SHOULD')]), 'conforming'],
  ['the same with its gate', run([pass, of('violated', 'SHOULD')], { gate: { should: 'fail' } }), 'violated'],
  [
    'a violated MAY with the gate for SHOULD',
    run([pass, of('violated', 'MAY')], { gate: { should: 'fail' } }),
    'conforming',
  ],
  ['an error of the suite', run([pass], { engineErrors: ['oops'] }), 'not judged'],
  [
    'an error of the suite beside open rules',
    run([of('inconclusive')], { engineErrors: ['oops'] }),
    'not judged',
  ],
  ['tests that did not run', run([pass], { didNotRun: 1 }), 'not judged'],
  ['an interruption after the last test', run([pass], { ended: 'The run was interrupted.' }), 'not judged'],
  ['a target that went away', run([pass], { didNotRun: 1, gone }), 'not judged'],
  ['nothing verified', run([of('not verified'), of('inconclusive')]), 'incomplete'],
  ['only not applicable', run([of('not applicable')]), 'incomplete'],
  ['no rules at all', run([]), 'incomplete'],
  ['only an excluded rule', run([{ ...of('verified'), excluded: 'unseen' }]), 'incomplete'],
];

for (const [situation, { verdict, because }, expected] of runs) {
  test(`run: ${situation}: ${expected}`, () => {
    expect(verdict, because).toBe(expected);
    expect(because).toMatch(/\w/);
  });
}

test('only a conforming run ends with 0, and only a violated one with 1', () => {
  expect(EXIT_CODES).toEqual({ conforming: 0, violated: 1, incomplete: 2, 'not judged': 2 });
});

test('a conforming run tells its denominator, and what was accepted', () => {
  expect(run([pass, pass, accepted('not verified'), of('violated', 'SHOULD')]).because).toBe(
    'No MUST rule was found violated: 2 of the 3 MUST rules that apply are verified, 1 accepted as not verified, 1 SHOULD rule violated, which the gate allows.',
  );
});

test('a part does not speak of all rules that apply', () => {
  expect(run([pass, outside('verified')]).because).toBe(
    'No MUST rule was found violated: 1 of the 1 MUST rule of this part is verified.',
  );
});

test('an incomplete run says how many rules are open', () => {
  expect(run([pass, of('not verified'), of('inconclusive'), accepted('not verified')]).because).toBe(
    'No MUST rule was found violated, but 2 of the 4 MUST rules that apply are open: 1 verified, 1 inconclusive, 1 not verified, 1 accepted as not verified.',
  );
});

test('an incomplete run names the rules that were verified before, not those that are accepted', () => {
  const rules = [pass, of('not verified', 'MUST', 'LOST-A'), { ...accepted('not verified'), id: 'LOST-B' }];
  const { because } = run(rules, { noLongerVerified: ['LOST-A', 'LOST-B'] });
  expect(because).toMatch(/ No longer verified: LOST-A\.$/);
});

test('a run that lost many rules names the first of them', () => {
  const ids = Array.from({ length: 15 }, (_, index) => `LOST-${index + 1}`);
  const rules = [pass, ...ids.map((id) => of('not verified', 'MUST', id))];
  expect(run(rules, { noLongerVerified: ids }).because).toMatch(/LOST-11, LOST-12 and 3 more\.$/);
});

test('a target that went away is told once, with the time, why, and its last answer', () => {
  const lastAnswered = { label: 'create a customer', at: '2026-11-21T10:20:29.000Z', status: 201 };
  expect(run([pass], { didNotRun: 7, gone: { ...gone, lastAnswered } }).because).toBe(
    'The target went away at 10:20:30 UTC: nothing listens there. The last exchange that it answered was "create a customer" (201, 10:20:29 UTC). 7 tests did not run; 1 of the 1 MUST rule that applies is verified.',
  );
});

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
