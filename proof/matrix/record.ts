import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { DETECTION_FILE, type DetectionRecord, type RecordedFault } from '../../reports/detection.ts';
import type { Row } from './row.ts';

/**
 * Writes the complete matrix into reports/detection.json.
 *
 * @param rows of all faults
 * @param tests in the suite
 * @param digest of what it was measured with
 */
export function writeRecord(rows: readonly Row[], tests: number, digest: string): void {
  const record: DetectionRecord = {
    date: new Date().toISOString(),
    commit: commit(),
    digest,
    tests,
    faults: rows.map(recorded),
  };
  const { faults, ...head } = record;
  const lines = faults.map((fault) => `  ${JSON.stringify(fault)}`).join(',\n');
  writeFileSync(
    DETECTION_FILE,
    `${JSON.stringify(head, null, 1).slice(0, -2)},\n "faults": [\n${lines}\n ]\n}\n`,
  );
}

/** What of a row is kept. */
export function recorded({ fault, breaks, fate, wrongly, tests: run, reaching }: Row): RecordedFault {
  return { fault, breaks, fate, run, reaching, ...(wrongly ? { wrongly } : {}) };
}

/** The commit that is checked out; "with changes" where files differ from it. */
export function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    const changed = git('status', '--porcelain', '--', ':/', ':!/reports/detection.json', ':!/docs/trust.md');
    return `${git('rev-parse', '--short=12', 'HEAD')}${changed === '' ? '' : ' with changes'}`;
  } catch {
    return 'unknown';
  }
}
