import { type Exchange, HttpClient, type SentRequest } from '../../client/http/http-client.ts';
import type { RunFolder } from '../run/run-folder.ts';
import { type Time, UnansweredInARow, Watch } from './watch.ts';

const LOOK_TIMEOUT_MS = 3_000;

/**
 * Sends to the provider-states URL, with a breaker of its own: who prepares states may be away while the target is well.
 * He is looked at again, so that his restart costs the states of those seconds and no more.
 */
export class StatesWatch {
  readonly #http: HttpClient;
  readonly #watch: Watch;
  readonly #unanswered: UnansweredInARow;

  /**
   * @param url of the provider states; undefined where states are prepared otherwise
   * @param time real time, unless a test says otherwise
   */
  constructor(http: HttpClient, url: string | undefined, folder: RunFolder, time?: Time) {
    this.#http = http;
    this.#unanswered = new UnansweredInARow(folder);
    const looking = new HttpClient({ timeoutMs: LOOK_TIMEOUT_MS });
    this.#watch = new Watch({
      // Any answer will do: without a body nothing is prepared.
      look: async () =>
        url === undefined ? undefined : (await looking.send({ method: 'GET', url, headers: {} })).failure,
      forGood: false,
      remembered: {
        get: () => folder.silence('provider-states'),
        set: (silence) => folder.tellSilence('provider-states', silence),
      },
      ...(time ? { time } : {}),
    });
  }

  /** Sends one request; where none got through to somebody who came back it is sent again, as states are made anew. */
  async send(sent: SentRequest): Promise<Exchange> {
    const alone = this.#unanswered.leftAlone(sent.url);
    if (alone !== undefined) return heldBack(sent, alone);
    const gone = await this.#watch.ready();
    if (gone) return heldBack(sent, saying(gone));
    const exchange = await this.#send(sent);
    if (exchange.response || exchange.milliseconds > LOOK_TIMEOUT_MS) return exchange;
    await this.#watch.suspect(exchange.at);
    const goneNow = await this.#watch.ready();
    return goneNow ? heldBack(sent, saying(goneNow)) : this.#send(sent);
  }

  async #send(sent: SentRequest): Promise<Exchange> {
    const exchange = await this.#http.send(sent);
    this.#unanswered.note(sent.url, exchange.response !== undefined, exchange.at);
    return exchange;
  }
}

function saying({ since, why }: { readonly since: number; readonly why: string }): string {
  return `not sent: nobody has answered there since ${new Date(since).toISOString()} (${why})`;
}

function heldBack(request: SentRequest, failure: string): Exchange {
  return { at: Date.now(), milliseconds: 0, request, failure, heldBack: true };
}
