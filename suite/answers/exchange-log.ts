import type { Exchange } from '../../client/http/http-client.ts';
import type { Secrets } from '../../client/secrets/secrets.ts';
import type { RecordedExchange } from '../../journal/types.ts';
import { Origins, originsOf } from './value-origins.ts';
import { parsedOrNothing } from '../../schemas/json.ts';

/** Bodies beyond this length are cut in the record; the checks see them whole. */
const RECORDED_CHARACTERS = 20_000;
/** Half a secret is not recognised: so much of a body is kept beyond what is shown. Characters. */
const LONGEST_SECRET = 8_000;

/**
 * The exchanges of one test as they will be shown. Each is masked when the test is over: a secret may be learned after the
 * exchange that carries it.
 */
export class ExchangeLog {
  readonly origins = new Origins();
  readonly #prefix: string;
  readonly #secrets: Secrets;
  readonly #records: (() => RecordedExchange)[] = [];
  #count = 0;

  /** @param prefix start of the ids of this test's exchanges: unique within the run */
  constructor(prefix: string, secrets: Secrets) {
    this.#prefix = prefix;
    this.#secrets = secrets;
  }

  /** Everything that was recorded, masked with all secrets that are known by now. */
  exchanges(): readonly RecordedExchange[] {
    return this.#records.map((record) => record());
  }

  /**
   * @param arrived the target has sent it by itself
   * @returns the id of the record
   */
  add(label: string, operation: string | undefined, exchange: Exchange, arrived = false): string {
    const id = `${this.#prefix}.${(this.#count += 1)}`;
    const { request, response, failure, at, milliseconds } = exchange;
    // Masked when the test is over: a secret may be learned after the exchange that carries it.
    const kept = { request: keep(request.body), response: keep(response?.text) };
    const clip = ({ text, length }: KeptText) =>
      length > RECORDED_CHARACTERS
        ? `${this.#secrets.mask(text, RECORDED_CHARACTERS)}… (${length} characters)`
        : this.#secrets.mask(text);
    const headers = response && { ...response.headers };
    const status = response?.status ?? 0;
    const known = arrived ? undefined : this.origins.note(request);
    if (response) this.origins.learn(id, parsedOrNothing(response.text));
    this.#records.push(() => {
      const masked = {
        method: request.method,
        url: this.#secrets.mask(request.url),
        headers: this.#secrets.maskHeaders(request.headers),
        ...(request.body === undefined ? {} : { body: clip(kept.request) }),
      };
      const origins = known ? originsOf(masked, known) : {};
      return {
        id,
        label: this.#secrets.mask(label),
        ...(operation === undefined ? {} : { operation }),
        at: new Date(at).toISOString(),
        milliseconds: Math.round(milliseconds * 100) / 100,
        request: masked,
        ...(headers
          ? { response: { status, headers: this.#secrets.maskHeaders(headers), body: clip(kept.response) } }
          : {}),
        ...(failure === undefined ? {} : { failure }),
        ...(arrived ? { arrived: true as const } : {}),
        ...(Object.keys(origins).length > 0 ? { origins } : {}),
      };
    });
    return id;
  }
}

/** The start of a text, long enough to recognise every secret in what is shown of it. */
interface KeptText {
  readonly text: string;
  readonly length: number;
}

function keep(text = ''): KeptText {
  const most = RECORDED_CHARACTERS + LONGEST_SECRET;
  // A slice would keep the whole text in memory; going through JSON copies it, lone surrogates too.
  const start = text.length > most ? (JSON.parse(JSON.stringify(text.slice(0, most))) as string) : text;
  return { text: start, length: text.length };
}
