import { basicAuthorization } from '../../client/authorization.ts';
import type { Call } from '../../client/call.ts';
import type { Dialect, DialectAssumption } from '../../target/dialect/keys.ts';
import type { Answer } from '../answers/answer.ts';
import type { Need } from '../need.ts';
import type { CallOptions, Recorder } from '../answers/recorder.ts';

/** What a call needs beside its operation. */
export type CallParts = Partial<Omit<Call, 'operation'>> & CallOptions;

/** The same, or only what the call is for, in plain words. */
export type Told<P = CallParts> = P | string;

/** What a call needs, where it may be told by its label alone. */
export function partsOf<P>(told: Told<P>): P | { readonly label: string } {
  return typeof told === 'string' ? { label: told } : told;
}

/** What who acts in a test is made of. */
export interface ActorParts {
  readonly recorder: Recorder;
  readonly platform: Platform;
  /** Ends the test where a control fails. */
  readonly need: Need;
}

/** The platform: calls with its client id and secret (section Authentication, 1). */
export class Platform {
  readonly #recorder: Recorder;
  readonly authorization: string;

  constructor(recorder: Recorder, clientId: string, clientSecret: string) {
    this.#recorder = recorder;
    recorder.secrets.addPair(clientId, clientSecret);
    this.authorization = basicAuthorization(clientId, clientSecret);
  }

  /** Calls one operation of the contract, as the platform unless `authorization` says otherwise. */
  call<T>(operation: Call['operation'], parts: CallParts = {}): Promise<Answer<T>> {
    const { as, impatient, ...call } = parts;
    return this.#recorder.call<T>(
      { authorization: this.authorization, label: labelOf(operation), ...call, operation },
      { as, impatient },
    );
  }

  /** How the target speaks where the interface is silent. */
  get dialect(): Dialect {
    return this.#recorder.dialect;
  }

  /** A body that a state gave or the interface shows, with what the profile tells of this operation where it says nothing. */
  filled(operation: string, body: object): Readonly<Record<string, unknown>> {
    return { ...this.dialect.bodies[operation], ...body };
  }

  /** How long an effect of a call may take to be seen, in milliseconds. */
  get patienceMs(): number {
    return this.dialect.effectSeconds * 1_000;
  }

  /** Notes that the target has shown that it speaks these keys of the dialect. */
  speaks(keys: readonly DialectAssumption[]): void {
    this.#recorder.speaks(keys);
  }

  /** Blames a rule for the status of an answer, whatever the test was about: `Recorder.blame`. */
  blame(rule: string, answer: Answer, message: string, assumes: readonly DialectAssumption[]): void {
    this.#recorder.blame(rule, answer, message, assumes);
  }

  approve(agentId: string, actionId: string, parts: CallParts = {}): Promise<Answer> {
    return this.call('approveAgentAction', {
      label: 'the platform approves the action',
      path: { agentId, actionId },
      ...this.bodyTold('approveAgentAction'),
      ...parts,
    });
  }

  reject(agentId: string, actionId: string, { body, ...parts }: CallParts = {}): Promise<Answer> {
    return this.call('rejectAgentAction', {
      label: 'the platform rejects the action',
      path: { agentId, actionId },
      ...this.bodyTold('rejectAgentAction', body as object | undefined),
      ...parts,
    });
  }

  /** A body that the interface does not show, as the profile tells it; none where the operation is usually called without. */
  bodyTold(operation: string, usual?: object): Pick<CallParts, 'body'> {
    const told = this.dialect.bodies[operation];
    return usual === undefined && told === undefined ? {} : { body: { ...usual, ...told } };
  }
}

function labelOf(operation: Call['operation']): string {
  return typeof operation === 'string' ? operation : `${operation.method} ${operation.path}`;
}

/** A request of an operation whose path or body the interface does not show, as a state gives it. */
export interface StateRequest {
  readonly method: string;
  /** Below the base address, query included. */
  readonly path: string;
  readonly body?: unknown;
}

/** Sends a request that a state has given, as the platform. */
export function sendRequest(
  platform: Platform,
  { method, path, body }: StateRequest,
  told: Told,
): Promise<Answer> {
  return platform.call({ method, path }, { ...(body === undefined ? {} : { body }), ...partsOf(told) });
}
