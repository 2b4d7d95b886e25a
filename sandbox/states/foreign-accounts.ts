import { param, type State } from '../core/state.ts';
import { addCustomer } from '../domain/customer.ts';
import { addExternalAccount } from '../domain/external-account.ts';
import { addInternalAccount, fund } from '../domain/internal-account.ts';
import { mainPlatform } from '../domain/platform.ts';
import { agentParams } from './agent.ts';

/** Accounts of a customer that no agent acts for; the internal one holds funds. */
export const foreignAccountsState: State = {
  name: 'foreign-accounts',
  params: { currency: agentParams.currency },
  setup(world, params) {
    const currency = param(params, 'currency', 'USD');
    const customer = addCustomer(world, mainPlatform(world));
    const internal = addInternalAccount(world, customer, currency);
    fund(world, internal, 1_000_000n);
    const external = addExternalAccount(world, customer, currency);
    return { customerId: customer.id, internalAccountId: internal.id, externalAccountId: external.id };
  },
};
