/** One movement of money. Amounts in the smallest unit of the currency; nothing moves for zero. */
export interface Posting {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly currency: string;
  /** Id of the record that moves it. */
  readonly reason: string;
}

/** A posting that no book can take: a mistake in the sandbox, not of a caller. Nothing of it was booked. */
export class BadPosting extends Error {}

/** Name of the account of whoever keeps no account here: money enters the world from it, and leaves it to it. */
export const outside = (who: string): string => `outside:${who}`;

/** Name of the account on which the money of a record waits: a payment on its way, a refund, a card authorization. */
export const held = (id: string): string => `hold:${id}`;

/**
 * Double-entry books of one world: whatever leaves one account enters another, so that the sum over all accounts of a
 * currency is zero at every moment. No account goes below zero, apart from those outside.
 */
export class Ledger {
  readonly #balances = new Map<string, bigint>();
  readonly #postings: Posting[] = [];

  /** Books all of these or, where one cannot be, none. @throws BadPosting */
  post(...postings: readonly Posting[]): void {
    const after = new Map<string, bigint>();
    for (const { from, to, amount, currency, reason } of postings) {
      if (amount < 0n) throw new BadPosting(`${reason} moves ${amount} ${currency}.`);
      for (const [account, change] of [
        [from, -amount],
        [to, amount],
      ] as const) {
        const key = `${account} ${currency}`;
        after.set(key, (after.get(key) ?? this.#balances.get(key) ?? 0n) + change);
      }
    }
    for (const [key, balance] of after)
      if (balance < 0n && !key.startsWith('outside:'))
        throw new BadPosting(`${postings[0]!.reason} leaves ${balance} on ${key}.`);
    this.#book(after, postings);
  }

  /** As post, without a look at what is left: for faults that spend what is not there. */
  overdraw(posting: Posting): void {
    const { from, to, amount, currency } = posting;
    const after = new Map([[`${from} ${currency}`, this.balance(from, currency) - amount]]);
    after.set(`${to} ${currency}`, this.balance(to, currency) + amount);
    this.#book(after, [posting]);
  }

  balance(account: string, currency: string): bigint {
    return this.#balances.get(`${account} ${currency}`) ?? 0n;
  }

  /** Every account that has been booked on, with its currency and what is on it. */
  get accounts(): readonly {
    readonly account: string;
    readonly currency: string;
    readonly balance: bigint;
  }[] {
    return [...this.#balances].map(([key, balance]) => {
      const space = key.lastIndexOf(' ');
      return { account: key.slice(0, space), currency: key.slice(space + 1), balance };
    });
  }

  get postings(): readonly Posting[] {
    return this.#postings;
  }

  #book(after: ReadonlyMap<string, bigint>, postings: readonly Posting[]): void {
    for (const [key, balance] of after) this.#balances.set(key, balance);
    this.#postings.push(...postings.filter(({ amount }) => amount !== 0n));
  }
}
