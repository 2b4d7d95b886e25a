import { basicAuthorization } from '../../client/authorization.ts';
import { type Exchange, HttpClient } from '../../client/http/http-client.ts';
import type { Manners } from '../../client/http/manners.ts';
import type { HealthRead } from '../../target/environment-variables.ts';
import { parsedOrNothing } from '../../schemas/json.ts';
import type { Profile } from '../../target/profile.ts';
import type { GoneAway } from '../../journal/types.ts';
import type { RunFolder } from '../run/run-folder.ts';
import { type Time, UnansweredInARow, Watch } from './watch.ts';
import { troubleIn } from '../../doubt/answer.ts';

/** A look is as good as new for so long. */
const FRESH_MS = 250;

/** Follows the health of the target through a run, together with the other workers. */
export class TargetWatch {
  readonly #watch: Watch;
  readonly #folder: RunFolder;
  readonly #http: HttpClient;
  readonly #look: () => Promise<string | undefined>;
  readonly #unanswered: UnansweredInARow;
  readonly #mostRequests: number | undefined;
  #lastAnswered: GoneAway['lastAnswered'];
  #lastWell = Number.NEGATIVE_INFINITY;

  /**
   * @param healthRead what preflight was answered; without it, any answer but a 5xx is well
   * @param time real time, unless a test says otherwise
   * @param manners the pace that looks at the target keep too
   */
  constructor(
    profile: Profile,
    healthRead: HealthRead | undefined,
    folder: RunFolder,
    time?: Time,
    manners?: Manners,
  ) {
    this.#folder = folder;
    this.#mostRequests = profile.caps.requests;
    this.#unanswered = new UnansweredInARow(folder);
    this.#http = new HttpClient({ timeoutMs: profile.requestTimeoutMs, manners });
    this.#look = () => this.#ask(profile, healthRead);
    this.#watch = new Watch({
      look: this.#look,
      forGood: true,
      onAway: (from, to) => folder.tellOutage(from, to),
      knownGone: () => folder.gone()?.why,
      ...(time ? { time } : {}),
    });
  }

  /** Waits while the target is away for a moment. @returns how it went, once it has gone for good */
  async ready(): Promise<GoneAway | undefined> {
    const known = this.#folder.gone();
    if (known) return known;
    const gone = await this.#watch.ready();
    return gone && this.#tellGone(gone);
  }

  /** Counts a request that is about to be sent. @returns how the run ends, where it has used up its requests */
  spendRequest(): GoneAway | undefined {
    const most = this.#mostRequests;
    if (most === undefined || this.#folder.countRequest() <= most) return undefined;
    return this.#tellGone({
      since: Date.now(),
      why: `the run has sent the ${most} requests that it may (MAX_REQUESTS, or caps.requests in the profile)`,
    });
  }

  /** Why something that has gone wrong again and again is not worth its time now; undefined when it is. */
  leftAlone(kind: string): string | undefined {
    return this.#unanswered.leftAlone(kind);
  }

  /**
   * Notes an exchange; after trouble, waits until the target is well again or gone.
   *
   * @returns how it went, once it has gone for good
   */
  async note(operation: string, label: string, exchange: Exchange): Promise<GoneAway | undefined> {
    const { response, at } = exchange;
    if (response) {
      this.noteKind(operation, true, at);
      if (response.status < 300)
        this.#lastAnswered = { label, at: new Date(exchange.at).toISOString(), status: response.status };
      if (!troubleIn(exchange, {}) || response.status === 429) return undefined;
    }
    const isWell = await this.isWell(at);
    // While nobody answers anything, this operation is no exception.
    if (!response && isWell) this.noteKind(operation, false, at);
    return isWell ? undefined : this.#folder.gone();
  }

  /**
   * Notes whether something that is asked for again and again went well: see {@link leftAlone}.
   *
   * @param at when it was asked for, epoch milliseconds
   */
  noteKind(kind: string, wentWell: boolean, at: number): void {
    this.#unanswered.note(kind, wentWell, at);
  }

  /**
   * Asks whether the target is well, and waits until it is or has gone.
   *
   * @param since the moment that gave reason to ask, epoch milliseconds
   * @returns false when it was not well at first
   */
  async isWell(since = Date.now()): Promise<boolean> {
    if (performance.now() - this.#lastWell < FRESH_MS) return true;
    const isWell = await this.#watch.suspect(since);
    if (isWell) this.#lastWell = performance.now();
    else await this.ready();
    return isWell;
  }

  /** Whether any worker found the target away at any time since a moment. */
  wasAwaySince(moment: number): boolean {
    return this.#folder.hadOutage(moment, Date.now());
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  #tellGone({ since, why }: { readonly since: number; readonly why: string }): GoneAway {
    const last = this.#lastAnswered;
    return this.#folder.tellGone({
      at: new Date(since).toISOString(),
      why,
      ...(last ? { lastAnswered: last } : {}),
    });
  }

  async #ask(profile: Profile, read: HealthRead | undefined): Promise<string | undefined> {
    const { response, failure } = await this.#http.send({
      method: read?.method ?? 'GET',
      url: `${profile.baseUrl}${read?.path ?? ''}`,
      headers: {
        accept: 'application/json',
        authorization: basicAuthorization(profile.clientId, profile.clientSecret),
        ...(read?.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(read?.body === undefined ? {} : { body: read.body }),
    });
    if (!response) return failure;
    // Too many requests is the word of somebody who is there.
    if (response.status === 429) return undefined;
    if (read === undefined) return response.status >= 500 ? `it answers ${response.status}` : undefined;
    if (response.status === read.status && parsedOrNothing(response.text) !== undefined) return undefined;
    const what = response.status === read.status ? 'something that is no JSON' : `${response.status}`;
    return `it answers ${what} to a request that it answered ${read.status} before`;
  }
}
