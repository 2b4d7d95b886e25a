import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { WORK_FOLDER } from './reach/default-world.ts';

/**
 * Rows that are done, one a line, so that a run which was ended goes on where it was. Files of several machines may lie side
 * by side: all of one kind and digest are read.
 */
export class KeptRows<T> {
  readonly #file: string;
  readonly #beginning: string;
  readonly #folder: string;

  /**
   * @param kind of rows: `matrix`
   * @param digest of everything that they depend on
   * @param part of this machine, where there are several: `1-of-4`
   */
  constructor(kind: string, digest: string, part = 'all', folder = WORK_FOLDER) {
    this.#folder = folder;
    this.#beginning = `${kind}-${digest}-`;
    this.#file = join(folder, `${this.#beginning}${part}.ndjson`);
    mkdirSync(folder, { recursive: true });
  }

  all(): T[] {
    return this.#files().flatMap((file) =>
      readFileSync(join(this.#folder, file), 'utf8')
        .split('\n')
        .flatMap((line) => parsed<T>(line)),
    );
  }

  add(row: T): void {
    appendFileSync(this.#file, `${JSON.stringify(row)}\n`);
  }

  /** Forgets all rows. */
  clear(): void {
    for (const file of this.#files()) rmSync(join(this.#folder, file));
  }

  #files(): string[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder).filter(
      (file) => file.startsWith(this.#beginning) && file.endsWith('.ndjson'),
    );
  }
}

/** Nothing for a line that was cut when the run was ended. */
function parsed<T>(line: string): T[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as T];
  } catch {
    return [];
  }
}
