import { createHash } from 'node:crypto';
import { type KeyPair, stamp } from '../../client/crypto/index.ts';
import { startSandbox, type Sandbox } from '../../sandbox/start.ts';
import { loadContract, type Contract } from '../../schemas/contract.ts';
import { DIALECT } from '../../target/dialect/keys.ts';
import { recordAgents } from './agents.ts';
import { recordEvents, recordPlatforms, recordQuotes } from './platforms.ts';
import { recordWallets } from './wallets.ts';

/**
 * Walks every operation of the contract on a sandbox of its own. Every example is a real request, and what the sandbox answered to
 * it; sealed and signed texts differ each time.
 *
 * @throws Error when the sandbox refuses a call
 */
export async function recordExamples(): Promise<Readonly<Record<string, OperationExamples>>> {
  const began = Date.now();
  const sandbox = await startSandbox();
  try {
    const recorder = new Recorder(sandbox, await loadContract('Service'));
    await recordAgents(recorder);
    await recordWallets(recorder);
    await recordQuotes(recorder);
    await recordPlatforms(recorder);
    await recordEvents(recorder);
    return settled(recorder.examples, began);
  } finally {
    await sandbox.close();
  }
}

/** The moment at which every recording begins, so that two recordings differ as little as they can. */
const BEGINNING = Date.parse('2025-10-13T09:30:00Z');
/** Differences below it are how long the recording took, and tell nothing. Milliseconds. */
const GRAIN = 10_000;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/**
 * The value with ids and times that do not change from one recording to the next: ids by the order in which they occur,
 * times by how far they are from its beginning.
 *
 * @param began milliseconds since the epoch
 */
export function settled<T>(value: T, began: number): T {
  const ids = new Map<string, string>();
  const idFor = (id: string) => {
    if (!ids.has(id)) ids.set(id, uuidOf(ids.size));
    return ids.get(id)!;
  };
  const timeFor = (time: string) => {
    const after = Math.round((Date.parse(time) - began) / GRAIN) * GRAIN;
    return new Date(BEGINNING + after).toISOString();
  };
  return inTexts(value, (text) => text.replace(UUID, idFor).replace(TIME, timeFor)) as T;
}

function uuidOf(index: number): string {
  const hex = createHash('sha256').update(`example ${index}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

function inTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => inTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inTexts(inner, change)]));
}

/** An Example Object of OpenAPI. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** The examples of one operation; those of answers by HTTP status, then by name. */
interface OperationExamples {
  readonly requests: Record<string, Example>;
  readonly answers: Record<string, Record<string, Example>>;
}

/** Values of a path and of a query, by their names. */
export type Given = Readonly<Record<string, string>>;

/** Who calls, and with what headers; the platform of the sandbox where nothing is said. */
export interface As {
  /** Access token of an agent. */
  readonly agent?: string;
  /** Client id and secret of a platform of its own. */
  readonly platform?: { readonly clientId: string; readonly clientSecret: string };
  readonly headers?: Readonly<Record<string, string>>;
}

/** What an answer or a state holds. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Values = Record<string, any>;

/** Calls operations of a sandbox by their id, and keeps what was sent and answered as examples. */
export class Recorder {
  readonly examples: Record<string, OperationExamples> = {};
  readonly #sandbox: Sandbox;
  readonly #contract: Contract;

  constructor(sandbox: Sandbox, contract: Contract) {
    this.#sandbox = sandbox;
    this.#contract = contract;
  }

  /** @throws Error when the state cannot be prepared */
  async state(state: string, params: object = {}): Promise<Values> {
    const response = await fetch(this.#sandbox.statesUrl(), {
      method: 'POST',
      body: JSON.stringify({ state, params, action: 'setup' }),
    });
    return valuesOf(`state ${state}`, response);
  }

  /**
   * @param example name and one line on what it shows, as `name: Line.`; where it is empty nothing is kept
   * @throws Error when the sandbox refuses
   */
  async call(
    operation: string,
    example: string,
    given: Given = {},
    body?: unknown,
    as: As = {},
  ): Promise<Values> {
    const { response, values } = await this.#send(operation, given, body, as);
    this.#keep(operation, response.status, example, body, values);
    return values;
  }

  /** A signed retry: the 202 is kept as `toSign`, the terminal answer as the example. */
  async signed(
    operation: string,
    example: string,
    given: Given,
    key: KeyPair,
    body?: unknown,
  ): Promise<Values> {
    const first = await this.#send(operation, given, body, {});
    this.#keep(operation, first.response.status, 'toSign: To be signed.', undefined, first.values);
    const { payloadToSign, requestId } = first.values as { payloadToSign: string; requestId: string };
    const headers = {
      'Service-Wallet-Signature': stamp(payloadToSign, key, DIALECT.stamp.default),
      'Request-Id': requestId,
    };
    return this.call(operation, example, given, body, { headers });
  }

  /** A request that the service sends, not the caller. */
  keepRequest(operation: string, name: string, summary: string, value: unknown): void {
    (this.examples[operation] ??= { requests: {}, answers: {} }).requests[name] = { summary, value };
  }

  async #send(
    id: string,
    given: Given,
    body: unknown,
    { agent, platform = this.#sandbox, headers }: As,
  ): Promise<{ response: Response; values: Values }> {
    const operation = this.#contract.operations.get(id);
    if (!operation) throw new Error(`openapi.yaml has no operation ${id}`);
    const query = new URLSearchParams(given);
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      query.delete(name);
      return encodeURIComponent(given[name]!);
    });
    const basic = `Basic ${btoa(`${platform.clientId}:${platform.clientSecret}`)}`;
    const response = await fetch(
      `${this.#sandbox.url}${path}${query.size > 0 ? `?${query.toString()}` : ''}`,
      {
        method: operation.method,
        headers: {
          authorization: agent === undefined ? basic : `Bearer ${agent}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
    );
    return { response, values: await valuesOf(id, response) };
  }

  #keep(operation: string, status: number, example: string, body: unknown, answer: Values): void {
    const [, name, summary = ''] = /^(\w+)(?:: (.*))?$/.exec(example) ?? [];
    if (name === undefined) return;
    const { requests, answers } = (this.examples[operation] ??= { requests: {}, answers: {} });
    if (body !== undefined) requests[name] = { summary, value: body };
    if (status !== 204) (answers[status] ??= {})[name] = { summary, value: answer };
  }
}

async function valuesOf(what: string, response: Response): Promise<Values> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${what}: the sandbox answered ${response.status} ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Values);
}
