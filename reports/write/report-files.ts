import type { TestRecord } from '../evidence.ts';
import { htmlPage } from '../html/page.ts';
import type { HistoryLine } from '../history.ts';
import type { ConformanceReport } from '../model.ts';
import { withReproducers } from '../reproduce/index.ts';
import { badgeJson, badgeSvg } from './badge.ts';
import { junitXml } from './junit.ts';
import { exchangeIndex, exchangesNdjson } from './ndjson.ts';
import { sarif } from './sarif.ts';
import { summaryMarkdown } from './summary.ts';
import { FILES } from './write-files.ts';

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
