import { param, type State, Unpreparable } from '../../server/area.ts';
import { agentParams } from '../agents/states.ts';
import { mainPlatform } from '../auth/records.ts';
import { addCustomer } from '../customers/records.ts';
import { addExternalAccount, addInternalAccount, externalAccounts, fund } from './records.ts';

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

/** A person has done the hosted liveness check of an external account. */
export const livenessState: State = {
  name: 'liveness',
  params: { externalAccountId: { type: 'string' }, outcome: { enum: ['PASSED', 'FAILED'] } },
  setup(world, params) {
    const account = externalAccounts.get(world, String(params['externalAccountId']));
    if (!account) throw new Unpreparable('there is no such external account.');
    if (account.status === 'PENDING_OWNERSHIP_VERIFICATION') {
      world.rules.settleLiveness(account, params['outcome'] !== 'FAILED');
    }
    return { status: account.status };
  },
};
