import { setTimeout as pause } from 'node:timers/promises';
import { MissingPathValue, toRequest, type Call } from '../client/call.ts';
import type { Exchange, SentRequest } from '../client/http/exchange.ts';
import type { HttpClient } from '../client/http/http-client.ts';
import type { Secrets } from '../client/http/secrets.ts';
import type { Contract, Operation } from '../schemas/contract.ts';
import type { Validator } from '../schemas/validator.ts';
import { Answer } from './answer.ts';
import type { JournalWriter } from './journal/journal-writer.ts';
import { judge } from './judge.ts';
import { REMOVED_REASONS_RULE, removedReasonsIn } from './removed-reasons.ts';

/** Bodies beyond this length are cut in the record; the checks see them whole. */
const RECORDED_CHARACTERS = 20_000;

export interface CallOptions {
  /** Component that the answer must be, where one operation has several kinds of answer. */
  readonly as?: string | undefined;
  /** The call is about a limit on requests: its 429 is the answer, not an obstacle to wait out. */
  readonly impatient?: boolean | undefined;
}

/** A 429 was not processed, so the same request may be sent again once its time is over. */
const TRIES = 4;
/** Longer than a rate limit that a test can wait out, in seconds. */
const LONGEST_PATIENCE_SECONDS = 35;

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
    const operation =
      typeof call.operation === 'string' ? this.contract.operations.get(call.operation) : undefined;
    if (typeof call.operation === 'string' && !operation)
      throw new Error(`openapi.yaml has no operation ${call.operation}`);
    // A device code is as good as the token that it buys.
    this.secrets.add(call.path?.['code']);
    const exchange = await this.#sendPatiently(operation, call, options);
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

  /**
   * Records what the target has sent by itself, as evidence.
   *
   * @param status what the target was told
   * @returns the delivery: its `body` is the body that the target sent
   */
  arrived<T>(label: string, request: SentRequest, status: number): Answer<T> {
    const text = request.body ?? '';
    const exchange: Exchange = {
      at: Date.now(),
      milliseconds: 0,
      request,
      response: { status, headers: {}, text },
    };
    const parsed = parsedOrNothing(text);
    const id = `${this.#testId}.${(this.#count += 1)}`;
    const removed = removedReasonsIn(parsed);
    this.#journal.see(new Set(removed.seen ? [REMOVED_REASONS_RULE] : []));
    for (const { pointer, message } of removed.breaches)
      this.#journal.find({
        rule: REMOVED_REASONS_RULE,
        place: pointer,
        message: this.secrets.mask(message),
        exchanges: [id],
      });
    this.#record(id, label, undefined, { ...exchange, response: { status, headers: {}, text: '' } });
    return new Answer<T>(id, label, exchange, parsed, []);
  }

  /** Waits where a rate limit says how long. What a limit of the interface's own refuses is not asked again. */
  async #sendPatiently(
    operation: Operation | undefined,
    call: Call,
    { impatient }: CallOptions,
  ): Promise<Exchange> {
    let patience = impatient ? 0 : LONGEST_PATIENCE_SECONDS;
    for (let tries = 1; ; tries += 1) {
      const exchange = await this.#send(operation, call);
      const wait =
        exchange.response?.status === 429
          ? Number(exchange.response.headers['retry-after'] || Number.NaN)
          : Number.NaN;
      if (
        !(wait <= patience) ||
        tries === TRIES ||
        exchange.response?.text.includes('DAILY_VOLUME_LIMIT_EXCEEDED')
      )
        return exchange;
      this.#record(
        `${this.#testId}.${(this.#count += 1)}`,
        `${call.label} (sent again after ${wait} s)`,
        operation?.id,
        exchange,
      );
      patience -= wait;
      await pause(wait * 1_000);
    }
  }

  /** An id that a broken answer did not carry leaves the call unsent: the answer's shape is blamed already. */
  async #send(operation: Operation | undefined, call: Call): Promise<Exchange> {
    try {
      return await this.#http.send(toRequest(this.#baseUrl, operation, call));
    } catch (error) {
      if (!(error instanceof MissingPathValue)) throw error;
      const { method, path } = operation ?? (call.operation as { method: string; path: string });
      return {
        at: Date.now(),
        milliseconds: 0,
        request: { method, url: `${this.#baseUrl}${path}`, headers: {} },
        failure: error.message,
      };
    }
  }

  #record(id: string, label: string, operation: string | undefined, exchange: Exchange): void {
    const { request, response, failure } = exchange;
    // Masked before it is cut: half a secret is not recognised any more.
    const clip = (text: string) => {
      const masked = this.secrets.mask(text);
      return masked.length > RECORDED_CHARACTERS
        ? `${masked.slice(0, RECORDED_CHARACTERS)}… (${text.length} characters)`
        : masked;
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
        ? {
            response: {
              status: response.status,
              headers: this.secrets.maskHeaders(response.headers),
              body: clip(response.text),
            },
          }
        : {}),
      ...(failure === undefined ? {} : { failure }),
    });
  }
}

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
