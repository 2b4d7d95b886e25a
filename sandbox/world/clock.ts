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

  /**
   * Milliseconds since the epoch.
   *
   * @param customerId whose time is meant; without it the world's
   */
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
