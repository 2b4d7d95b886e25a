import { param, type State, Unpreparable } from '../../server/area.ts';
import { agentParams, prepareAgent, removeAgent } from '../agents/states.ts';

/** A transfer-out of the returned amount is submitted as usual, and its execution fails: the destination sends it back. */
export const executionFailureState: State = {
  name: 'execution-failure',
  params: agentParams,
  setup(world, params) {
    const values = prepareAgent(world, params, 'ACCOUNT_CANNOT_RECEIVE');
    const threshold = BigInt((params['approvalThreshold'] as number | bigint | undefined) ?? 999);
    const amount = threshold + 1n;
    if (amount > BigInt(values['balance'] as bigint))
      throw new Unpreparable('balance is below the amount that would need approval.');
    return { ...values, amount };
  },
  teardown: removeAgent,
};

/** An agent whose destination lies in India, where a purpose of payment is asked for. */
export const purposeRequiredState: State = {
  name: 'purpose-required',
  params: agentParams,
  setup(world, params) {
    const rails = param<readonly string[]>(params, 'rails', ['UPI', 'NEFT']);
    return prepareAgent(world, { currency: 'INR', ...params, rails });
  },
  teardown: removeAgent,
};
