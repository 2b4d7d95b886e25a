import type { TestInfo } from '@playwright/test';
import type { Secrets } from '../client/http/secrets.ts';
import type { AgentParams, AgentState, ForeignAccountsState } from '../target/states/agent-state.ts';
import { CannotPrepare, type StateProvider, type StateValues } from '../target/providers/state-provider.ts';
import type { KeyPair } from '../client/crypto/index.ts';
import type { Profile } from '../target/profile.ts';
import type { WalletAccountParams } from '../target/states/wallet-account-state.ts';
import { Agent } from './api/agent.ts';
import type { Platform } from './api/platform.ts';
import type { Wallet } from './api/wallet.ts';
import type { Credential, CredentialType } from './api/wallet/credential.ts';
import { PrepareWallets, type SignedIn } from './api/wallet/prepare-wallets.ts';
import type { WalletSession } from './api/wallet/wallet-session.ts';
import type { JournalWriter } from './journal/journal-writer.ts';
import type { Recorder } from './recorder.ts';

/** Prepares what a test needs. What cannot be prepared ends the test as `not verified`, with the reason. */
export class Given {
  readonly #provider: StateProvider;
  readonly #recorder: Recorder;
  readonly #secrets: Secrets;
  readonly #journal: JournalWriter;
  readonly #testInfo: TestInfo;
  readonly #wallets: PrepareWallets;
  readonly #setUp: { state: string; values: StateValues }[] = [];

  constructor(parts: {
    provider: StateProvider;
    recorder: Recorder;
    secrets: Secrets;
    journal: JournalWriter;
    testInfo: TestInfo;
    platform: Platform;
    profile: Profile;
  }) {
    this.#provider = parts.provider;
    this.#recorder = parts.recorder;
    this.#secrets = parts.secrets;
    this.#journal = parts.journal;
    this.#testInfo = parts.testInfo;
    this.#wallets = new PrepareWallets({
      platform: parts.platform,
      profile: parts.profile,
      secrets: parts.secrets,
      state: (state, params, required) => this.state(state, params, required),
      giveUp: (kind, reason) => this.#giveUp(kind, new Error(reason)),
    });
  }

  /** An agent with its policy, its customer, a funded source account and a destination account. */
  async agent(params: AgentParams = {}): Promise<Agent> {
    return new Agent(this.#recorder, await this.state<AgentState>('agent', params, AGENT_VALUES));
  }

  /** An agent whose transfer-out of `state.amount` is approved and then fails to execute. */
  async agentThatCannotExecute(params: AgentParams = {}): Promise<Agent> {
    return new Agent(this.#recorder, await this.state<AgentState>('execution-failure', params, [...AGENT_VALUES, 'amount']));
  }

  /** An agent whose destination lies where a purpose of payment is required. */
  async agentThatMustNamePurpose(params: AgentParams = {}): Promise<Agent> {
    return new Agent(this.#recorder, await this.state<AgentState>('purpose-required', params, AGENT_VALUES));
  }

  /** Accounts of another customer of the same platform. */
  foreignAccounts(): Promise<ForeignAccountsState> {
    return this.state<ForeignAccountsState>('foreign-accounts', {}, ['internalAccountId', 'externalAccountId']);
  }

  /** An embedded wallet account that holds exactly these credentials; none unless given. */
  wallet(params: WalletAccountParams = {}): Promise<Wallet> {
    return this.#wallets.wallet(params);
  }

  /** A wallet with one credential of this type (the target's usual one unless given) and a live session of it. */
  signedIn(through?: CredentialType): Promise<SignedIn> {
    return this.#wallets.signedIn(through);
  }

  /** One more credential on a wallet, as preparation. @param by signs; none for an account without credentials */
  credential(wallet: Wallet, type: CredentialType, by?: KeyPair | WalletSession): Promise<Credential> {
    return this.#wallets.credential(wallet, type, by);
  }

  /** Ends the test as `not verified` where credentials of this type cannot be proved here. */
  mustProve(type: CredentialType): void {
    this.#wallets.mustProve(type);
  }

  /** A live session, as preparation. */
  session(wallet: Wallet, credential: Credential): Promise<WalletSession> {
    return this.#wallets.session(wallet, credential);
  }

  /**
   * Any state of docs/provider-states.md.
   *
   * @param required values without which the state is of no use
   */
  async state<V extends object>(state: string, params: object = {}, required: readonly string[] = []): Promise<V> {
    let values: StateValues;
    try {
      values = await this.#provider.setUp(state, definedOnly(params));
    } catch (error) {
      return this.#giveUp(error instanceof CannotPrepare ? 'unprepared' : 'inconclusive', error);
    }
    this.#secrets.addFrom(values);
    this.#setUp.push({ state, values });
    const missing = required.filter((name) => values[name] === undefined || values[name] === null);
    if (missing.length > 0) return this.#giveUp('inconclusive', new Error(`the state "${state}" came without ${missing.join(', ')}`));
    return values as V;
  }

  /** Removes what was prepared, newest first. Never throws. */
  async tearDown(): Promise<void> {
    for (const { state, values } of this.#setUp.reverse()) await this.#provider.tearDown(state, values).catch(() => undefined);
  }

  #giveUp(kind: 'unprepared' | 'inconclusive', error: unknown): never {
    const reason = this.#secrets.mask((error as Error).message);
    this.#journal[kind](reason);
    this.#testInfo.skip(true, `${kind === 'unprepared' ? 'not verified' : 'inconclusive'}: ${reason}`);
    throw new Error('unreachable: skip ends the test');
  }
}

const AGENT_VALUES = ['agentId', 'accessToken', 'sourceAccountId', 'destinationAccountId'];

function definedOnly(params: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}
