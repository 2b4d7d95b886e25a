import { placeOf } from '../../journal/findings.ts';
import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import type { Finding, Journal } from '../../journal/types.ts';
import { type Attempt, attemptOf } from '../../reports/journals/attempt.ts';
import { evidenceByRule, type TestRecord, type Standing } from '../../reports/journals/evidence.ts';
import { ruleVerdict } from '../../reports/verdicts/rule-verdict.ts';
import { combine, passingTroubleOf } from '../../reports/journals/test-record.ts';
import { TROUBLE_ALL_AROUND } from '../../doubt/run.ts';
import { check, finding, journal, rule, resultOf, type Try } from './sample.ts';

const attempt = (standing: Attempt['standing'], more: Partial<Journal> = {}, reason?: string): Attempt => ({
  standing,
  outcome: standing === 'completed' ? 'passed' : standing === 'did not run' ? 'did not run' : 'failed',
  journal: journal({ rules: ['THING-A'], ...more }),
  ...(reason === undefined ? {} : { reason }),
});
const inTrouble = (more: Partial<Finding> = {}) =>
  attempt('stopped', {
    checks: [check('failed')],
    findings: [finding({ trouble: 'the answer was 500', ...more })],
    trouble: 'the answer was 500',
    seen: { 'THING-A': 1 },
  });
const good = attempt('completed', { checks: [check('passed')], seen: { 'THING-A': 2 } });
const broken = attempt('stopped', { checks: [check('failed')], findings: [finding()] });
/** A 500 where a 201 was expected: a breach, or the moment's fault. */
const wobbly = inTrouble();
const unwell = attempt('stopped', {
  ...{ checks: [check('failed')], findings: [finding()] },
  ...{ unwell: true, trouble: 'every health read failed' },
});
const RESET = 'no answer (a reset)';
const lost = attempt('inconclusive', { inconclusive: RESET, trouble: RESET }, RESET);
/** So few that two whose trouble went away are many. */
const FEW = 50;
/** Each attempt prepares records of its own. */
const tried = (input: string) => inTrouble({ counterexample: { seed: 1, path: '', input, runs: 1 } });
const atTime = (time: string) => tried(`{"validUntil":"2026-11-23T${time}:00.000Z"}`);
const withId = () => tried(`{"id":"Thing:${randomUUID()}"}`);
const withName = () => tried(`{"nickname":"Assay ${randomUUID().slice(0, 8)}"}`);
const of = (attempts: readonly Attempt[], wentAway = 0): TestRecord =>
  combine({ label: 'test', rules: ['THING-A'], attempts }, { tests: FEW, wentAway });
const judge = (record: TestRecord) =>
  ruleVerdict({
    rule: rule('THING-A'),
    capabilities: new Set(),
    evidence: evidenceByRule([record])('THING-A'),
    coverage: 'check',
  });
const steadiness = (record: TestRecord) => record.steadiness?.get(placeOf(finding()));

type Row = readonly [string, readonly Attempt[], verdict: string, reason?: string, wentAway?: number];

const AROUND = `trouble all around: ${TROUBLE_ALL_AROUND} tests met trouble that did not come back.`;
const TABLE: readonly Row[] = [
  ['nothing but a clear breach', [broken], 'violated'],
  ['a clear breach twice', [broken, broken], 'violated'],
  ['a clear breach that does not come back', [broken, good], 'violated'],
  ['a clear breach, and a repeat in trouble', [broken, lost], 'violated'],
  ['a breach in trouble, not repeated', [wobbly], 'inconclusive', 'Its test was not repeated.'],
  ['a breach in trouble twice', [wobbly, wobbly], 'violated'],
  ['a breach in trouble, then a clear one', [wobbly, broken], 'violated'],
  ['a breach in trouble that went away', [wobbly, good], 'verified'],
  [
    'a breach in trouble, then no answer',
    [wobbly, lost],
    'inconclusive',
    'The repeat of its test could not tell.',
  ],
  ['a breach of an unwell target, not repeated', [unwell], 'inconclusive', 'every health read failed'],
  ['a breach of an unwell target twice', [unwell, unwell], 'violated'],
  ['no answer, then a good one', [lost, good], 'verified'],
  ['no answer twice', [lost, lost], 'inconclusive', 'a reset'],
  ['trouble at another place', [wobbly, inTrouble({ place: 'Thing/b' })], 'inconclusive'],
  ['trouble with another answer', [wobbly, inTrouble({ trouble: 'a page' })], 'inconclusive'],
  ['trouble with another input', [tried('"a"'), tried('"b"')], 'inconclusive'],
  ['trouble with the same input', [tried('"a"'), tried('"a"')], 'violated'],
  ['trouble with the same input, but for an id', [withId(), withId()], 'violated'],
  ['trouble with the same input, but for a name', [withName(), withName()], 'violated'],
  ['trouble with the same input, but for its time', [atTime('12:00'), atTime('12:01')], 'violated'],
  ['trouble twice, all around', [wobbly, wobbly], 'inconclusive', AROUND, TROUBLE_ALL_AROUND],
  ['a clear breach twice, trouble all around', [broken, broken], 'violated', '', TROUBLE_ALL_AROUND],
  ['trouble all around, then a clear breach', [wobbly, broken], 'violated', '', TROUBLE_ALL_AROUND],
];

