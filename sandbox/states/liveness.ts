import { Unpreparable, type State } from '../core/state.ts';
import { externalAccounts } from '../domain/external-account.ts';

/** A person has done the hosted liveness check of an external account. */
export const livenessState: State = {
  name: 'liveness',
  params: { externalAccountId: { type: 'string' }, outcome: { enum: ['PASSED', 'FAILED'] } },
  setup(world, params) {
    const account = externalAccounts.get(world, String(params['externalAccountId']));
    if (!account) throw new Unpreparable('there is no such external account.');
    if (account.status === 'PENDING_OWNERSHIP_VERIFICATION') {
      world.rules.settleLiveness(world, account, params['outcome'] !== 'FAILED');
    }
    return { status: account.status };
  },
};
