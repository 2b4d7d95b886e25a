import { Unpreparable, type State } from '../core/state.ts';
import { agentParams, prepareAgent, removeAgent } from './agent.ts';

/** A transfer-out of the returned amount is submitted as usual, and its execution fails: the destination sends it back. */
export const executionFailureState: State = {
  name: 'execution-failure',
  params: agentParams,
  setup(world, params) {
    const values = prepareAgent(world, params, { payoutFails: 'ACCOUNT_CANNOT_RECEIVE' });
    const threshold = BigInt((params['approvalThreshold'] as number | bigint | undefined) ?? 999);
    const amount = threshold + 1n;
    if (amount > BigInt(values['balance'] as bigint))
      throw new Unpreparable('balance is below the amount that would need approval.');
    return { ...values, amount };
  },
  teardown: removeAgent,
};
