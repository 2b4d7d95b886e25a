import type { RunFolder } from './run-folder.ts';

/** So many calls of one kind in a row without an answer, and the kind is left alone for a while. */
const MOST = 3;
/** How long, in milliseconds. */
const LEFT_ALONE_MS = 60_000;

/** Keeps a run from waiting out its time-out again and again for one operation that never answers. */
export class UnansweredInARow {
  readonly #folder: RunFolder;
  readonly #now: () => number;
  /** Kinds that this worker has asked about: looking at the folder for each exchange would cost too much. */
  readonly #silent = new Set<string>();
  readonly #known = new Set<string>();

  /** @param now the time, in epoch milliseconds */
  constructor(folder: RunFolder, now: () => number = Date.now) {
    this.#folder = folder;
    this.#now = now;
  }

  /** @param at when the call was sent, epoch milliseconds: calls that were under way together count once */
  note(kind: string, wasAnswered: boolean, at: number): void {
    if (wasAnswered) {
      if (this.#silent.delete(kind)) this.#folder.tellSilence(kind, undefined);
      return;
    }
    this.#silent.add(kind);
    const before = this.#folder.silence(kind);
    if (before && at < before.until - LEFT_ALONE_MS) return;
    this.#folder.tellSilence(kind, { count: (before?.count ?? 0) + 1, until: this.#now() + LEFT_ALONE_MS });
  }

  /** Why a call of this kind is not worth its time-out now; undefined when it may be sent. */
  leftAlone(kind: string): string | undefined {
    if (!this.#known.has(kind)) {
      this.#known.add(kind);
      if (this.#folder.silence(kind)) this.#silent.add(kind);
    }
    if (!this.#silent.has(kind)) return undefined;
    const silence = this.#folder.silence(kind);
    if (!silence || silence.count < MOST || this.#now() >= silence.until) return undefined;
    return `not sent: the last ${silence.count} calls of this operation got no answer`;
  }
}
