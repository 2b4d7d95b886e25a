import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names of the files that a run writes, beside Allure's folder and the folder of baselines. */
export const FILES = {
  page: 'index.html',
  json: 'conformance.json',
  junit: 'junit.xml',
  exchanges: 'exchanges.ndjson',
  badge: 'badge.svg',
  badgeData: 'badge.json',
} as const;

/**
 * Removes the last run's files, so that a run that dies half-way leaves no report that looks like its own. Nothing else
 * in the folder is touched.
 */
export function clearReports(dir: string): void {
  mkdirSync(dir, { recursive: true });
  for (const name of Object.values(FILES)) rmSync(join(dir, name), { force: true });
}

/** Writes the given texts into the folder, which is made where it is missing. */
export function writeFiles(dir: string, contents: Readonly<Record<string, string>>): void {
  mkdirSync(dir, { recursive: true });
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(dir, name), content);
}
