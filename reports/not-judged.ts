import type { FullConfig } from '@playwright/test';
import { loadObservationQuestions, loadRules } from '../schemas/rules.ts';
import { buildReport, type AssayMetadata } from './build.ts';
import { coverageIn } from './coverage.ts';
import { knownDetection } from './detection.ts';
import { refuseForeignFiles, reportDir } from './folder.ts';
import { ownVersion } from './version.ts';
import { reportFiles } from './write/report-files.ts';
import { clearReports, writeFiles } from './write/write-files.ts';

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
