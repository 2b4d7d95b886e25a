import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { agentAuthorization, type Authorization } from '../../client/authorization.ts';
import type { AgentState } from '../../target/states/types.ts';
import { type Answer, succeeded } from '../answers/answer.ts';
import type { Recorder } from '../answers/recorder.ts';
import type { Need } from '../need.ts';
import { partsOf, type ActorParts, type CallParts, type Platform, type Told } from './platform.ts';

/** Fields of a TransferOutRequest; `undefined` leaves a field out. */
export type TransferOut = Readonly<Record<string, unknown>>;

/** What a transfer-out needs beside its body. */
type TransferParts = CallParts & { readonly idempotencyKey?: string };

/** An amount, in the smallest unit of the currency, that every prepared agent may send without approval. */
export const ORDINARY_AMOUNT = 1_000;

/** The fields of an AgentAction that specs read. */
export interface AgentAction {
  id: string;
  agentId: string;
  customerId: string;
  platformCustomerId: string;
  status: string;
  type: string;
  transferDetails: {
    amount: number;
    currency: string;
    sourceAccountId: string;
    destinationAccountId: string;
  };
  transaction: { id: string; status: string; type: string };
  createdAt: string;
}

/** An agent that a state has prepared: calls with its own access token. */
export class Agent {
  protected readonly recorder: Recorder;
  readonly platform: Platform;
  readonly need: Need;
  readonly state: AgentState;
  readonly authorization: Authorization;
  /** Bodies of the transfers-out that went out. */
  readonly #sent: TransferOut[] = [];

  constructor({ recorder, platform, need }: ActorParts, state: AgentState) {
    this.recorder = recorder;
    this.platform = platform;
    this.need = need;
    this.state = state;
    recorder.secrets.add(state.accessToken);
    this.authorization = this.authorizationWith(state.accessToken);
  }

  /** What authorizes a call with any access token, sent as the target wants it. */
  authorizationWith(accessToken: string): Authorization {
    return agentAuthorization(accessToken, this.recorder.dialect.agentToken);
  }

  /** A legal TransferOutRequest from the agent's account to its customer's external account, with changes. */
  transferOutBody(changes: TransferOut = {}): TransferOut {
    return {
      source: { accountId: this.state.sourceAccountId },
      destination: { accountId: this.state.destinationAccountId },
      amount: ORDINARY_AMOUNT,
      ...changes,
    };
  }

  /** POST /agents/me/transfer-out */
  transferOut(changes: TransferOut = {}, told: Told<TransferParts> = {}): Promise<Answer<AgentAction>> {
    const { idempotencyKey, ...rest }: TransferParts = partsOf(told);
    const body = this.transferOutBody(changes);
    this.#sent.push(body);
    return this.call<AgentAction>('transferOut', {
      label: 'transfer-out',
      body,
      ...rest,
      headers: {
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...rest.headers,
      },
    });
  }

  /**
   * The same as a control, or as preparation. Ends the test where it is not accepted. One that says the same as another before it
   * has a key, so that nobody takes it for that one, sent twice.
   */
  async needTransfer(changes?: TransferOut, told: Told<TransferParts> = {}): Promise<Answer<AgentAction>> {
    const body = this.transferOutBody(changes);
    const isSaidAgain = this.#sent.some((one) => isDeepStrictEqual(one, body));
    const key = isSaidAgain ? { idempotencyKey: randomUUID() } : {};
    const answer = await this.transferOut(changes, { ...key, ...partsOf(told) });
    this.need(answer).accepted();
    return answer;
  }

  /** The platform approves an action of this agent. */
  approve(actionId: string, told: Told = {}): Promise<Answer> {
    return this.platform.approve(this.state.agentId, actionId, partsOf(told));
  }

  /** The platform rejects an action of this agent. */
  reject(actionId: string, told: Told = {}): Promise<Answer> {
    return this.platform.reject(this.state.agentId, actionId, partsOf(told));
  }

  /**
   * Pulls money in from the customer's external account. The interface shows no body of it, so this is the mirror of a
   * transfer-out, or what the dialect tells: use with `need(…).available()`.
   */
  transferIn(changes: TransferOut = {}, told: Told = {}): Promise<Answer> {
    return this.call('transferIn', {
      label: 'a transfer-in',
      body: {
        source: { accountId: this.state.destinationAccountId },
        destination: { accountId: this.state.sourceAccountId },
        amount: ORDINARY_AMOUNT,
        ...this.recorder.dialect.bodies['transferIn'],
        ...changes,
      },
      ...partsOf(told),
    });
  }

  /** Reads one of the agent's actions back. The path is not shown in the interface: use with `need(…).available()`. */
  readAction(actionId: string, told: Told = {}): Promise<Answer<AgentAction>> {
    return this.call<AgentAction>('getMyAction', {
      label: 'reading the action back',
      path: { actionId },
      ...partsOf(told),
    });
  }

  /** How long an effect of a call may take to be seen, in milliseconds. */
  get patienceMs(): number {
    return this.recorder.dialect.effectSeconds * 1_000;
  }

  async call<T>(operation: string, told: Told = {}): Promise<Answer<T>> {
    const parts: CallParts = partsOf(told);
    const { as, impatient, ...call } = parts;
    const answer = await this.recorder.call<T>(
      { authorization: this.authorization, label: operation, ...call, operation },
      { as, impatient },
    );
    if (!('authorization' in parts) && succeeded(answer)) this.recorder.speaks(['agentToken']);
    return answer;
  }
}
