import type { TestInfo } from '@playwright/test';
import { basicAuthorization } from '../client/authorization.ts';
import type {
  AgentParams,
  AgentQuoteValues,
  AgentState,
  CustomerParams,
  CustomerState,
  ForeignAccountsState,
  PlatformConfigState,
  QuoteSourceParams,
  ScaCustomerParams,
  ScaCustomerState,
} from '../target/states/types.ts';
import {
  CannotPrepare,
  type PreparationFailed,
  type StateProvider,
  type StateValues,
} from '../target/providers/state-provider.ts';
import { isPromised, isShared, preparedBy } from '../target/providers/ladder.ts';
import type { Profile } from '../target/profile.ts';
import { Agent } from './api/agent.ts';
import { QuotingAgent } from './api/quotes/quoting-agent.ts';
import { QuoteCustomer } from './api/quotes/quote-customer.ts';
import { ScaCustomer } from './api/quotes/sca-customer.ts';
import { Platform, type ActorParts } from './api/platform.ts';
import type { Clock } from './clock.ts';
import { GivenWallets } from './given-wallets.ts';
import type { JournalWriter, GiveUpKind } from '../journal/journal-writer.ts';
import { keepsToItsOwn } from './run/keeps-to-its-own.ts';
import { makeNeed, type GiveUp } from './need.ts';
import type { Recorder } from './answers/recorder.ts';

interface GivenParts {
  readonly provider: StateProvider;
  readonly recorder: Recorder;
  readonly journal: JournalWriter;
  readonly testInfo: TestInfo;
  readonly platform: Platform;
  readonly profile: Profile;
  readonly clock: Clock;
  readonly giveUp: GiveUp;
  /** Goes on while the next test runs; the worker ends after it. */
  readonly later: (work: Promise<void>) => void;
}

interface Prepared {
  readonly state: string;
  readonly values: StateValues;
}

/** Prepares what a test needs. What cannot be prepared ends the test as `not verified`, with the reason. */
export class Given extends GivenWallets {
  readonly #given: GivenParts;
  readonly #parts: ActorParts;
  readonly #setUp: Prepared[] = [];
  #unshared: string | undefined;

  constructor(given: GivenParts) {
    const { recorder, platform, profile, clock, journal, giveUp } = given;
    const need = makeNeed(journal, giveUp);
    super({ platform, profile, secrets: recorder.secrets, clock, need });
    this.#given = given;
    this.#parts = { recorder, platform, need };
  }

  /** What authorizes another platform, which owns nothing. */
  async otherPlatform(): Promise<string> {
    const { clientId, clientSecret } = await this.state<{ clientId: string; clientSecret: string }>(
      'other-platform',
      {},
      ['clientId', 'clientSecret'],
    );
    return basicAuthorization(clientId, clientSecret);
  }

