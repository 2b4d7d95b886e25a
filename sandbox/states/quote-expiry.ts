import { Unpreparable, type State } from '../core/state.ts';
import { customers } from '../domain/customer.ts';
import { traitsOf } from '../domain/traits.ts';

/** Quotes made from now on for a customer live so long. */
export const quoteExpiryState: State = {
  name: 'quote-expiry',
  params: {
    customerId: { type: 'string' },
    expiresInSeconds: { type: 'integer', minimum: 1, maximum: 366 * 24 * 3600 },
  },
  setup(world, params) {
    const customer = customers.get(world, String(params['customerId']));
    if (!customer) throw new Unpreparable('there is no such customer.');
    traitsOf(world, customer.id).quoteLifetime = Number(params['expiresInSeconds'] ?? 900) * 1000;
    return {};
  },
};
