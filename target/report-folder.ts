import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from './usage-error.ts';

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
