import type { KeyPair } from '../../client/crypto/index.ts';
import { stamp } from '../../client/crypto/index.ts';
import type { Contract } from '../../schemas/contract.ts';
import type { Sandbox } from '../../sandbox/start.ts';
import { DIALECT } from '../../target/dialect/keys.ts';

/** An Example Object of OpenAPI. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** The examples of one operation; those of answers by HTTP status, then by name. */
export interface OperationExamples {
  readonly requests: Record<string, Example>;
  readonly answers: Record<string, Record<string, Example>>;
}

/** What one call sends. Without a name it is made for its effect, and nothing of it is kept. */
export interface Parts {
  readonly name?: string;
  /** What the example shows, in one line. */
  readonly summary?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Access token of the agent that calls; the platform calls where there is none. */
  readonly agent?: string;
  /** Client id and secret of a platform of its own. */
  readonly platform?: { readonly clientId: string; readonly clientSecret: string };
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

  /** @throws Error when the sandbox refuses */
  async call(operation: string, parts: Parts = {}): Promise<Values> {
    const { response, values } = await this.#send(operation, parts);
    this.#keep(operation, response.status, parts, values);
    return values;
  }

  /** A signed retry: the 202 is kept as `toSign`, the terminal answer under the name of the parts. */
  async signed(operation: string, parts: Parts, key: KeyPair): Promise<Values> {
    const first = await this.#send(operation, parts);
    if (parts.name !== undefined)
      this.#keep(
        operation,
        first.response.status,
        { name: 'toSign', summary: 'To be signed.' },
        first.values,
      );
    const { payloadToSign, requestId } = first.values as { payloadToSign: string; requestId: string };
    return this.call(operation, {
      ...parts,
      headers: {
        ...parts.headers,
        'Service-Wallet-Signature': stamp(payloadToSign, key, DIALECT.stamp.default),
        'Request-Id': requestId,
      },
    });
  }

  /** A request that the service sends, not the caller. */
  keepRequest(operation: string, name: string, summary: string, value: unknown): void {
    (this.examples[operation] ??= { requests: {}, answers: {} }).requests[name] = { summary, value };
  }

  async #send(id: string, parts: Parts): Promise<{ response: Response; values: Values }> {
    const operation = this.#contract.operations.get(id);
    if (!operation) throw new Error(`openapi.yaml has no operation ${id}`);
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(parts.path![name]!),
    );
    const query = parts.query ? `?${new URLSearchParams(parts.query).toString()}` : '';
    const { clientId, clientSecret } = parts.platform ?? this.#sandbox;
    const response = await fetch(this.#sandbox.url + path + query, {
      method: operation.method,
      headers: {
        authorization:
          parts.agent === undefined
            ? `Basic ${btoa(`${clientId}:${clientSecret}`)}`
            : `Bearer ${parts.agent}`,
        ...(parts.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...parts.headers,
      },
      ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
    });
    return { response, values: await valuesOf(id, response) };
  }

  #keep(operation: string, status: number, { name, summary = '', body }: Parts, answer: Values): void {
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
