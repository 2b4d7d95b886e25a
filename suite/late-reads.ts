import { setTimeout as pause } from 'node:timers/promises';
import type { Dialect } from '../target/dialect/keys.ts';
import { eventually } from './eventually.ts';

/** Longest wait for a read to show what was written, in milliseconds: a test makes several. */
const LONGEST_MS = 2_000;

/** By target, which each has a dialect of its own. */
const byTarget = new WeakMap<Dialect, LateReads>();

/**
 * How late a target's reads show what was written, as far as this worker has seen. No sentence says that they follow at once: a
 * look that must show nothing new is made no sooner than what was due has shown.
 */
export class LateReads {
  readonly #latestMs = new Map<string, number>();

  static of({ dialect }: { readonly dialect: Dialect }): LateReads {
    const known = byTarget.get(dialect) ?? new LateReads();
    byTarget.set(dialect, known);
    return known;
  }

  /** Whether anything that was due has been looked for yet. @param what names what is read */
  isKnown(what: string): boolean {
    return this.#latestMs.has(what);
  }

  /** The latest, in milliseconds: 0 where nothing was late. */
  latestMs(what: string): number {
    return this.#latestMs.get(what) ?? 0;
  }

  /** Waits until a read would show what was written before: mostly no time at all. */
  async settle(what: string): Promise<void> {
    const waitMs = Math.min(2 * this.latestMs(what), LONGEST_MS);
    if (waitMs > 0) await pause(waitMs);
  }

  /**
   * Looks until what is due shows or the time is up, and notes how late it was.
   *
   * @param timeoutMs how long to go on, in milliseconds
   * @returns the last look, and whether it showed what is due, but not the first one
   */
  async untilShown<T>(
    what: string,
    look: () => Promise<T>,
    shows: (seen: T) => boolean,
    timeoutMs: number,
  ): Promise<{ readonly seen: T; readonly isLate: boolean }> {
    const start = performance.now();
    const first = await look();
    const isAtOnce = shows(first);
    const seen = isAtOnce ? first : await eventually(look, shows, timeoutMs);
    const isLate = !isAtOnce && shows(seen);
    // What never shows is not waited for again.
    const lateMs = isLate ? performance.now() - start : 0;
    this.#latestMs.set(what, Math.max(this.latestMs(what), lateMs));
    return { seen, isLate };
  }
}
