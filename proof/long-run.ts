import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parsedOrNothing } from '../schemas/json.ts';
import { WORK_FOLDER } from './reach/default-world.ts';

/** Tells how far a long run is, and how long the rest will take, in proportion to the weight of what is done. */
export class Progress {
  readonly #what: string;
  readonly #total: number;
  readonly #weight: number;
  readonly #startedAt = performance.now();
  #done = 0;
  #lifted = 0;
  #toldAt = 0;

  /**
   * @param what in the plural: "faults"
   * @param weight of all that is to do
   */
  constructor(what: string, total: number, weight: number) {
    this.#what = what;
    this.#total = total;
    this.#weight = weight;
  }

  /** Seconds since the start. */
  get seconds(): number {
    return (performance.now() - this.#startedAt) / 1_000;
  }

  /** Notes that one more is done. */
  add(weight: number): void {
    this.#done += 1;
    this.#lifted += weight;
    if (this.seconds - this.#toldAt < 15 && this.#done < this.#total) return;
    this.#toldAt = this.seconds;
    const left = this.#lifted > 0 ? (this.seconds / this.#lifted) * (this.#weight - this.#lifted) : 0;
    console.log(
      `${this.#done} of ${this.#total} ${this.#what}, ${durationInWords(this.seconds)} so far, about ${durationInWords(left)} to go`,
    );
  }
}

/** Seconds in words: `4 min 10 s`. */
export function durationInWords(seconds: number): string {
  const whole = Math.round(Math.max(0, seconds));
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

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
        // Nothing for a line that was cut when the run was ended.
        .flatMap((line) => (parsedOrNothing(line) as T | undefined) ?? []),
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
