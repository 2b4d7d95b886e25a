/**
 * The folder of a report: whose it is, and what a run finds there of earlier ones: the last whole run of the target
 * (baseline.ts), a line for each (history.ts), and which records were left on the target.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync, rmSync } from 'node:fs';
import { join, resolve, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../target/usage-error.ts';
import { HISTORY_FILE } from './history.ts';
import { LEFT_BEHIND, LEFT_SO_FAR } from './left-behind.ts';

/** Says that Assay made a folder, so that it may replace its own files there. */
export const MARKER = 'assay-folder.json';
/** Where a run writes unless it is told otherwise. */
const OWN = fileURLToPath(new URL('../out', import.meta.url));
/** What a run takes over from an earlier one, and what tools leave everywhere. */
const HARMLESS = new Set([
  ...[HISTORY_FILE, 'baselines', LEFT_SO_FAR, LEFT_BEHIND],
  ...['.gitkeep', '.gitignore', '.DS_Store'],
]);
/** More names would not help. */
const NAMED = 3;

/**
 * Makes sure that a folder is Assay's own, empty, or not there yet: files of others are never deleted or overwritten.
 * Changes nothing.
 *
 * @throws UsageError naming what is in the way
 */
export function refuseForeignFiles(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory() || isOurs(folder)) return;
  const foreign = readdirSync(folder)
    .filter((name) => !HARMLESS.has(name))
    .sort();
  if (foreign.length === 0) return;
  const rest = foreign.length - NAMED;
  const names = foreign.slice(0, NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  throw new UsageError(
    `REPORT_DIR ${folder} holds files that Assay did not make (${names}): choose an empty or a new folder.`,
  );
}

/** Marks a folder as made by Assay. */
export function claimFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, MARKER);
  const text = {
    madeBy: 'assay',
    note: 'Assay replaces its reports in this folder, and leaves other files alone.',
  };
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify(text, null, 2)}\n`);
}

function isOurs(folder: string): boolean {
  return resolve(folder) === OWN || existsSync(join(folder, MARKER)) || holdsReport(folder);
}

/** A report of a version that marked nothing. */
function holdsReport(folder: string): boolean {
  try {
    const text = readFileSync(join(folder, 'conformance.json'), 'utf8');
    const report = JSON.parse(text) as { schemaVersion?: unknown; run?: { assay?: unknown } } | null;
    return typeof report?.schemaVersion === 'number' && typeof report.run?.assay === 'string';
  } catch {
    return false;
  }
}

/** Absolute path of the folder that a run writes into: `REPORT_DIR`, else `reports/out`. */
export function reportDir(env: NodeJS.ProcessEnv = process.env): string {
  const chosen = env['REPORT_DIR']?.trim();
  return chosen ? resolve(chosen) : fileURLToPath(new URL('../out', import.meta.url));
}

const WHY: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'that file system takes no writing',
  ENOSPC: 'that file system is full',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it is a file',
  ENOENT: 'that file system takes no folders',
  ENAMETOOLONG: 'its name is too long',
};

/**
 * Makes sure, before any test, that reports can be written. Leaves nothing behind.
 *
 * @param folder absolute path; need not exist yet
 * @throws UsageError when nothing can be written there
 */
export function checkReportFolder(folder: string): void {
  const made: string[] = [];
  try {
    makeFolder(folder, made);
    const file = join(folder, `.assay-${process.pid}`);
    writeFileSync(file, '');
    rmSync(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new UsageError(
      `REPORT_DIR ${folder} cannot be used: ${WHY[code] ?? code}. Choose a folder that can be written.`,
    );
  } finally {
    const [first] = made;
    if (first !== undefined) rmSync(first, { recursive: true, force: true });
  }
}

/** One folder at a time: Node's own recursive mkdir never ends below /proc. @param made outermost first */
function makeFolder(folder: string, made: string[]): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) throw Object.assign(new Error('a file'), { code: 'EEXIST' });
  if (dirname(folder) !== folder) makeFolder(dirname(folder), made);
  mkdirSync(folder);
  made.push(folder);
}
