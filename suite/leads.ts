/** Everybody's clock, where a target has but one. */
const EVERYBODY = '*';

/** How far the target's clocks are ahead of ours, in milliseconds, as far as this worker has learned. */
export class Leads {
  readonly #ms = new Map<string, number>();

  /** @param customerId undefined for the one clock of all users */
  of(customerId: string | undefined): number | undefined {
    return this.#ms.get(customerId ?? EVERYBODY);
  }

  /** Notes a new lead. @returns by how much it has grown */
  learn(customerId: string | undefined, ms: number): number {
    const before = this.of(customerId) ?? 0;
    this.#ms.set(customerId ?? EVERYBODY, ms);
    return ms - before;
  }
}