  /** An agent with its policy, its customer, a funded source account and a destination account. */
  async agent(params: AgentParams = {}): Promise<Agent> {
    return new Agent(this.#parts, await this.state<AgentState>('agent', params, AGENT_VALUES));
  }

  /** An agent whose transfer-out of `state.amount` is approved and then fails to execute. */
  async agentThatCannotExecute(params: AgentParams = {}): Promise<Agent> {
    return new Agent(
      this.#parts,
      await this.state<AgentState>('execution-failure', params, [...AGENT_VALUES, 'amount']),
    );
  }

  /** An agent whose destination lies where a purpose of payment is required. */
  async agentThatMustNamePurpose(params: AgentParams = {}): Promise<Agent> {
    return new Agent(this.#parts, await this.state<AgentState>('purpose-required', params, AGENT_VALUES));
  }

  /** Accounts of another customer of the same platform. */
  foreignAccounts(): Promise<ForeignAccountsState> {
    return this.state<ForeignAccountsState>('foreign-accounts', {}, [
      'internalAccountId',
      'externalAccountId',
    ]);
  }

  /** A customer outside SCA regions, with a quote that may be asked for. */
  async customer(params: CustomerParams = {}): Promise<QuoteCustomer> {
    return this.#quotes(await this.state<CustomerState>('customer', params, CUSTOMER_VALUES));
  }

  /** The same, with a source, a destination and fees of choice. */
  async quoteSource(params: QuoteSourceParams = {}): Promise<QuoteCustomer> {
    return this.#quotes(await this.state<CustomerState>('quote-source', params, CUSTOMER_VALUES));
  }

  /** A customer of a platform with fees of its own, and a `platformFeeOverride` that differs from them. */
  async configuredPlatform(
    params: { readonly platformFee?: number } = {},
  ): Promise<QuoteCustomer<PlatformConfigState>> {
    return this.#quotes(
      await this.state<PlatformConfigState>('platform-config', params, [...CUSTOMER_VALUES, 'feeOverride']),
    );
  }

  /** A customer in a region with strong customer authentication. */
  async scaCustomer(params: ScaCustomerParams = {}): Promise<ScaCustomer> {
    const state = await this.state<ScaCustomerState>('sca-customer', params, CUSTOMER_VALUES);
    return new ScaCustomer(this.#parts, state);
  }

  /** An agent that may create and execute quotes, with the body of one. */
  async agentWithQuotes(params: AgentParams = {}): Promise<QuotingAgent> {
    return new QuotingAgent(
      this.#parts,
      await this.state<AgentState & AgentQuoteValues>('agent-quote', params, [...AGENT_VALUES, 'body']),
    );
  }

  /** The platform that a state's records belong to: one of its own where the values hold credentials. */
  platformOf(values: { readonly clientId?: string; readonly clientSecret?: string }): Platform {
    const { clientId, clientSecret } = values;
    if (clientId === undefined || clientSecret === undefined) return this.#parts.platform;
    return new Platform(this.#parts.recorder, clientId, clientSecret);
  }

  /** A platform of its own, as changes to its configuration must not reach other tests. */
  ownPlatform(values: { readonly clientId?: string; readonly clientSecret?: string }): Platform {
    if (values.clientId === undefined || values.clientSecret === undefined)
      return this.endTest(
        'unprepared',
        'the state gives no platform of its own, and the shared one is left as it is',
      );
    return this.platformOf(values);
  }

  /**
   * From here on the test needs records that are its own: rows of a fixtures file end it as `not verified`.
   *
   * @param reason what sharing them would spoil
   */
  unshared(reason: string): void {
    this.#unshared = reason;
  }

  #quotes<S extends CustomerState>(state: S): QuoteCustomer<S> {
    return new QuoteCustomer(this.#parts, state);
  }

  /**
   * Any state of docs/provider-states.md.
   *
   * @param required values without which the state is of no use
   */
  async state<V extends object>(
    state: string,
    params: object = {},
    required: readonly string[] = [],
  ): Promise<V> {
    const values = await this.#prepare<V>(state, params, required);
    if (!(values instanceof CannotPrepare)) return values;
    return this.#giveUp('unprepared', values, this.#order(values.mend ?? `serve the state \`${state}\``));
  }

  async tryState<V extends object>(
    state: string,
    params: object,
    required: readonly string[],
  ): Promise<V | undefined> {
    const values = await this.#prepare<V>(state, params, required);
    return values instanceof CannotPrepare ? undefined : values;
  }

  async #prepare<V extends object>(
    state: string,
    params: object,
    required: readonly string[],
  ): Promise<V | CannotPrepare> {
    await this.#given.clock.needMovable();
    let values: StateValues;
    try {
      values = await this.#given.provider.setUp(state, definedOnly(params));
    } catch (error) {
      return error instanceof CannotPrepare
        ? error
        : this.#giveUp(
            'inconclusive',
            error,
            this.#order(
              (error as PreparationFailed).mend ??
                `serve the state \`${state}\`, or mend the call that the reason names`,
            ),
          );
    }
    this.#parts.recorder.secrets.addFromState(values);
    this.#setUp.push({ state, values });
    if (this.#unshared !== undefined && isShared(values))
      return this.#giveUp(
        'unprepared',
        new Error(this.#unshared),
        this.#order(`serve the state \`${state}\``),
      );
    const missing = required.filter((name) => values[name] === undefined || values[name] === null);
    const wrong = required.filter((name) => !missing.includes(name) && !isOfItsKind(name, values[name]));
    const lacks = [
      ...(missing.length > 0 ? [`without ${missing.join(', ')}`] : []),
      ...(wrong.length > 0 ? [`with a value that is no text for ${wrong.join(', ')}`] : []),
    ];
    if (lacks.length === 0) return values as V;
    if (missing.length > 0 && !isPromised(values))
      return new CannotPrepare(
        `public calls give the state "${state}" without ${missing.join(', ')}: serve it at PROVIDER_STATES_URL`,
      );
    return this.#giveUp(
      'inconclusive',
      new Error(`the state "${state}" came ${lacks.join(' and ')}`),
      this.#order(`serve the state \`${state}\` with all its values`),
    );
  }

  /** Removes what was prepared, newest first, and hands on what nobody has touched. Never throws. */
  async tearDown(): Promise<void> {
    const { provider, later, testInfo, journal } = this.#given;
    const isWell = testInfo.status === 'passed' && testInfo.expectedStatus === 'passed' && !journal.isOpen;
    const states = this.#setUp.map(({ values }) => values);
    const handsOn = isWell && keepsToItsOwn(this.#parts.recorder.exchanges(), states);
    const newestFirst = this.#setUp.reverse();
    const remove = ({ state, values }: Prepared) => provider.tearDown(state, values).catch(() => undefined);
    const byStates = newestFirst.filter(({ values }) => preparedBy(values) === 'provider-states');
    // The next test stands on none of it, so it need not wait.
    later(inTurn(byStates, remove));
    await inTurn(
      newestFirst.filter((one) => !byStates.includes(one)),
      async (one) => {
        await remove(one);
        if (handsOn) provider.handOn?.(one.values);
      },
    );
  }

  protected endTest(kind: GiveUpKind, reason: string): never {
    return this.#giveUp(kind, new Error(reason));
  }

  #giveUp(kind: GiveUpKind, error: unknown, mend?: string): never {
    return this.#given.giveUp(kind, (error as Error).message, mend);
  }

  /** What would mend it; after trouble another run may do. */
  #order(order: string): string | undefined {
    return this.#given.journal.trouble === undefined ? order : undefined;
  }
}

async function inTurn<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (const one of all) await work(one);
}

const CUSTOMER_VALUES = ['customerId', 'body'];
const AGENT_VALUES = ['agentId', 'accessToken', 'sourceAccountId', 'destinationAccountId'];

/** Ids and tokens are texts: one of another type would be sent, and its refusal would accuse the target. */
function isOfItsKind(name: string, value: unknown): boolean {
  return !/(?:Id|Token)$/.test(name) || (typeof value === 'string' && value !== '');
}

function definedOnly(params: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}
