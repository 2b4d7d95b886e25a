/** Time of one world. It can be moved forward for everybody in it, or for one customer, and never goes back. */
export class Clock {
  #offset = 0;
  #moves = 0;
  readonly #byCustomer = new Map<string, number>();
  readonly #wall: () => number;
  readonly #listeners: (() => void)[] = [];

  /** @param wall milliseconds since the epoch */
  constructor(wall: () => number = Date.now) {
    this.#wall = wall;
  }

  /** Milliseconds since the epoch. @param customerId whose time is meant; without it the world's */
  now(customerId?: string): number {
    return this.#wall() + this.#offset + (customerId === undefined ? 0 : this.aheadOf(customerId));
  }

  /** How far the time of a customer is ahead of the world's, in milliseconds. */
  aheadOf(customerId: string): number {
    return this.#byCustomer.get(customerId) ?? 0;
  }

  /** How often it has been moved. */
  get moves(): number {
    return this.#moves;
  }

  /** @param seconds how far forward, for one customer or for the whole world */
  advance(seconds: number, customerId?: string): void {
    if (customerId === undefined) this.#offset += seconds * 1000;
    else this.#byCustomer.set(customerId, (this.#byCustomer.get(customerId) ?? 0) + seconds * 1000);
    this.#moves++;
    for (const listener of this.#listeners) listener();
  }

  /** Called after each move. */
  onAdvance(listener: () => void): void {
    this.#listeners.push(listener);
  }
}

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
