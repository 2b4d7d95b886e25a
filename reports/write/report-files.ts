import type { FullConfig } from '@playwright/test';
import type { RecordedExchange } from '../../journal/types.ts';
import { loadObservationQuestions, loadRules } from '../../schemas/rules.ts';
import { buildReport, type AssayMetadata } from '../verdicts/build-report.ts';
import { coverageIn } from '../verdicts/coverage.ts';
import { knownDetection } from '../detection.ts';
import type { TestRecord } from '../journals/evidence.ts';
import { refuseForeignFiles, reportDir } from '../folder/folder.ts';
import type { HistoryLine } from '../folder/history.ts';
import { htmlPage } from '../html/page.ts';
import type { ConformanceReport } from '../verdicts/model.ts';
import { withReproducers } from '../reproduce/reproducers.ts';
import { ownVersion } from '../version.ts';
import { badgeJson, badgeSvg } from './badge.ts';
import { junitXml } from './junit.ts';
import { sarif } from './sarif.ts';
import { summaryMarkdown } from './summary.ts';
import { FILES, clearReports, writeFiles } from './write-files.ts';

/**
 * The text of every file of a run, by name; long ones in pieces.
 *
 * @param history earlier runs of the same target, oldest first
 */
export function reportFiles(
  given: ConformanceReport,
  tests: readonly TestRecord[],
  history: readonly HistoryLine[] = [],
): Readonly<Record<string, string | readonly string[]>> {
  return { [FILES.exchanges]: exchangesNdjson(tests), ...filesSoFar(given, tests, history) };
}

/** The same without the exchanges: they are long, and while a run goes on their file grows with each test. */
export function filesSoFar(
  given: ConformanceReport,
  tests: readonly TestRecord[],
  history: readonly HistoryLine[] = [],
): Readonly<Record<string, string | readonly string[]>> {
  const exchanges = exchangeIndex(tests);
  const { report, files } = withReproducers(given, exchanges);
  return {
    ...files,
    [FILES.junit]: junitXml(report),
    [FILES.sarif]: sarif(report),
    [FILES.summary]: summaryMarkdown(report),
    [FILES.badge]: badgeSvg(report),
    [FILES.badgeData]: badgeJson(report),
    [FILES.page]: htmlPage(report, exchanges, history),
    // Last: whoever waits for it finds the others there.
    [FILES.json]: `${JSON.stringify(report, null, 2)}\n`,
  };
}

/** So many lines are written at once. */
const LINES = 500;

/** exchanges.ndjson: one line an exchange, in the order of time, with the test that made it; in pieces to write. */
function exchangesNdjson(tests: readonly TestRecord[]): readonly string[] {
  const lines = tests.flatMap((test) =>
    (test.journal?.exchanges ?? []).map((exchange) => ({ exchange, test: test.label })),
  );
  lines.sort((left, right) =>
    left.exchange.at < right.exchange.at ? -1 : left.exchange.at > right.exchange.at ? 1 : 0,
  );
  const pieces: string[] = [];
  for (let from = 0; from < lines.length; from += LINES)
    pieces.push(
      lines
        .slice(from, from + LINES)
        .map(({ exchange, test }) => exchangeLine(exchange, test))
        .join(''),
    );
  return pieces;
}

/** One line of exchanges.ndjson. */
export function exchangeLine(exchange: RecordedExchange, test: string): string {
  return `${JSON.stringify({ ...exchange, test })}\n`;
}

/** All exchanges of a run by their id. */
export function exchangeIndex(tests: readonly TestRecord[]): ReadonlyMap<string, RecordedExchange> {
  return new Map(
    tests.flatMap((test) => (test.journal?.exchanges ?? []).map((each) => [each.id, each] as const)),
  );
}

/**
 * Writes the reports of a run that ended before its first test: verdict `not judged`, every rule `not verified`.
 *
 * @param usageError what is wrong, in one sentence that says what to do
 */
export function writeNotJudged(config: FullConfig, usageError: string): void {
  const metadata = config.metadata['assay'] as AssayMetadata;
  const report = buildReport({
    assay: { ...metadata, usageError },
    tests: [],
    rules: loadRules(),
    questions: loadObservationQuestions(),
    coverageOf: coverageIn(),
    ...knownDetection(),
    startedAt: new Date().toISOString(),
    milliseconds: 0,
    errors: [],
    partial: false,
    version: ownVersion(),
  });
  const dir = reportDir();
  refuseForeignFiles(dir);
  clearReports(dir);
  writeFiles(dir, reportFiles(report, []));
}
