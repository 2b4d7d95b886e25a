import { param, type State } from '../../server/area.ts';
import { agentParams } from '../agents/states.ts';
import { newCustomer } from '../customers/states.ts';
import { findExternalAccount } from '../sandbox/steering.ts';

/** Accounts of a customer that no agent acts for; the internal one holds funds. */
export const foreignAccountsState: State = {
  name: 'foreign-accounts',
  params: { currency: agentParams.currency },
  setup(world, params) {
    const currency = param(params, 'currency', 'USD');
    const { behaviour } = world;
    const customer = newCustomer(world, {});
    const [internal] = behaviour.openAccounts(customer, [currency]);
    behaviour.fundAccount(internal!, 1_000_000n);
    const external = behaviour.registerExternalAccount(customer, currency);
    return { customerId: customer.id, internalAccountId: internal!.id, externalAccountId: external.id };
  },
};

/** A person has done the hosted liveness check of an external account. */
export const livenessState: State = {
  name: 'liveness',
  params: { externalAccountId: { type: 'string' }, outcome: { enum: ['PASSED', 'FAILED'] } },
  setup(world, params) {
    const account = findExternalAccount(world, params['externalAccountId']);
    world.behaviour.endLiveness(account, params['outcome'] !== 'FAILED');
    return { status: account.status };
  },
};
