import type { TestCase } from '@playwright/test/reporter';
import { attemptOf } from './attempt.ts';
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
    rules: rulesTagged(test),
    attempts: test.results.map((result) => attemptOf(test, result)),
  }));
  // Whether trouble was all around can be told only when every test is known.
  const wentAway = all.filter(troubleWentAway).length;
  return all.map((test) => combine(test, wentAway));
}

/** File and titles; the root, the project and absolute paths are left out. */
function labelOf(test: TestCase): string {
  const [file = '', ...titles] = test.titlePath().slice(2);
  return [file.replaceAll('\\', '/'), ...titles].filter((part) => part !== '').join(' › ');
}
