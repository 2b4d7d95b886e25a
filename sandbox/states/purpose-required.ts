import { param, type State } from '../core/state.ts';
import { agentParams, prepareAgent, removeAgent } from './agent.ts';

/** An agent whose destination lies in India, where a purpose of payment is asked for. */
export const purposeRequiredState: State = {
  name: 'purpose-required',
  params: agentParams,
  setup(world, params) {
    const rails = param<readonly string[]>(params, 'rails', ['UPI', 'NEFT']);
    return prepareAgent(
      world,
      { currency: 'INR', ...params },
      { accountInfo: { accountType: 'INR_ACCOUNT', paymentRails: rails }, rails },
    );
  },
  teardown: removeAgent,
};
