import type { StateParams, StateValues } from '../state-provider.ts';
import { agent } from './agent.ts';
import type { Steps } from './steps.ts';

const BALANCE = 10_000;

/**
 * State `execution-failure`: an agent that asks for more than the account will hold. Insufficient funds are the interface's
 * own example of an approved action that fails; a target may refuse them earlier, which the specs allow for.
 */
export async function executionFailure(steps: Steps, params: StateParams): Promise<StateValues> {
  const values = await agent(steps, { ...params, balance: BALANCE });
  return { ...values, amount: BALANCE * 5 };
}
