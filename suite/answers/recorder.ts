import { setTimeout as pause } from 'node:timers/promises';
import { MissingPathValue, toRequest, type Call } from '../../client/call.ts';
import type { Exchange, HttpClient, SentRequest } from '../../client/http/http-client.ts';
import { isWalletSigned } from '../../client/signed-retry.ts';
import type { Secrets } from '../../client/secrets/secrets.ts';
import type { Contract, Operation } from '../../schemas/contract.ts';
import type { Validator } from '../../schemas/validator.ts';
import { type Dialect, type DialectAssumption, GUESSED_READS } from '../../target/dialect/keys.ts';
import { Answer } from './answer.ts';
import { variantSent } from './body-form.ts';
import { calledFrom } from './called-from.ts';
import type { StateParams, StateValues } from '../../target/providers/state-provider.ts';
import type { JournalWriter } from '../../journal/journal-writer.ts';
import type { GoneAway, RecordedExchange } from '../../journal/types.ts';
import { judge, mayBeAbsent } from './judge-answer.ts';
import { ExchangeLog } from './exchange-log.ts';
import { LEFT_FILE_ENV, LeftBehind } from '../run/left-behind.ts';
import { Patience } from './patience.ts';
import { amountBeyond } from '../../target/safety.ts';
import type { Profile } from '../../target/profile.ts';
import { REMOVED_REASONS_RULE, removedReasonsIn } from './removed-reasons.ts';
import type { TargetWatch } from '../watch/target-watch.ts';
import { parsedOrNothing } from '../../schemas/json.ts';
import { findingOfControl } from '../../doubt/answer.ts';

export interface CallOptions {
  /** Component that the answer must be, where one operation has several kinds of answer. */
  readonly as?: string | undefined;
  /** The call is about a limit on requests: its 429 is the answer, not an obstacle to wait out. */
  readonly impatient?: boolean | undefined;
}

/** An answer that takes longer gives the test its time back, in milliseconds … */
const SLOW_MS = 1_000;
/** The operation that the interface limits by itself (section Limits). */
const LIMITED = 'challengeCredential';
/** … up to so much in all. */
const LONGEST_WAIT_IN_ALL_MS = 120_000;

/**
 * Sends calls, records every exchange with its secrets masked, and holds every answer against the contract.
 */
export class Recorder {
  readonly contract: Contract;
  readonly secrets: Secrets;
  /** How the target speaks where the interface is silent. */
  readonly dialect: Dialect;
  /** Records that this test has made on the target and not removed. */
  readonly left = new LeftBehind(process.env[LEFT_FILE_ENV]);
  /** Why an operation must not be called in this test; set by whoever prepares it. */
  forbids: (operation: string) => string | undefined = () => undefined;
  readonly #log: ExchangeLog;
  readonly #baseUrl: string;
  readonly #http: HttpClient;
  readonly #validator: Validator;
  readonly #journal: JournalWriter;
  readonly #watch: TargetWatch;
  readonly #patience: Patience;
  readonly #prefix: string;
  readonly #stop: (reason: string) => never;
  /** Rules that a control has blamed. */
  readonly #faults = new Set<string>();
  readonly #leave: (reason: string) => never;
  readonly #extend: (ms: number) => void;
  readonly #largestAmount: number | undefined;
  #states = 0;
  #waitedMs = 0;

  constructor(parts: {
    contract: Contract;
    validator: Validator;
    http: HttpClient;
    secrets: Secrets;
    dialect: Dialect;
    journal: JournalWriter;
    baseUrl: string;
    watch: TargetWatch;
    /** The platform's credentials as they travel, to tell them from others. */
    platform: string;
    /** What the target's profile says of bounds. */
    profile: Pick<Profile, 'caps' | 'rateLimit'>;
    /** Start of the ids of this test's exchanges: unique within the run. */
    prefix: string;
    /** Ends the test as not verified. */
    leave: (reason: string) => never;
    /** Ends the test as inconclusive. */
    stop: (reason: string) => never;
    /** Gives the test more time, in milliseconds: waiting for the target is no part of its own. */
    extend: (ms: number) => void;
  }) {
    this.contract = parts.contract;
    this.secrets = parts.secrets;
    this.dialect = parts.dialect;
    this.#baseUrl = parts.baseUrl;
    this.#http = parts.http;
    this.#validator = parts.validator;
    this.#journal = parts.journal;
    this.#watch = parts.watch;
    this.#patience = new Patience(parts.watch, parts.profile.rateLimit);
    this.#largestAmount = parts.profile.caps.amount;
    this.#prefix = parts.prefix;
    this.#log = new ExchangeLog(parts.prefix, parts.secrets);
    this.#log.origins.namePlatform(parts.platform);
    this.#stop = parts.stop;
    this.#leave = parts.leave;
    this.#extend = parts.extend;
  }

  /** How long this test has waited for the target, in milliseconds. */
  get waitedMs(): number {
    return this.#waitedMs;
  }

  /** Everything that was recorded, masked with all secrets that are known by now. */
  exchanges(): readonly RecordedExchange[] {
    return this.#log.exchanges();
  }

