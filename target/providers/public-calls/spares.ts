import type { Exchange } from '../../../client/http/http-client.ts';

/** A customer has ordinary accounts and an embedded wallet, and a state uses one of the two. */
export type Half = 'accounts' | 'wallet';

/** A customer that public calls have made. */
export interface MadeCustomer {
  readonly customerId: string;
  readonly platformCustomerId: string;
  /** How it was created. */
  readonly creation: Exchange;
}

/** What the tests of a worker have asked for, made and handed on. */
type SparesCount = Readonly<Record<`${'asked' | 'handed'}-${Half}` | 'made', number>>;

const NOTHING: SparesCount = {
  'asked-accounts': 0,
  'asked-wallet': 0,
  'handed-accounts': 0,
  'handed-wallet': 0,
  made: 0,
};

/**
 * Customers of whom a test of this worker has used one half and left the other as it was made: a later test gets that half. So
 * each test has accounts that nobody used before it, and there are half as many customers.
 */
export class Spares {
  readonly #free: Record<Half, MadeCustomer[]> = { accounts: [], wallet: [] };
  readonly #new = new Map<string, { readonly customer: MadeCustomer; readonly free: Half }>();
  #count: SparesCount = NOTHING;

  /** A customer whose `half` nobody has used, where there is one. */
  take(half: Half): MadeCustomer | undefined {
    this.#add(`asked-${half}`);
    return this.#free[half].pop();
  }

  /** Notes a new customer, made for this half of it. */
  add(half: Half, customer: MadeCustomer): void {
    this.#add('made');
    this.#new.set(customer.customerId, { customer, free: half === 'wallet' ? 'accounts' : 'wallet' });
  }

  /** The test of a customer has kept to its half. One who has served twice already is of no more use. */
  handOn(customerId: string): void {
    const one = this.#new.get(customerId);
    if (!one) return;
    this.#new.delete(customerId);
    this.#free[one.free].push(one.customer);
    this.#add(`handed-${one.free}`);
  }

  /** Counts since this was last called. */
  count(): SparesCount {
    const count = this.#count;
    this.#count = NOTHING;
    return count;
  }

  #add(what: keyof SparesCount): void {
    this.#count = { ...this.#count, [what]: this.#count[what] + 1 };
  }
}
