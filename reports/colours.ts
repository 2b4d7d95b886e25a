import type { FullConfig, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';
import { readJournal } from '../journal/read-journal.ts';
import { COLOURS_ENV, type Finding } from '../journal/types.ts';
import { loadRules } from '../schemas/rules.ts';
import type { AssayMetadata } from './verdicts/build-report.ts';
import { onlyLists, ownOutput, runHasBegun } from './command-line.ts';
import { depthOf } from '../target/environment-variables.ts';
import { specOf, willLeave } from '../target/states/will-leave.ts';
import { shownOutcome, type TestRecord } from './journals/evidence.ts';
import { recordsOf } from './journals/test-record.ts';
import { withoutWithdrawn } from './verdicts/withdrawn-findings.ts';
import { findingsOf } from '../journal/findings.ts';

type Run = { readonly config: FullConfig; readonly tests: readonly TestCase[] };

let run: Run | undefined;

/**
 * Makes each test that shows a breach red for every reporter. A test that fails unexpectedly would cost a new worker, so
 * `suite/run/finish.ts` lets it fail as expected, and what it left in its journal gives it its colour here, in the process of
 * the reporters. List it first.
 */
export default class ColoursReporter implements Reporter {
  printsToStdio(): boolean {
    return false;
  }

  onBegin(config: FullConfig, suite: Suite): void {
    watchColours(config, suite);
  }

  onTestEnd(test: TestCase): void {
    // Whoever reads it first arms it for those who come after; see paintWhenRead.
    void test.expectedStatus;
  }

  onEnd(): void {
    settleColours();
  }
}

/** Shows the tests of a run that begins as red while it goes on, and tells the workers that somebody does. */
export function watchColours(config: FullConfig, suite: Suite): void {
  runHasBegun();
  if (onlyLists(config.argv) || run) return;
  tellWhatWillBeLeft(suite, config.metadata['assay'] as AssayMetadata | undefined);
  run = { config, tests: suite.allTests() };
  process.env[COLOURS_ENV] = '1';
  for (const test of run.tests) paintWhenRead(test);
}

/**
 * Gives each test its last colour, now that all are known: a finding may have been withdrawn, or have counted though the
 * repeat did not show it. Reporters that look at tests when the run ends must not have looked yet.
 */
export function settleColours(): void {
  if (!run) return;
  const { config, tests } = run;
  run = undefined;
  const assay = config.metadata['assay'] as AssayMetadata | undefined;
  const records = withoutWithdrawn(recordsOf(tests), assay?.vouchedFor, loadRules());
  for (const [index, test] of tests.entries()) settle(test, records[index] as TestRecord);
}

/**
 * Reporters of the command line come before ours, and have looked at a test when ours is told of its end. So the test
 * itself answers: the first to read what was expected, once that is written, is Playwright, which would start a new worker
 * for a test that is not as expected; all others are reporters.
 */
function paintWhenRead(test: TestCase): void {
  let expected = test.expectedStatus;
  let isForRunner = false;
  Object.defineProperty(test, 'expectedStatus', {
    configurable: true,
    enumerable: true,
    get(): TestCase['expectedStatus'] {
      const isRaw = isForRunner;
      isForRunner = false;
      const last = test.results.at(-1);
      if (isRaw || expected !== 'failed' || last?.status !== 'failed' || !isBroken(last)) return expected;
      // No repeat comes, so this is its end: --max-failures counts it.
      test.retries = last.retry;
      return 'passed';
    },
    set(status: TestCase['expectedStatus']) {
      expected = status;
      isForRunner = true;
    },
  });
}

const BROKEN = new WeakMap<TestResult, boolean>();

/** Whether a test that ended found what is not known. */
function isBroken(result: TestResult): boolean {
  const before = BROKEN.get(result);
  if (before !== undefined) return before;
  let is = false;
  try {
    const journal = readJournal(result.attachments);
    is = journal !== undefined && freshIn(findingsOf(journal)).length > 0;
  } catch {
    // The report says that the journal cannot be read.
  }
  BROKEN.set(result, is);
  return is;
}

function settle(test: TestCase, record: TestRecord): void {
  const shown = shownOutcome(record);
  const findings = freshIn(record.journal ? findingsOf(record.journal) : []);
  if (findings.length > 0) makeRed(test, findings);
  else if (shown === 'passed' && record.journal?.findings.length) expect(test, 'failed');
  else if (shown === 'skipped' && test.outcome() === 'unexpected') makeSkipped(test, record.reason);
  else expect(test, test.expectedStatus);
}

/** No attempt of a test that shows a breach may look as if all were well. */
function makeRed(test: TestCase, findings: readonly Finding[]): void {
  const error = {
    message: [...new Set(findings.map(({ rule, message }) => `${rule}: ${message}`))].join('\n'),
  };
  for (const result of test.results.filter(({ status }) => status !== 'failed' && status !== 'timedOut'))
    Object.assign(result, { status: 'failed', errors: [error], error });
  expect(test, 'passed');
  test.retries = Math.max(0, test.results.length - 1);
}

/** As a test looks that could not tell. */
function makeSkipped(test: TestCase, reason = 'it could not tell.'): void {
  const annotation = { type: 'skip', description: `inconclusive: ${reason}` };
  for (const result of test.results) {
    Object.assign(result, { status: 'skipped', errors: [], error: undefined });
    result.annotations = [...result.annotations, annotation];
  }
  test.annotations = [...test.annotations, annotation];
  expect(test, 'skipped');
}

function expect(test: TestCase, status: TestCase['expectedStatus']): void {
  Object.defineProperty(test, 'expectedStatus', {
    value: status,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function freshIn(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ known }) => known === undefined);
}

/** Before the first test: what those that were chosen will leave on a target of one's own, and how it would be less. */
function tellWhatWillBeLeft(suite: Suite, assay: AssayMetadata | undefined): void {
  const preparation = assay?.target.preparation ?? 'none';
  if (assay === undefined || assay.target.embedded || preparation === 'none') return;
  if (process.argv.includes('merge-reports')) return;
  const chosen: Record<string, number> = {};
  for (const { location } of suite.allTests()) {
    const file = specOf(location.file);
    chosen[file] = (chosen[file] ?? 0) + 1;
  }
  const about = { preparation, cleanUp: assay.cleanUp ?? {} };
  for (const line of willLeave(chosen, about, depthOf() === 'quick')) ownOutput().write(`${line}\n`);
}