  /** A read that the interface names nowhere, at its place in this target. */
  #placed(call: Call): Call {
    const usual = typeof call.operation === 'string' ? GUESSED_READS[call.operation] : undefined;
    if (usual === undefined) return call;
    const path = this.dialect.paths[call.operation as string] ?? usual;
    return { ...call, operation: { method: 'GET', path } };
  }

  /** Sends one call. Never throws for what a target does, but ends the test where the target has gone for good. */
  async call<T>(asked: Call, options: CallOptions = {}): Promise<Answer<T>> {
    const line = calledFrom();
    const call = this.#placed(asked);
    const operation =
      typeof call.operation === 'string' ? this.contract.operations.get(call.operation) : undefined;
    if (typeof call.operation === 'string' && !operation)
      throw new Error(`openapi.yaml has no operation ${call.operation}`);
    const forbidden = operation && this.forbids(operation.id);
    if (forbidden !== undefined) this.#leave(forbidden);
    const beyond = amountBeyond(call.raw ?? call.body, this.#largestAmount);
    if (beyond !== undefined)
      this.#leave(
        `"${call.label}" was not sent: its amount ${beyond} is above the largest that this run may send, ${this.#largestAmount} (MAX_AMOUNT, or caps.amount in the profile)`,
      );
    // A device code is as good as the token that it buys.
    this.secrets.add(call.path?.['code']);
    const exchange = await this.#sendPatiently(operation, call, options);
    this.#learnSecrets(exchange);
    const shape = judge(
      { contract: this.contract, validator: this.#validator },
      operation,
      exchange,
      options.as,
    );
    const id = this.#log.add(call.label, operation?.id, exchange);
    const { impatient } = options;
    const isLimited = operation?.id === LIMITED;
    const context = {
      operation,
      impatient,
      isLimited,
      ambiguous: shape.ambiguous,
      stop: this.#stop,
      onFault: (answer: Answer) => this.#findFault(answer),
    };
    const answer = new Answer<T>(id, call.label, exchange, shape.body, shape.breaches, context);
    this.#noteTrouble(answer, operation);
    if (operation && wasTaken(operation, exchange))
      this.speaks([`paths.${operation.id}`, `bodies.${operation.id}`, variantSent(operation.id, exchange)]);
    this.#journal.see(shape.seen);
    const trouble =
      answer.trouble && this.secrets.mask(`"${call.label}" was answered ${answer.trouble.what}`);
    for (const breach of shape.breaches)
      this.#journal.find({
        rule: breach.rule,
        place: breach.pointer.replace(/\/\d+(?=\/|$)/g, '/*'),
        message: this.secrets.mask(breach.message),
        exchanges: [id],
        ...(trouble === undefined ? {} : { trouble }),
        looked: [{ exchange: id, pointers: [this.secrets.mask(breach.pointer)] }],
        ...optionally('line', line()),
      });
    return answer;
  }

  /** Blames what a control shows that met a fault of the service, once a rule. */
  #findFault(answer: Answer): void {
    const finding = findingOfControl(answer);
    if (!finding || this.#faults.has(finding.rule)) return;
    this.#faults.add(finding.rule);
    const { message, trouble } = finding;
    this.#journal.find({
      ...finding,
      message: this.secrets.mask(message),
      trouble: this.secrets.mask(trouble),
      ...optionally('line', calledFrom()()),
    });
  }

  /**
   * Trouble of the moment is noted, so that a test in which it left something open is repeated. Where it met a request
   * that may have changed something, nobody knows what the target made of it, and every finding that follows is in doubt.
   */
  #noteTrouble({ trouble, exchange, label }: Answer, operation: Operation | undefined): void {
    const { response, request } = exchange;
    if (!trouble?.momentary || (response && mayBeAbsent(operation, response.status))) return;
    const what = this.secrets.mask(`"${label}" was answered ${trouble.what}`);
    const isPage = response !== undefined && response.status < 500 && trouble.mayAccuse;
    const isHopeless = exchange.heldBack === true;
    if (request.method !== 'GET') this.#journal.foundUnwell(what, { isPage, isHopeless });
    else if (!isPage) this.#journal.meetTrouble(what, { isHopeless });
  }

  /** Notes a situation that was prepared, and what it gave: later requests speak of it. */
  prepared(by: string, state: string, params: StateParams, values: StateValues): void {
    const id = `${this.#prefix}.s${(this.#states += 1)}`;
    this.#log.origins.learn(id, values);
    this.secrets.addFromState(values);
    const at = new Date().toISOString();
    this.#journal.prepare({ id, state, params, values: this.secrets.maskDeep(values), by, at });
  }

  /** Records an earlier exchange that this test stands on. */
  recall(operation: string, label: string, exchange: Exchange): void {
    this.#log.add(label, operation, { ...exchange, at: Date.now() });
  }

  /** Notes that something was accepted that stands on these keys of the dialect: the target speaks them. */
  speaks(keys: readonly DialectAssumption[]): void {
    this.#journal.speaks(keys);
  }

  /**
   * Records a breach that the status of an answer shows, whatever the test was about.
   *
   * @param assumes keys of the dialect that the request stood on
   */
  blame(rule: string, { id }: Answer, message: string, assumes: readonly DialectAssumption[]): void {
    this.#journal.find({
      rule,
      place: rule,
      message: this.secrets.mask(message),
      exchanges: [id],
      looked: [{ exchange: id, pointers: ['#status'] }],
      ...(assumes.length > 0 ? { assumes } : {}),
      ...optionally('line', calledFrom()()),
    });
  }

  /**
   * Records what the target has sent by itself, as evidence.
   *
   * @param status what the target was told
   * @returns the delivery: its `body` is the body that the target sent
   */
  arrived<T>(label: string, request: SentRequest, status: number): Answer<T> {
    const text = request.body ?? '';
    this.secrets.addHeaders(request.headers);
    const exchange: Exchange = {
      at: Date.now(),
      milliseconds: 0,
      request,
      response: { status, headers: {}, text },
    };
    const parsed = parsedOrNothing(text);
    const id = this.#log.add(
      label,
      undefined,
      { ...exchange, response: { status, headers: {}, text: '' } },
      true,
    );
    const removed = removedReasonsIn(parsed);
    this.#journal.see(new Set(removed.seen ? [REMOVED_REASONS_RULE] : []));
    for (const { pointer, message } of removed.breaches)
      this.#journal.find({
        rule: REMOVED_REASONS_RULE,
        place: pointer,
        message: this.secrets.mask(message),
        exchanges: [id],
        looked: [{ exchange: id, pointers: [this.secrets.mask(pointer)] }],
      });
    return new Answer<T>(id, label, exchange, parsed, [], { arrived: true });
  }

  /** Before anything is said about an answer, so that messages mask what the same answer has taught. */
  #learnSecrets({ response }: Exchange): void {
    if (!response) return;
    this.secrets.addHeaders(response.headers);
    this.secrets.addFrom(parsedOrNothing(response.text));
  }

  /** Waits where a rate limit says how long. What a limit of the interface's own refuses is not asked again. */
  async #sendPatiently(
    operation: Operation | undefined,
    call: Call,
    { impatient }: CallOptions,
  ): Promise<Exchange> {
    for (let tries = 1; ; tries += 1) {
      const exchange = await this.#send(operation, call);
      const wait = impatient ? undefined : this.#patience.spend(exchange, tries);
      if (wait === undefined) return exchange;
      this.#log.add(
        `${call.label} (sent again after ${Math.round(wait / 1_000)} s)`,
        operation?.id,
        exchange,
      );
      this.#extend(wait);
      await pause(wait);
    }
  }

  /** An id that a broken answer did not carry leaves the call unsent: the answer's shape is blamed already. */
  async #send(operation: Operation | undefined, call: Call): Promise<Exchange> {
    const route = operation ?? (call.operation as { method: string; path: string });
    const unsent = (failure: string): Exchange => ({
      at: Date.now(),
      milliseconds: 0,
      request: { method: route.method, url: `${this.#baseUrl}${route.path}`, headers: {} },
      failure,
    });
    let request: SentRequest;
    try {
      request = toRequest(this.#baseUrl, operation, call);
    } catch (error) {
      if (!(error instanceof MissingPathValue)) throw error;
      return { ...unsent(error.message), unsendable: true };
    }
    const kind = operation?.id ?? `${route.method} ${route.path}`;
    const alone = this.#watch.leftAlone(kind);
    if (alone !== undefined) return { ...unsent(alone), heldBack: true };
    const started = performance.now();
    const gone = (await this.#watch.ready()) ?? this.#watch.spendRequest();
    if (gone) return this.#goneAway(gone);
    this.secrets.addHeaders(request.headers);
    const exchange = await this.#http.send(request);
    this.left.note(exchange);
    const { queuedMs = 0 } = exchange;
    if (queuedMs > 0) this.#extend(queuedMs);
    const goneNow = await this.#watch.note(kind, call.label, exchange);
    if (goneNow) this.#journal.foundGone(goneNow);
    this.#noteWait(performance.now() - started - queuedMs);
    return exchange;
  }

  #goneAway(gone: GoneAway): never {
    this.#journal.foundGone(gone);
    return this.#stop(`the target has gone away: ${gone.why}`);
  }

  /** A slow target costs its own time, up to a bound, and not that of the test. */
  #noteWait(ms: number): void {
    const before = this.#waitedMs;
    this.#waitedMs += ms;
    if (ms > SLOW_MS && before < LONGEST_WAIT_IN_ALL_MS) this.#extend(ms);
  }
}

function optionally<K extends string>(key: K, value: string | undefined): { readonly [key in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as Record<K, string>);
}

/**
 * Whether the answer shows that the request was understood as what it was meant for. Where a wallet's session has to sign,
 * only the 202 or a signed request shows it: a plain success may come from an operation for something else.
 */
function wasTaken(operation: Operation, { request, response }: Exchange): boolean {
  const status = response?.status ?? 0;
  if (status < 200 || status >= 300) return false;
  return !operation.answers.has('202') || status === 202 || isWalletSigned(request);
}