for (const [situation, attempts, verdict, reason = '', wentAway] of TABLE)
  test(`${situation}: ${verdict}`, () => {
    const judgement = judge(of(attempts, wentAway));
    expect(judgement.verdict, judgement.reason).toBe(verdict);
    if (reason !== '') expect(judgement.reason).toContain(reason);
  });

test('a few whose trouble went away, among many tests, do not excuse what comes back', () => {
  const attempts = [wobbly, wobbly];
  const among = (tests: number) =>
    judge(combine({ label: 'test', rules: ['THING-A'], attempts }, { tests, wentAway: 5 })).verdict;
  expect(among(400)).toBe('inconclusive');
  expect(among(900)).toBe('violated');
});

test('steady, intermittent, once', () => {
  expect(steadiness(of([broken]))).toBe('once');
  expect(steadiness(of([broken, broken]))).toBe('steady');
  expect(steadiness(of([broken, good]))).toBe('intermittent');
  expect(steadiness(of([broken, lost]))).toBe('once');
  expect(steadiness(of([wobbly, wobbly]))).toBe('steady');
});

test('a crash of the first attempt is kept beside a good repeat', () => {
  const crashed = attempt('crashed', {}, 'oops');
  expect(of([crashed, good])).toMatchObject({ standing: 'completed', outcome: 'passed', crash: 'oops' });
  expect(of([good, crashed])).toMatchObject({ standing: 'crashed', reason: 'oops' });
});

test('a target that goes away before the repeat leaves the test unrun, and its clear breach told', () => {
  const gone = { at: '2026-11-21T10:20:30.000Z', why: 'silence' };
  const record = of([broken, attempt('did not run', { gone })]);
  expect(record).toMatchObject({ standing: 'did not run', outcome: 'did not run', journal: { gone } });
  expect(judge(record).verdict).toBe('violated');
});

test('trouble went away only where the repeat ran without it', () => {
  const away = (...attempts: Attempt[]) => passingTroubleOf([{ attempts }]).wentAway === 1;
  expect(away(lost, good)).toBe(true);
  expect(away(lost)).toBe(false);
  expect(away(lost, lost)).toBe(false);
  expect(away(good, good)).toBe(false);
  expect(away(lost, attempt('did not run'))).toBe(false);
});

const OOPS = { status: 'failed', errors: ['TypeError: oops'] } as const;
const mistake = check('inconclusive', { reason: 'engine error: oops' });
const gone = { at: '', why: 'silence' };

const table: readonly (readonly [string, Try, Standing, reason?: string])[] = [
  // Nothing that the target did hides a mistake of the suite.
  ['an error', { ...OOPS, journal: {} }, 'crashed', 'oops'],
  ['an error beside a finding', { ...OOPS, journal: { findings: [finding()] } }, 'crashed', 'oops'],
  ['an error beside a failed control', { ...OOPS, journal: { inconclusive: '503' } }, 'crashed', 'oops'],
  ['an error without a journal', OOPS, 'crashed', 'oops'],
  [
    'a failure without a word',
    { status: 'failed', journal: {} },
    'crashed',
    'the test failed without a message',
  ],
  [
    'a time-out',
    { status: 'timedOut', errors: ['Test timeout of 60000ms exceeded.'], journal: {} },
    'crashed',
    'the test ran out of time',
  ],
  [
    'a check that failed over a mistake of the suite',
    { status: 'skipped', journal: { inconclusive: 'later', checks: [mistake] } },
    'crashed',
    'engine error: oops',
  ],
  [
    'an error that a finding explains',
    { status: 'failed', errors: ['Error: THING-A: expected 1, got 2'], journal: { findings: [finding()] } },
    'stopped',
  ],
  [
    'an answer that never came',
    { status: 'failed', errors: ['Unanswered: no answer (a reset)'], journal: {} },
    'inconclusive',
  ],
  ['a time-out in trouble', { status: 'timedOut', journal: { trouble: '503' } }, 'inconclusive'],
  [
    'an error that tells the trouble',
    { status: 'failed', errors: ['Error: the answer was 503'], journal: { trouble: 'the answer was 503' } },
    'inconclusive',
  ],
  [
    'a test that asks to be repeated',
    { status: 'failed', errors: ['Error: repeated after trouble: 503'], journal: {} },
    'inconclusive',
  ],
  ['a control that was refused', { status: 'skipped', journal: { refused: '400' } }, 'refused'],
  ['a state that the target lacks', { status: 'skipped', journal: { unprepared: 'no state' } }, 'unprepared'],
  [
    'a target that has gone away',
    { status: 'skipped', journal: { gone, inconclusive: 'silence' } },
    'did not run',
  ],
  ['a time-out while the target went away', { status: 'timedOut', journal: { gone } }, 'did not run'],
  ['an interruption', { status: 'interrupted', journal: { inconclusive: '503' } }, 'did not run'],
  ['a pass', { journal: {} }, 'completed'],
];

for (const [situation, ended, standing, reason] of table)
  test(`${situation}: ${standing}`, () =>
    expect(attemptOf({ annotations: [] }, resultOf(ended))).toMatchObject({
      standing,
      ...(reason === undefined ? {} : { reason }),
    }));
