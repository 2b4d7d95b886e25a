import type { Profile } from '../../profile.ts';
import { CannotPrepare, type StateParams, type StateProvider, type StateValues } from '../state-provider.ts';
import { agent } from './agent.ts';
import { agentQuote } from './agent-quote.ts';
import { customer } from './customer.ts';
import { foreignAccounts } from './foreign-accounts.ts';
import { executionFailure } from './execution-failure.ts';
import { quoteSource } from './quote-source.ts';
import { newWallet, walletAccount } from './wallet-account.ts';
import type { Steps } from './steps.ts';
import { makeSteps, type PlatformCall } from './steps.ts';

export type { PlatformCall } from './steps.ts';

/** How one state is prepared with the service's own endpoints. */
export type Recipe = (steps: Steps, params: StateParams) => Promise<StateValues>;

const RECIPES: Readonly<Record<string, Recipe>> = {
  agent,
  'foreign-accounts': foreignAccounts,
  'execution-failure': executionFailure,
  'wallet-account': walletAccount,
  'new-wallet': newWallet,
  customer,
  'quote-source': quoteSource,
  'agent-quote': agentQuote,
};

/** Prepares states by the service's own endpoints, so that sandbox keys alone are enough for most rules. */
export class PublicCalls implements StateProvider {
  readonly name = 'public-calls';
  readonly #steps: Steps;

  constructor(profile: Profile, call: PlatformCall) {
    this.#steps = makeSteps(profile, call);
  }

  async setUp(state: string, params: StateParams): Promise<StateValues> {
    const recipe = RECIPES[state];
    if (!recipe)
      throw new CannotPrepare(
        `the state "${state}" cannot be prepared by public calls: serve it at PROVIDER_STATES_URL`,
      );
    return recipe(this.#steps, params);
  }

  async tearDown(_state: string, values: StateValues): Promise<void> {
    if (typeof values['agentId'] === 'string')
      await this.#steps.attempt('deleteAgent', {
        label: 'cleaning up: deleting the agent',
        path: { agentId: values['agentId'] },
      });
  }
}
