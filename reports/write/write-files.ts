import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { claimFolder } from '../folder/folder.ts';
import { LEFT_BEHIND } from '../folder/left-behind.ts';
import { REPRODUCE_DIR } from '../reproduce/reproducers.ts';

/** Names of the files that a run writes, beside Allure's folder, the history and the folder of baselines. */
export const FILES = {
  page: 'index.html',
  json: 'conformance.json',
  junit: 'junit.xml',
  sarif: 'assay.sarif',
  summary: 'summary.md',
  exchanges: 'exchanges.ndjson',
  badge: 'badge.svg',
  badgeData: 'badge.json',
} as const;

/**
 * Removes the last run's files, so that a run that dies half-way leaves no report that looks like its own. Nothing else
 * in the folder is touched.
 */
export function clearReports(dir: string): void {
  claimFolder(dir);
  for (const name of [...Object.values(FILES), LEFT_BEHIND]) rmSync(join(dir, name), { force: true });
  const scripts = join(dir, REPRODUCE_DIR);
  if (!existsSync(scripts)) return;
  for (const name of readdirSync(scripts)) if (/\.(?:mjs|har)$/.test(name)) rmSync(join(scripts, name));
}

/**
 * Writes the given texts into the folder, which is made where it is missing. Each file appears at once and whole: whoever
 * reads while a run goes on, or after it was killed, never sees half of one.
 */
export function writeFiles(
  dir: string,
  contents: Readonly<Record<string, string | readonly string[]>>,
): void {
  claimFolder(dir);
  for (const [name, content] of Object.entries(contents)) {
    const file = join(dir, name);
    const part = `${file}.part`;
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === 'string') writeFileSync(part, content);
    else {
      // One text of everything would be longer than a text can be.
      writeFileSync(part, '');
      for (const piece of content) appendFileSync(part, piece);
    }
    renameSync(part, file);
  }
}

/** GitHub shows what a job appends to this file. */
export function noteStepSummary(markdown: string): void {
  const file = process.env['GITHUB_STEP_SUMMARY']?.trim();
  if (!file) return;
  try {
    appendFileSync(file, markdown);
  } catch {
    process.stderr.write('GITHUB_STEP_SUMMARY cannot be written to; the summary is in the report folder.\n');
  }
}
