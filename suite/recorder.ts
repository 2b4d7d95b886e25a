import { MissingPathValue, toRequest, type Call } from '../client/call.ts';
import type { Exchange } from '../client/http/exchange.ts';
import type { HttpClient } from '../client/http/http-client.ts';
import type { Secrets } from '../client/http/secrets.ts';
import type { Contract, Operation } from '../schemas/contract.ts';
import type { Validator } from '../schemas/validator.ts';
import { Answer } from './answer.ts';
import type { JournalWriter } from './journal/journal-writer.ts';
import { judge } from './judge.ts';

/** Bodies beyond this length are cut in the record; the checks see them whole. */
const RECORDED_CHARACTERS = 20_000;

export interface CallOptions {
  /** Component that the answer must be, where one operation has several kinds of answer. */
  readonly as?: string;
}

/**
 * Sends calls, records every exchange with its secrets masked, and holds every answer against the contract.
 */
export class Recorder {
  readonly contract: Contract;
  readonly secrets: Secrets;
  readonly #baseUrl: string;
  readonly #http: HttpClient;
  readonly #validator: Validator;
  readonly #journal: JournalWriter;
  readonly #testId: string;
  #count = 0;

  constructor(parts: {
    contract: Contract;
    validator: Validator;
    http: HttpClient;
    secrets: Secrets;
    journal: JournalWriter;
    baseUrl: string;
    testId: string;
  }) {
    this.contract = parts.contract;
    this.secrets = parts.secrets;
    this.#baseUrl = parts.baseUrl;
    this.#http = parts.http;
    this.#validator = parts.validator;
    this.#journal = parts.journal;
    this.#testId = parts.testId;
  }

  /** Sends one call. Never throws for what a target does. */
  async call<T>(call: Call, options: CallOptions = {}): Promise<Answer<T>> {
    const operation = typeof call.operation === 'string' ? this.contract.operations.get(call.operation) : undefined;
    if (typeof call.operation === 'string' && !operation) throw new Error(`openapi.yaml has no operation ${call.operation}`);
    // A device code is as good as the token that it buys.
    this.secrets.add(call.path?.['code']);
    const exchange = await this.#send(operation, call);
    const shape = judge(this.contract, this.#validator, operation, exchange, options.as);
    const id = `${this.#testId}.${(this.#count += 1)}`;
    this.#journal.see(shape.seen);
    for (const breach of shape.breaches)
      this.#journal.find({
        rule: breach.rule,
        place: breach.pointer.replace(/\/\d+(?=\/|$)/g, '/*'),
        message: this.secrets.mask(breach.message),
        exchanges: [id],
      });
    this.#record(id, call.label, operation?.id, exchange);
    return new Answer<T>(id, call.label, exchange, shape.body, shape.breaches);
  }

  /** An id that a broken answer did not carry leaves the call unsent: the answer's shape is blamed already. */
  async #send(operation: Operation | undefined, call: Call): Promise<Exchange> {
    try {
      return await this.#http.send(toRequest(this.#baseUrl, operation, call));
    } catch (error) {
      if (!(error instanceof MissingPathValue)) throw error;
      const { method, path } = operation ?? (call.operation as { method: string; path: string });
      return { at: Date.now(), milliseconds: 0, request: { method, url: `${this.#baseUrl}${path}`, headers: {} }, failure: error.message };
    }
  }

  #record(id: string, label: string, operation: string | undefined, exchange: Exchange): void {
    const { request, response, failure } = exchange;
    // Masked before it is cut: half a secret is not recognised any more.
    const clip = (text: string) => {
      const masked = this.secrets.mask(text);
      return masked.length > RECORDED_CHARACTERS ? `${masked.slice(0, RECORDED_CHARACTERS)}… (${text.length} characters)` : masked;
    };
    this.#journal.add({
      id,
      label,
      ...(operation === undefined ? {} : { operation }),
      at: new Date(exchange.at).toISOString(),
      milliseconds: Math.round(exchange.milliseconds * 100) / 100,
      request: {
        method: request.method,
        url: this.secrets.mask(request.url),
        headers: this.secrets.maskHeaders(request.headers),
        ...(request.body === undefined ? {} : { body: clip(request.body) }),
      },
      ...(response
        ? { response: { status: response.status, headers: this.secrets.maskHeaders(response.headers), body: clip(response.text) } }
        : {}),
      ...(failure === undefined ? {} : { failure }),
    });
  }
}
