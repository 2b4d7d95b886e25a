import { readFileSync, rmSync } from 'node:fs';

/** Removes a mark whose worker was killed, and so left it behind. @param file begins with the process id of who made it */
export function freeOfDead(file: string): void {
  try {
    // Empty: it is being written at this moment.
    process.kill(Number.parseInt(readFileSync(file, 'utf8')) || process.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') rmSync(file, { force: true });
  }
}
