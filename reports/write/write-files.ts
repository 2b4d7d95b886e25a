import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBaseline } from '../baseline.ts';

/** Names of the files that a run writes, beside Allure's folder. */
export const FILES = {
  page: 'index.html',
  json: 'conformance.json',
  junit: 'junit.xml',
  exchanges: 'exchanges.ndjson',
  badge: 'badge.svg',
  badgeData: 'badge.json',
  /** The last run's conformance.json, kept to compare with. */
  previous: 'previous.json',
} as const;

/**
 * Puts the last run's files away, so that a run that dies half-way leaves no report that looks like its own. The
 * last conformance.json stays as previous.json, to compare with. Nothing else in the folder is touched.
 */
export function clearReports(dir: string): void {
  mkdirSync(dir, { recursive: true });
  const last = join(dir, FILES.json);
  // A run that could not start is nothing to compare with: the one before it stays.
  if (readBaseline(last)?.run.usageError !== undefined) rmSync(last);
  else if (existsSync(last)) renameSync(last, join(dir, FILES.previous));
  for (const name of [FILES.page, FILES.junit, FILES.exchanges, FILES.badge, FILES.badgeData]) {
    rmSync(join(dir, name), { force: true });
  }
}

/** Writes the given texts into the folder, which is made where it is missing. */
export function writeFiles(dir: string, contents: Readonly<Record<string, string>>): void {
  mkdirSync(dir, { recursive: true });
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(dir, name), content);
}
