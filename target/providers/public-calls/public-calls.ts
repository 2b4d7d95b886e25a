import type { Profile } from '../../profile.ts';
import { CannotPrepare, type StateParams, type StateProvider, type StateValues } from '../state-provider.ts';
import { agent, agentQuote, executionFailure } from './agents.ts';
import { customerBodies } from './customer-bodies.ts';
import {
  customer,
  foreignAccounts,
  newWallet,
  quoteSource,
  walletAccount,
  walletPayment,
} from './customers.ts';
import { scaCustomer } from './sca-customer.ts';
import { termsInForce } from './terms.ts';
import { type LeftOver, type Steps, makeSteps, type PlatformCall } from './steps.ts';

export type { LeftOver, PlatformCall } from './steps.ts';

/** How one state is prepared with the service's own endpoints. */
type Recipe = (steps: Steps, params: StateParams) => Promise<StateValues>;

const RECIPES: Readonly<Record<string, Recipe>> = {
  agent,
  'foreign-accounts': foreignAccounts,
  'execution-failure': executionFailure,
  'wallet-account': walletAccount,
  'new-wallet': newWallet,
  'wallet-payment': walletPayment,
  customer,
  'quote-source': quoteSource,
  'agent-quote': agentQuote,
  'sca-customer': scaCustomer,
  'due-diligence': customerBodies,
  terms: termsInForce,
  'exchange-rate': exchangeRate,
};

/** State `exchange-rate`: where services are known to show rates. The path is not shown: where nothing is there, nothing is held. */
function exchangeRate(_steps: Steps, params: StateParams): Promise<StateValues> {
  const pair = new URLSearchParams(params as Record<string, string>);
  return Promise.resolve({ read: { method: 'GET', path: `/exchange-rates?${pair}` } });
}

/** Prepares states by the service's own endpoints, so that sandbox keys alone are enough for most rules. */
export class PublicCalls implements StateProvider {
  readonly name = 'public-calls';
  readonly #steps: Steps;

  readonly #leftOver: LeftOver | undefined;

  /** @param leftOver customers that are taken over; every one is new without */
  constructor(profile: Profile, call: PlatformCall, leftOver?: LeftOver) {
    this.#steps = makeSteps(profile, call, leftOver);
    this.#leftOver = leftOver;
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

  handOn({ customerId }: StateValues): void {
    // One that is removed at the end is there no more.
    if (this.#steps.profile.cleanUp['Customer'] === undefined)
      this.#leftOver?.spares.handOn(String(customerId));
  }
}

/** Parts of states (target/states/catalogue.ts) that the recipes beside this file prepare where a service takes their calls. */
const SERVED: readonly RegExp[] = [
  /^(agent|execution-failure)(\.(permissions|execution|approvalThreshold|perTransactionLimit|dailyLimit|currency|rails)(=.*)?)?$/,
  /^agent\.balance$/,
  /^agent-quote(\..*)?$/,
  /^foreign-accounts(\.currency(=.*)?)?$/,
  /^(customer|quote-source)(\.(balance|currency|destinationCurrency|termsAccepted)(=.*)?)?$/,
  /^customer\.(ready=true|executionFails=false|ownPlatform=false|destinationKind=ACCOUNT|contactVerification(=.*)?|ownership=PENDING)$/,
  /^quote-source\.kind=(ACCOUNT|REALTIME_FUNDING)$/,
  /^quote-source\.accountType=((?!EMBEDDED)\w+_WALLET|LIGHTNING|BITCOIN_L1)$/,
  // Such accounts are born with it.
  /^wallet-account(\.credentials=EMAIL_OTP)?$/,
  /^(new-wallet|wallet-payment)$/,
  /^sca-customer(\.(challenges|purposes|currency|destinationCurrency)(=.*)?)?$/,
  /^sca-customer\.(factor=SMS_OTP|loggedIn(=.*)?|kind=(ACCOUNT|REALTIME_FUNDING))$/,
  /^(due-diligence|terms)$/,
  /^exchange-rate(\..*)?$/,
];

/** Whether public calls can prepare a part of a state. */
export function servesByPublicCalls(part: string): boolean {
  return SERVED.some((pattern) => pattern.test(part));
}
