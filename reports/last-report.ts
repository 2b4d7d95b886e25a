import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../target/usage-error.ts';
import { readBaseline } from './baseline.ts';
import type { ConformanceReport } from './model.ts';
import { FILES } from './write/write-files.ts';

/**
 * The report of an earlier run.
 *
 * @param source its folder, or its conformance.json
 * @throws UsageError where there is none, or one of another version
 */
export function reportAt(source: string): { readonly report: ConformanceReport; readonly file: string } {
  const isFolder = statSync(source, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const file = isFolder ? join(source, FILES.json) : source;
  if (!existsSync(file))
    throw new UsageError(`There is no report at ${file}: run the suite first, or name one with --report.`);
  const report = readBaseline(file);
  if (!report)
    throw new UsageError(`${file} is not a conformance.json of this version: run the suite again.`);
  return { report, file };
}
