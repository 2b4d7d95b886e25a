import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import type { Finding, Journal } from '../../journal/types.ts';
import type { Attempt } from '../../reports/journals/attempt.ts';
import { evidenceByRule, type TestRecord } from '../../reports/journals/evidence.ts';
import { ruleVerdict } from '../../reports/verdicts/rule-verdict.ts';
import { recordsOf, combine, passingTroubleOf } from '../../reports/journals/test-record.ts';
import { resultOf, testCase } from './ended-tests.ts';
import { check, exchange, finding, journal, rule } from './sample.ts';
import { placeOf } from '../../journal/findings.ts';
import { TROUBLE_ALL_AROUND } from '../../doubt/run.ts';

test('what was read of a test that runs is read again when it has ended', () => {
  // Until it has ended, Playwright calls it skipped.
  const one = testCase('asks', [{ status: 'skipped' }]);
  const [result] = one.results;
  expect(recordsOf([one])[0]?.outcome).toBe('did not run');
  // Its journal arrives a moment before its status.
  Object.assign(result!, { attachments: resultOf({ journal: {} }).attachments });
  recordsOf([one]);
  Object.assign(result!, { status: 'passed' });
  expect(recordsOf([one])[0]?.outcome).toBe('passed');
});

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
  ['a clear breach that comes late', [good, broken], 'violated'],
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
  ['a breach of an unwell target that went away', [unwell, good], 'verified'],
  ['no answer, then a good one', [lost, good], 'verified'],
  ['no answer twice', [lost, lost], 'inconclusive', 'a reset'],
  ['trouble at another place', [wobbly, inTrouble({ place: 'Thing/b' })], 'inconclusive'],
  ['trouble with another answer', [wobbly, inTrouble({ trouble: 'a page' })], 'inconclusive'],
  ['trouble with another input', [tried('"a"'), tried('"b"')], 'inconclusive'],
  ['trouble with the same input', [tried('"a"'), tried('"a"')], 'violated'],
  ['trouble with the same input, but for an id', [withId(), withId()], 'violated'],
  ['trouble with the same input, but for its time', [atTime('12:00'), atTime('12:01')], 'violated'],
  ['trouble twice, almost all around', [wobbly, wobbly], 'violated', '', TROUBLE_ALL_AROUND - 1],
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

test('what trouble kept open another run may mend', () =>
  expect(judge(of([wobbly])).mend).toBe('run again: the network or the target was in trouble'));

test('steady, intermittent, once', () => {
  expect(steadiness(of([broken]))).toBe('once');
  expect(steadiness(of([broken, broken]))).toBe('steady');
  expect(steadiness(of([broken, good]))).toBe('intermittent');
  expect(steadiness(of([broken, lost]))).toBe('once');
  expect(steadiness(of([wobbly, wobbly]))).toBe('steady');
});

test('a breach that both attempts show is counted once', () => {
  expect(of([broken, broken]).journal?.findings).toHaveLength(1);
});

test('checks: the last attempt that came to a result tells', () => {
  const outcomes = (...attempts: Attempt[]) => of(attempts).journal?.checks.map((each) => each.outcome);
  const unsure = attempt('completed', { checks: [check('inconclusive')] });
  expect(outcomes(good, unsure)).toEqual(['passed']);
  expect(outcomes(unsure, good)).toEqual(['passed']);
  expect(outcomes(unsure, unsure)).toEqual(['inconclusive']);
  expect(outcomes(unsure, lost)).toEqual(['inconclusive']);
  expect(outcomes(good, wobbly)).toEqual(['passed']);
});

test('answers count where the attempt met no trouble, else those of the last', () => {
  const seen = (...attempts: Attempt[]) => of(attempts).journal?.seen['THING-A'];
  expect(seen(good, good)).toBe(4);
  expect(seen(wobbly, good)).toBe(2);
  expect(seen(good, wobbly)).toBe(2);
  expect(seen(wobbly, wobbly)).toBe(1);
});

test('observations are those of the last attempt that made one; exchanges are those of both', () => {
  const with_ = (id: string, asked: boolean) =>
    attempt('completed', {
      exchanges: [exchange(id)],
      observations: asked ? [{ question: 'q', answer: id, exchanges: [] }] : [],
    });
  const answers = (first: boolean, second: boolean) =>
    of([with_('1', first), with_('2', second)]).journal?.observations.map((each) => each.answer);
  expect(answers(true, true)).toEqual(['2']);
  expect(answers(true, false)).toEqual(['1']);
  expect(of([with_('1', true), with_('2', true)]).journal?.exchanges.map((each) => each.id)).toEqual([
    '1',
    '2',
  ]);
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

test('a repeat tells why, and what came of it', () => {
  const repeat = (...attempts: Attempt[]) => of(attempts).repeat;
  expect(repeat(broken)).toBeUndefined();
  expect(repeat(broken, broken)).toEqual({ why: 'it showed THING-A broken', outcome: 'same' });
  expect(repeat(broken, good)).toMatchObject({ outcome: 'different' });
  expect(repeat(wobbly, good)).toEqual({ why: 'the answer was 500', outcome: 'trouble went away' });
  expect(repeat(wobbly, wobbly)).toMatchObject({ outcome: 'same' });
  expect(repeat(lost, lost)).toMatchObject({ outcome: 'same' });
  expect(repeat(lost, wobbly)).toMatchObject({ outcome: 'different' });
});

test('trouble went away only where the repeat ran without it', () => {
  const away = (...attempts: Attempt[]) => passingTroubleOf([{ attempts }]).wentAway === 1;
  expect(away(lost, good)).toBe(true);
  expect(away(lost)).toBe(false);
  expect(away(lost, lost)).toBe(false);
  expect(away(good, good)).toBe(false);
  expect(away(lost, attempt('did not run'))).toBe(false);
});
