/**
 * Everything about one call: it is sent, waited for, recorded, and its answer held against the contract. judge-answer.ts
 * says what the answer shows of its shape, answer.ts is what a test gets of it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { basicAuthorization } from '../../client/authorization.ts';
import { MissingPathValue, toRequest, type Call } from '../../client/call.ts';
import type { Exchange, SentRequest } from '../../client/http/http-client.ts';
import { isWalletSigned } from '../../client/signed-retry.ts';
import type { Secrets } from '../../client/secrets/secrets.ts';
import type { Contract, Operation } from '../../schemas/contract.ts';
import { type Dialect, type DialectAssumption, GUESSED_READS } from '../../target/dialect/keys.ts';
import type { GiveUp } from '../need.ts';
import type { Workbench } from '../run/workbench.ts';
import { Answer } from './answer.ts';
import { variantSent } from './body-form.ts';
import { calledFrom } from './called-from.ts';
import type { StateParams, StateValues } from '../../target/providers/state-provider.ts';
import type { JournalWriter } from '../../journal/journal-writer.ts';
import type { Finding, GoneAway, RecordedExchange } from '../../journal/types.ts';
import { judge, mayBeAbsent } from './judge-answer.ts';
import { ExchangeLog } from './exchange-log.ts';
import { LEFT_FILE_ENV, LeftBehind } from '../run/left-behind.ts';
import { Patience } from './patience.ts';
import { amountBeyond } from '../../target/safety.ts';
import { REMOVED_REASONS_RULE, removedReasonsIn } from './removed-reasons.ts';
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

/** What a recorder works with. */
interface Parts {
  readonly bench: Pick<
    Workbench,
    'contract' | 'validator' | 'http' | 'secrets' | 'watch' | 'profile' | 'offsets'
  >;
  readonly journal: JournalWriter;
  readonly giveUp: GiveUp;
  /** Start of the ids of this test's exchanges: unique within the run. */
  readonly prefix: string;
  /** Gives the test more time, in milliseconds: waiting for the target is no part of its own. */
  readonly extend: (ms: number) => void;
}

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
  readonly #parts: Parts;
  readonly #journal: JournalWriter;
  readonly #log: ExchangeLog;
  readonly #patience: Patience;
  /** Rules that a control has blamed. */
  readonly #faults = new Set<string>();
  #states = 0;
  #waitedMs = 0;

  constructor(parts: Parts) {
    const { contract, secrets, watch, profile } = parts.bench;
    this.contract = contract;
    this.secrets = secrets;
    this.dialect = profile.dialect;
    this.#parts = parts;
    this.#journal = parts.journal;
    this.#patience = new Patience(watch, profile.rateLimit);
    this.#log = new ExchangeLog(parts.prefix, secrets);
    this.#log.origins.namePlatform(basicAuthorization(profile.clientId, profile.clientSecret));
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
    if (forbidden !== undefined) this.#parts.giveUp('unprepared', forbidden);
    const most = this.#parts.bench.profile.caps.amount;
    const beyond = amountBeyond(call.raw ?? call.body, most);
    if (beyond !== undefined)
      this.#parts.giveUp(
        'unprepared',
        `"${call.label}" was not sent: its amount ${beyond} is above the largest that this run may send, ${most} (MAX_AMOUNT, or caps.amount in the profile)`,
      );
    // A device code is as good as the token that it buys.
    this.secrets.add(call.path?.['code']);
    const exchange = await this.#sendPatiently(operation, call, options);
    this.#learnSecrets(exchange);
    const shape = judge(this.#parts.bench, operation, exchange, options.as);
    const id = this.#log.add(call.label, operation?.id, exchange);
    const { impatient } = options;
    const isLimited = operation?.id === LIMITED;
    const context = {
      operation,
      impatient,
      isLimited,
      ambiguous: shape.ambiguous,
      stop: (reason: string) => this.#parts.giveUp('inconclusive', reason),
      onFault: (answer: Answer) => this.#findFault(answer),
    };
    const answer = new Answer<T>(id, call.label, exchange, shape.body, shape.breaches, context);
    this.#noteTrouble(answer, operation);
    if (operation && wasTaken(operation, exchange))
      this.speaks([`paths.${operation.id}`, `bodies.${operation.id}`, variantSent(operation.id, exchange)]);
    this.#journal.see(shape.seen);
    const trouble =
      answer.trouble && this.secrets.mask(`"${call.label}" was answered ${answer.trouble.what}`);
    for (const { rule, pointer, message } of shape.breaches) {
      const place = pointer.replace(/\/\d+(?=\/|$)/g, '/*');
      const more = { ...(trouble === undefined ? {} : { trouble }), ...lineFrom(line) };
      this.#find(rule, id, message, { place, pointer, more });
    }
    return answer;
  }

  /** Blames what a control shows that met a fault of the service, once a rule. */
  #findFault(answer: Answer): void {
    const finding = findingOfControl(answer);
    if (!finding || this.#faults.has(finding.rule)) return;
    this.#faults.add(finding.rule);
    const [message, trouble] = [finding.message, finding.trouble].map((text) => this.secrets.mask(text));
    this.#journal.find({
      ...finding,
      ...({ message, trouble } as typeof finding),
      ...lineFrom(calledFrom()),
    });
  }

  #find(
    rule: string,
    exchange: string,
    message: string,
    at: { readonly place: string; readonly pointer: string; readonly more?: Partial<Finding> },
  ): void {
    this.#journal.find({
      rule,
      place: at.place,
      message: this.secrets.mask(message),
      exchanges: [exchange],
      looked: [{ exchange, pointers: [this.secrets.mask(at.pointer)] }],
      ...at.more,
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
    const id = `${this.#parts.prefix}.s${(this.#states += 1)}`;
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
    const more = { ...(assumes.length > 0 ? { assumes } : {}), ...lineFrom(calledFrom()) };
    this.#find(rule, id, message, { place: rule, pointer: '#status', more });
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
      this.#find(REMOVED_REASONS_RULE, id, message, { place: pointer, pointer });
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
      this.#parts.extend(wait);
      await pause(wait);
    }
  }

  /** An id that a broken answer did not carry leaves the call unsent: the answer's shape is blamed already. */
  async #send(operation: Operation | undefined, call: Call): Promise<Exchange> {
    const { bench, extend } = this.#parts;
    const { profile, watch, http } = bench;
    const route = operation ?? (call.operation as { method: string; path: string });
    const unsent = (failure: string): Exchange => ({
      at: Date.now(),
      milliseconds: 0,
      request: { method: route.method, url: `${profile.baseUrl}${route.path}`, headers: {} },
      failure,
    });
    let request: SentRequest;
    try {
      request = toRequest(profile.baseUrl, operation, call);
    } catch (error) {
      if (!(error instanceof MissingPathValue)) throw error;
      return { ...unsent(error.message), unsendable: true };
    }
    const kind = operation?.id ?? `${route.method} ${route.path}`;
    const alone = watch.leftAlone(kind);
    if (alone !== undefined) return { ...unsent(alone), heldBack: true };
    const started = performance.now();
    const gone = (await watch.ready()) ?? watch.spendRequest();
    if (gone) return this.#goneAway(gone);
    this.secrets.addHeaders(request.headers);
    const exchange = await http.send(request);
    this.left.note(exchange);
    bench.offsets.see(exchange);
    const { queuedMs = 0 } = exchange;
    if (queuedMs > 0) extend(queuedMs);
    const goneNow = await watch.note(kind, call.label, exchange);
    if (goneNow) this.#journal.foundGone(goneNow);
    this.#noteWait(performance.now() - started - queuedMs);
    return exchange;
  }

  #goneAway(gone: GoneAway): never {
    this.#journal.foundGone(gone);
    return this.#parts.giveUp('inconclusive', `the target has gone away: ${gone.why}`);
  }

  /** A slow target costs its own time, up to a bound, and not that of the test. */
  #noteWait(ms: number): void {
    const before = this.#waitedMs;
    this.#waitedMs += ms;
    if (ms > SLOW_MS && before < LONGEST_WAIT_IN_ALL_MS) this.#parts.extend(ms);
  }
}

function lineFrom(caller: () => string | undefined): { readonly line?: string } {
  const line = caller();
  return line === undefined ? {} : { line };
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
