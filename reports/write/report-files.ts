import type { TestRecord } from '../evidence.ts';
import { htmlPage } from '../html/page.ts';
import type { ConformanceReport } from '../model.ts';
import { badgeJson, badgeSvg } from './badge.ts';
import { junitXml } from './junit.ts';
import { exchangeIndex, exchangesNdjson } from './ndjson.ts';
import { FILES } from './write-files.ts';

/** The text of every file of a run, by name. */
export function reportFiles(
  report: ConformanceReport,
  tests: readonly TestRecord[],
): Readonly<Record<string, string>> {
  return {
    [FILES.json]: `${JSON.stringify(report, null, 2)}\n`,
    [FILES.exchanges]: exchangesNdjson(tests),
    [FILES.junit]: junitXml(report),
    [FILES.badge]: badgeSvg(report),
    [FILES.badgeData]: badgeJson(report),
    [FILES.page]: htmlPage(report, exchangeIndex(tests)),
  };
}
