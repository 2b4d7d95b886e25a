/** One movement of money. Amounts in the smallest unit of the currency, greater than zero. */
export interface Posting {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly reason: string;
}

/**
 * Double-entry books of one world: whatever leaves one account enters another, so that the sum over all accounts of a
 * currency is zero at every moment. Money enters the world from, and leaves it to, accounts named `outside:…`.
 */
export class Ledger {
  readonly #balances = new Map<string, bigint>();
  readonly #postings: Posting[] = [];

  post(posting: Posting): void {
    this.#add(posting.from, posting.currency, -posting.amount);
    this.#add(posting.to, posting.currency, posting.amount);
    this.#postings.push(posting);
  }

  balance(account: string, currency: string): bigint {
    return this.#balances.get(`${account} ${currency}`) ?? 0n;
  }

  /** Sum over every account: zero, unless money was made or lost. */
  total(currency: string): bigint {
    let sum = 0n;
    for (const [key, balance] of this.#balances) if (key.endsWith(` ${currency}`)) sum += balance;
    return sum;
  }

  get postings(): readonly Posting[] {
    return this.#postings;
  }

  #add(account: string, currency: string, amount: bigint): void {
    this.#balances.set(`${account} ${currency}`, this.balance(account, currency) + amount);
  }
}
