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
      `${this.#done} of ${this.#total} ${this.#what}, ${spoken(this.seconds)} so far, about ${spoken(left)} to go`,
    );
  }
}

/** Seconds in words: `4 min 10 s`. */
export function spoken(seconds: number): string {
  const whole = Math.round(Math.max(0, seconds));
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
