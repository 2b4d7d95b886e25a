import type { FullConfig } from '@playwright/test';
import { loadObservationQuestions } from '../schemas/observations.ts';
import { loadRules } from '../schemas/rules.ts';
import { buildReport, type AssayMetadata } from './build.ts';
import { coverageIn } from './coverage.ts';
import { loadDetection } from './detection.ts';
import { htmlPage } from './html/page.ts';
import { reportDir } from './report-dir.ts';
import { ownVersion } from './version.ts';
import { badgeJson, badgeSvg } from './write/badge.ts';
import { junitXml } from './write/junit.ts';
import { clearReports, FILES, writeFiles } from './write/write-files.ts';

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
    detection: loadDetection(),
    startedAt: new Date().toISOString(),
    milliseconds: 0,
    errors: [],
    partial: true,
    version: ownVersion(),
  });
  const dir = reportDir();
  clearReports(dir);
  writeFiles(dir, {
    [FILES.json]: `${JSON.stringify(report, null, 2)}\n`,
    [FILES.exchanges]: '',
    [FILES.junit]: junitXml(report),
    [FILES.badge]: badgeSvg(report),
    [FILES.badgeData]: badgeJson(report),
    [FILES.page]: htmlPage(report, new Map()),
  });
}
