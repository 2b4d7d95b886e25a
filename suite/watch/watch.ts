/**
 * Is the target there? Whoever does not answer is looked at again, waited for, and in the end given up: target-watch.ts does
 * it with the service, states-watch.ts with its provider-states URL.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Silence, RunFolder } from '../run/run-folder.ts';

/** Longest time that somebody who does not answer is waited for, from the first failure on. Milliseconds. */
const PATIENCE_MS = 15_000;
/** A time-out may have used up all patience before the first look: then he is looked at for so long. Milliseconds. */
const LEAST_PATIENCE_MS = 5_000;
/** Between two looks at somebody who is away. */
const LOOK_AGAIN_MS = 500;
/** Between two looks at somebody who was given up, where he may come back … */
const GIVEN_UP_LOOK_MS = 3_000;
/** … and at least so many times as long as the last look took: one who hangs must not cost every test its look. */
const LOOK_PART = 10;

/** Somebody who was given up. Times in epoch milliseconds. */
interface Gone {
  readonly since: number;
  readonly why: string;
  readonly lookAgainAt: number;
}

/** The time in epoch milliseconds, and how to let some of it pass. */
export interface Time {
  now(): number;
  pause(ms: number): Promise<unknown>;
}

/** How to look after somebody, and what to do when he goes and comes back. */
export interface WatchOptions {
  /** Looks once. @returns why he is not well, or undefined when he is */
  readonly look: () => Promise<string | undefined>;
  /** Whether he is given up for good, or looked at again later. */
  readonly forGood: boolean;
  /** He was away and is back: what he knew before may be forgotten. Times in epoch milliseconds. */
  readonly onAway?: (from: number, to: number) => void;
  /** Somebody else may have found out already that he is gone. */
  readonly knownGone?: () => string | undefined;
  /** Where it is kept that he was given up, so that others need not find it out anew. */
  readonly remembered?: {
    readonly get: () => Silence | undefined;
    readonly set: (silence: Silence | undefined) => void;
  };
  /** Real time, unless a test says otherwise. */
  readonly time?: Time;
}

/**
 * Tells somebody who is away for a moment from somebody who has gone: a breaker that looks again. While he is away
 * everybody waits, so that a restart costs the requests that it met and no more.
 */
export class Watch {
  readonly #options: WatchOptions;
  readonly #time: Time;
  #away: Promise<boolean> | undefined;
  #gone: Gone | undefined;
  #hasRemembered = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#time = options.time ?? { now: () => Date.now(), pause: (ms) => pause(ms) };
  }

  /** Waits while he is away. @returns why he is given up, and since when; undefined when he may be called */
  async ready(): Promise<Gone | undefined> {
    await this.#away;
    this.#remember();
    if (!this.#gone || this.#options.forGood || this.#time.now() < this.#gone.lookAgainAt) return this.#gone;
    const gone = this.#gone;
    // Who comes meanwhile need not wait for the same look.
    this.#givenUp(gone);
    const from = this.#time.now();
    if ((await this.#options.look()) === undefined) {
      this.#gone = undefined;
      this.#options.remembered?.set(undefined);
    } else this.#givenUp(gone, LOOK_PART * (this.#time.now() - from));
    return this.#gone;
  }

  /**
   * Something went wrong with him: looks at once, and waits until he is well again or given up.
   *
   * @param since when the request that went wrong was sent, epoch milliseconds
   * @returns true when he was well at the first look
   */
  async suspect(since: number): Promise<boolean> {
    if (this.#gone) return false;
    this.#away ??= this.#waitFor(since).finally(() => (this.#away = undefined));
    return this.#away;
  }

  async #waitFor(since: number): Promise<boolean> {
    const { look, onAway, knownGone } = this.#options;
    const deadline = Math.max(since + PATIENCE_MS, this.#time.now() + LEAST_PATIENCE_MS);
    for (let looks = 0; ; looks += 1) {
      const why = knownGone?.() ?? (await look());
      if (why === undefined) {
        if (looks > 0) onAway?.(since, this.#time.now());
        return looks === 0;
      }
      if (knownGone?.() !== undefined || this.#time.now() >= deadline) {
        this.#givenUp({ since, why });
        return false;
      }
      await this.#time.pause(LOOK_AGAIN_MS);
    }
  }

  #givenUp({ since, why }: Pick<Gone, 'since' | 'why'>, pauseMs = 0): void {
    this.#gone = { since, why, lookAgainAt: this.#time.now() + Math.max(GIVEN_UP_LOOK_MS, pauseMs) };
    this.#options.remembered?.set({ count: since, until: this.#gone.lookAgainAt, why });
  }

  /** A new worker learns that he was given up, and each worker that another has looked again. */
  #remember(): void {
    if (this.#hasRemembered && !this.#gone) return;
    this.#hasRemembered = true;
    const known = this.#options.remembered?.get();
    if (known && known.until > (this.#gone?.lookAgainAt ?? 0))
      this.#gone = { since: known.count, why: known.why ?? '', lookAgainAt: known.until };
  }
}

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
