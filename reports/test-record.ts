import { relative } from 'node:path';
import type { TestCase, TestResult } from '@playwright/test/reporter';
import { attemptOf, type Attempt } from './attempt.ts';
import { combine, troubleWentAway } from './combine.ts';
import type { TestRecord } from './evidence.ts';

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
  const wentAway = all.filter(troubleWentAway).length;
  return all.map((test) => combine(test, wentAway));
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
