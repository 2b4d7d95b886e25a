import { relative } from 'node:path';
import type { TestCase, TestResult } from '@playwright/test/reporter';
import type { CheckResult, Finding, Journal } from '../../journal/types.ts';
import { attemptOf, type Attempt } from './attempt.ts';
import { type TestRecord, type Repeat } from './evidence.ts';
import { findingsOf, placeOf } from '../../journal/findings.ts';
import {
  inTrouble,
  seenAttempt,
  troubleOf,
  weigh,
  type SeenAttempt,
  type PassingTrouble,
  type Weighed,
} from '../../doubt/run.ts';

const RULE_TAG = /^@([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+)$/;

/** Rules that a test's tags name. */
export function rulesTagged(test: Pick<TestCase, 'tags'>): string[] {
  return [...new Set(test.tags.flatMap((tag) => RULE_TAG.exec(tag)?.[1] ?? []))];
}

/** What the tests of a run and all their results say, in the words of the reports. */
export function recordsOf(tests: readonly TestCase[]): TestRecord[] {
  const all = tests.map((test) => ({
    label: labelOf(test),
    location: locationOf(test),
    rules: rulesTagged(test),
    attempts: attemptsOf(test),
  }));
  // Whether trouble was all around can be told only when every test is known.
  const passing = passingTroubleOf(all);
  return all.map((test) => combine(test, passing));
}

/** Playwright does not run the repeat of a test that skipped itself before it failed: that is no attempt. */
function attemptsOf(test: Pick<TestCase, 'annotations' | 'results'>): Attempt[] {
  return test.results
    .filter(({ retry, status, attachments }) => retry === 0 || status !== 'skipped' || attachments.length > 0)
    .map((result) => once(test, result));
}

/** The file as a command line takes it. A blob of another machine carries a path of its own. */
function locationOf(test: TestCase): string {
  const path = relative(process.cwd(), test.location.file).replaceAll('\\', '/');
  const inProject = path.startsWith('..') ? `specs/${test.titlePath()[2]?.replaceAll('\\', '/')}` : path;
  return `${inProject}:${test.location.line}`;
}

const READ = new WeakMap<TestResult, Attempt>();

/**
 * A run that goes on is looked at again and again, and a journal is long. Until a test has ended Playwright calls it
 * skipped: what that says must not be kept.
 */
function once(test: Pick<TestCase, 'annotations'>, result: TestResult): Attempt {
  const before = READ.get(result);
  if (before) return before;
  const attempt = attemptOf(test, result);
  if (result.status !== 'skipped') READ.set(result, attempt);
  return attempt;
}

/** File and titles; the root, the project and absolute paths are left out. */
export function labelOf(test: TestCase): string {
  const [file = '', ...titles] = test.titlePath().slice(2);
  return [file.replaceAll('\\', '/'), ...titles].filter((part) => part !== '').join(' › ');
}

/** A test with all its runs, the first one first. */
interface TestAttempts {
  readonly label: string;
  readonly location?: string;
  /** Rules that the test's tags name. */
  readonly rules: readonly string[];
  readonly attempts: readonly Attempt[];
}

/** Whether the first attempt met trouble that the last one did not meet. */
function troubleWentAway({ attempts }: Pick<TestAttempts, 'attempts'>): boolean {
  const [first, last] = [attempts[0], attempts.at(-1)];
  return (
    attempts.length > 1 &&
    inTrouble(first?.journal) &&
    last?.journal !== undefined &&
    last.standing !== 'did not run' &&
    !inTrouble(last.journal)
  );
}

/** How much trouble of a run came and went. */
export function passingTroubleOf(all: readonly Pick<TestAttempts, 'attempts'>[]): PassingTrouble {
  return { tests: all.length, wentAway: all.filter(troubleWentAway).length };
}

/**
 * Makes one record of all attempts of a test.
 *
 * @param passing the trouble of the run, see {@link passingTroubleOf}
 */
export function combine(test: TestAttempts, passing: PassingTrouble): TestRecord {
  const { label, attempts } = test;
  const last = attempts.at(-1);
  const journals = attempts.flatMap(({ journal }) => journal ?? []);
  const rules = [...new Set([...test.rules, ...journals.flatMap((journal) => journal.rules)])];
  if (!last) return { label, rules, standing: 'did not run', outcome: 'did not run' };
  const seenAttempts = attempts.flatMap((attempt) => seenAttempt(attempt) ?? []);
  const weighed = weigh(seenAttempts, passing);
  const crash = attempts.slice(0, -1).find(({ standing }) => standing === 'crashed');
  const standing = standingOf(last, weighed.findings);
  const trouble = last.journal && inTrouble(last.journal) ? troubleOf(last.journal) : undefined;
  return {
    label,
    ...optional('location', test.location),
    rules,
    ...standing,
    outcome: last.outcome,
    ...(seenAttempts.length > 0 ? { journal: journalOf(seenAttempts, rules, weighed) } : {}),
    ...optional('mend', last.journal?.mend),
    ...optional('trouble', trouble),
    ...optional('crash', crash && (crash.reason ?? 'the test failed without a reason.')),
    steadiness: weighed.steadiness,
    ...(attempts.length > 1 ? { repeat: repeatOf(test) } : {}),
  };
}

function journalOf(
  seenAttempts: readonly SeenAttempt[],
  rules: readonly string[],
  weighed: Weighed,
): Journal {
  const last = seenAttempts.at(-1) as SeenAttempt;
  const well = seenAttempts.filter((one) => !inTrouble(one.journal));
  const seen: Record<string, number> = {};
  for (const { journal } of well.length > 0 ? well : [last])
    for (const [rule, count] of Object.entries(journal.seen)) seen[rule] = (seen[rule] ?? 0) + count;
  const asked = seenAttempts.findLast(({ journal }) => journal.observations.length > 0) ?? last;
  return {
    ...last.journal,
    rules,
    seen,
    checks: [...checksOf(seenAttempts, weighed), ...weighed.doubts],
    findings: weighed.findings,
    observations: asked.journal.observations,
    exchanges: seenAttempts.flatMap(({ journal }) => journal.exchanges),
    prepared: seenAttempts.flatMap(({ journal }) => journal.prepared ?? []),
    controls: seenAttempts.flatMap(({ journal }) => journal.controls ?? []),
  };
}

/** By rule, the checks of the last attempt that came to a result; else of the last that made one at all. */
function checksOf(seenAttempts: readonly SeenAttempt[], { findings }: Weighed): CheckResult[] {
  const broken = new Set(findings.map((finding) => finding.rule));
  // A failure that does not count is no result; where nothing refutes it, it stands among the doubts.
  const counted = seenAttempts.map(({ journal }) =>
    journal.checks.filter(({ rule, outcome }) => outcome !== 'failed' || broken.has(rule)),
  );
  return [...new Set(counted.flat().map((check) => check.rule))].flatMap((rule) => {
    const attempts = counted.map((checks) => checks.filter((check) => check.rule === rule));
    return (
      attempts.findLast((checks) => checks.some(({ outcome }) => outcome !== 'inconclusive')) ??
      attempts.findLast((checks) => checks.length > 0) ??
      []
    );
  });
}

/** A test that failed over findings that do not count was stopped by trouble. */
function standingOf(last: Attempt, counted: readonly Finding[]): Pick<TestRecord, 'standing' | 'reason'> {
  if (last.standing === 'stopped' && counted.length === 0 && last.journal)
    return { standing: 'inconclusive', reason: troubleOf(last.journal) };
  return { standing: last.standing, ...optional('reason', last.reason) };
}

function repeatOf(test: TestAttempts): Repeat {
  const [first, last] = [test.attempts[0] as Attempt, test.attempts.at(-1) as Attempt];
  const places = ({ journal }: Attempt) => [...new Set(journal ? findingsOf(journal).map(placeOf) : [])];
  const rules = [...new Set(first.journal ? findingsOf(first.journal).map(({ rule }) => rule) : [])];
  const why =
    first.journal && inTrouble(first.journal)
      ? troubleOf(first.journal)
      : rules.length > 0
        ? `it showed ${rules.join(', ')} broken`
        : (first.reason ?? 'it failed');
  if (troubleWentAway(test)) return { why, outcome: 'trouble went away' };
  const [before, after] = [first, last].map((attempt) => places(attempt).sort().join());
  const same =
    before === after &&
    inTrouble(last.journal) === inTrouble(first.journal) &&
    (before !== '' || last.standing === first.standing);
  return { why, outcome: same ? 'same' : 'different' };
}

function optional<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, string>);
}
