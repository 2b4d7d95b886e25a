/**
 * The end of a test. The files of this folder are what a test, a worker and a whole run share: what a worker holds
 * (workbench.ts), what workers tell each other (run-folder.ts), which inputs are drawn (sampling.ts), what is left behind.
 */
import type { TestInfo, TestInfoError } from '@playwright/test';
import { harmless, told } from './error-text.ts';
import type { JournalWriter } from '../../journal/journal-writer.ts';
import { COLOURS_ENV, JOURNAL_ATTACHMENT, type Finding } from '../../journal/types.ts';
import type { Recorder } from '../answers/recorder.ts';
import { RUN_FOLDER_ENV, RunFolder } from './run-folder.ts';
import type { Workbench } from './workbench.ts';

/** Each repeated test costs a new worker: after so many, trouble is told and no longer repeated. */
const MOST_NEW_WORKERS = 200;

/**
 * Hands the journal to the reporters and gives the test its colour: red for a new finding, for trouble that is worth a
 * second try, and for an error of the suite; expected failure for known findings; skipped where the test could not prove
 * what it is for.
 *
 * @param startedAt when the test began, epoch milliseconds
 */
export async function finish(
  bench: Workbench,
  journal: JournalWriter,
  recorder: Recorder,
  startedAt: number,
  testInfo: TestInfo,
): Promise<void> {
  const isQuiet = process.env['ASSAY_QUIET_FINDINGS'] === '1';
  noteErrors(journal, recorder, testInfo);
  if (!isQuiet && !journal.gone) await askForHealth(bench, journal, startedAt);
  const { secrets } = bench;
  // Masked once more: a secret may have been learned after the check that speaks of it.
  const masked = secrets.maskDeep(journal.toJournal([]));
  // Not by attach(): that is a step with a stack trace, and makes the folder of a file that is never written.
  testInfo.attachments.push({
    name: JOURNAL_ATTACHMENT,
    body: Buffer.from(JSON.stringify({ ...masked, exchanges: recorder.exchanges() })),
    contentType: 'application/json',
  });
  maskWhatPlaywrightKeeps(testInfo, (text) => harmless(secrets.mask(text)));
  const [engineError] = journal.engineErrors;
  if (engineError !== undefined) throw maskedError(engineError, (text) => harmless(secrets.mask(text)));
  // Runs over planted faults read the journals alone: a red test would restart its worker each time.
  if (isQuiet || journal.gone) return;
  colour(journal, testInfo);
}

/** Errors of a test reach all reporters as they were thrown. */
function maskWhatPlaywrightKeeps(testInfo: TestInfo, mask: (text: string) => string): void {
  for (const outer of testInfo.errors)
    for (let error: TestInfoError | undefined = outer; error; error = error.cause) {
      if (error.message !== undefined) error.message = mask(error.message);
      if (error.stack !== undefined) error.stack = mask(error.stack);
      if (error.value !== undefined) error.value = mask(error.value);
    }
}

/** What ended the test without a word in the journal: an answer that never came, or the time. */
function noteErrors(journal: JournalWriter, recorder: Recorder, testInfo: TestInfo): void {
  const unanswered = testInfo.errors.find((error) => error.message?.startsWith('Unanswered: '));
  if (unanswered?.message !== undefined) {
    const reason = unanswered.message.slice('Unanswered: '.length);
    journal.meetTrouble(reason);
    journal.stop('inconclusive', journal.mask(reason));
  }
  if (testInfo.status !== 'timedOut' || recorder.waitedMs * 2 < testInfo.timeout) return;
  const seconds = Math.round(recorder.waitedMs / 1_000);
  const reason = `the test ran out of time, of which the target took ${seconds} s`;
  journal.meetTrouble(reason);
  journal.stop('inconclusive', reason);
}

/** Where something is open, the target may not be itself: then nobody is accused by this try. */
async function askForHealth(bench: Workbench, journal: JournalWriter, startedAt: number): Promise<void> {
  if (!journal.isOpen) return;
  const { watch } = bench;
  const isWell = await watch.isWell();
  const gone = await watch.ready();
  if (gone) journal.foundGone(gone);
  else if (!isWell) journal.foundUnwell('the target was not well when the test ended');
  else if (watch.wasAwaySince(startedAt)) journal.foundUnwell('the target was away while the test ran');
}

function colour(journal: JournalWriter, testInfo: TestInfo): void {
  const { findings, trouble, stopped } = journal;
  const restarts = testInfo.workerIndex - testInfo.config.workers;
  const isOpen = journal.isOpen || testInfo.status !== testInfo.expectedStatus;
  // A test that has been skipped is not repeated, however it ends.
  const canRepeat =
    testInfo.retry === 0 && testInfo.expectedStatus !== 'skipped' && restarts < MOST_NEW_WORKERS;
  if (journal.isWorthRepeating && isOpen && canRepeat)
    throw told(new Error(`repeated after trouble: ${journal.mask(trouble ?? '')}`));
  // A finding that stands on trouble accuses only when it is found twice, which the reports decide.
  const fresh = findings.filter((finding) => finding.known === undefined);
  if (findings.length > 0) {
    // A test that gave up after a known finding stays skipped: its end cannot be expected to be two things.
    if (fresh.length === 0 && testInfo.expectedStatus === 'skipped') return;
    if (fresh.length === 0) testInfo.fail(true, `known: ${findings[0]?.known ?? ''}`);
    // Red by its journal (reports/colours.ts): a failure that Playwright does not expect costs a new worker, so only the first
    // test that shows a defect has one, and is repeated.
    else if (process.env[COLOURS_ENV] === '1' && !(canRepeat && isFirstToShow(fresh)))
      testInfo.expectedStatus = 'failed';
    const shown = fresh.length > 0 ? fresh : findings;
    throw told(new Error(journal.mask(describe(shown))), shown.find(({ line }) => line !== undefined)?.line);
  }
  if (stopped === undefined && journal.doubt !== undefined && testInfo.status === 'passed')
    testInfo.skip(true, `inconclusive: ${journal.mask(journal.doubt)}`);
}

/** Whether none of the run's tests has shown one of these defects before. */
function isFirstToShow(findings: readonly Finding[]): boolean {
  const folder = new RunFolder(process.env[RUN_FOLDER_ENV]);
  // Each is claimed, so that one test is repeated for all of them.
  return findings.map(({ rule, place }) => folder.claim(`${rule} ${place}`)).includes(true);
}

function describe(findings: readonly { rule: string; message: string }[]): string {
  const lines = new Set(findings.map((finding) => `${finding.rule}: ${finding.message}`));
  return [...lines].join('\n');
}

function maskedError(error: unknown, mask: (text: string) => string): Error {
  if (!(error instanceof Error)) return new Error(mask(String(error)));
  error.message = mask(error.message);
  if (error.stack !== undefined) error.stack = mask(error.stack);
  return error;
}
