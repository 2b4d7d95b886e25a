import type { Clock } from './clock.ts';

/** The longest that one timer of the machine can wait, in milliseconds. */
const LONGEST_WAIT = 2 ** 31 - 1;

interface Alarm {
  readonly at: number;
  readonly ring: () => void;
}

/**
 * What happens later in a world, by its own clock: whoever moves the clock forward need not wait. Alarms ring in the
 * order of their times, and keep no process alive.
 */
export class Alarms {
  readonly #clock: Clock;
  #pending: Alarm[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    clock.onAdvance(() => this.#ringDue());
  }

  /** @param at milliseconds since the epoch, by the world's clock */
  set(at: number, ring: () => void): void {
    if (this.#isStopped) return;
    this.#pending.push({ at, ring });
    this.#pending.sort((one, other) => one.at - other.at);
    this.#wait();
  }

  /** Nothing rings any more: the world has ended. */
  stop(): void {
    this.#isStopped = true;
    this.#pending = [];
    clearTimeout(this.#timer);
  }

  #ringDue(): void {
    // What a ring sets may be due as well.
    while (this.#pending[0] && this.#pending[0].at <= this.#clock.now()) this.#pending.shift()!.ring();
    this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const next = this.#pending[0];
    if (!next) return;
    const wait = Math.min(Math.max(next.at - this.#clock.now(), 0), LONGEST_WAIT);
    this.#timer = setTimeout(() => this.#ringDue(), wait).unref();
  }
}
