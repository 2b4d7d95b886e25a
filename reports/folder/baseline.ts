import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../../target/usage-error.ts';
import { isWholeRun } from './history.ts';
import type { ConformanceReport } from '../verdicts/model.ts';
import { FILES } from '../write/write-files.ts';

type Target = Pick<ConformanceReport['target'], 'name' | 'baseUrl' | 'embedded'>;
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads an earlier conformance.json.
 *
 * @returns undefined when there is none, or when it is not a report of this version
 */
export function readBaseline(file: string): ConformanceReport | undefined {
  try {
    const read = JSON.parse(readFileSync(file, 'utf8')) as Partial<ConformanceReport> | null;
    return read?.schemaVersion === 2 && Array.isArray(read.rules) && Array.isArray(read.observations)
      ? (read as ConformanceReport)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The run that `BASELINE` names.
 *
 * @returns undefined when it names none
 * @throws UsageError when it is not the report of a run
 */
export function chosenBaseline(env: Environment): ConformanceReport | undefined {
  const chosen = env['BASELINE']?.trim();
  // A worker reads the configuration again, at a time when the run has put the file away that it was given.
  if (!chosen || env['TEST_WORKER_INDEX'] !== undefined) return undefined;
  const report = readBaseline(resolve(chosen));
  if (report) return report;
  throw new UsageError(
    `BASELINE ${chosen} is not a conformance.json of this version: give the path of an earlier run's report, or unset it.`,
  );
}

/** Where the last complete run of a target is kept. Each target has a file of its own. */
export function baselineFile(dir: string, target: Target): string {
  const key = target.embedded ? [target.name] : [target.name, target.baseUrl];
  const slug = key
    .join(' ')
    .toLowerCase()
    .replace(/^https?:\/\/|[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
  const digest = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 8);
  return join(dir, 'baselines', `${slug}-${digest}.json`);
}

/** Keeps a run to compare the next ones with: only one that was judged, and on all of the suite. */
export function keepBaseline(dir: string, report: ConformanceReport): void {
  if (!isWholeRun(report)) return;
  const file = baselineFile(dir, report.target);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report)}\n`);
}

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
