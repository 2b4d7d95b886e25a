import { Agent, request, type Dispatcher } from 'undici';
import type { Exchange, ReceivedAnswer, SentRequest } from './exchange.ts';
import { describeTransportFailure } from './transport-failure.ts';

/** An answer of this interface is a few kilobytes; a stream without end must not fill the memory. Bytes. */
const LARGEST_BODY = 16 * 1024 * 1024;
/**
 * Sent with every request, and not worth recording: without the first, any compression is legal; without the second,
 * some gateways refuse.
 */
const ALWAYS = { 'accept-encoding': 'identity', 'user-agent': 'assay' };

export interface HttpClientOptions {
  /** Upper bound for one exchange, from the first byte sent to the last received. */
  readonly timeoutMs: number;
  /** After so many exchanges in a row without an answer, further ones fail at once. */
  readonly giveUpAfter: number;
}

/**
 * The honest client: follows no redirect, decompresses nothing, repeats nothing. A request that gets no answer yields
 * an exchange with `failure`, never an exception.
 */
export class HttpClient {
  readonly #dispatcher: Dispatcher;
  readonly #options: HttpClientOptions;
  #unanswered = 0;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    this.#dispatcher = new Agent({
      keepAliveTimeout: 2_000,
      connect: { timeout: options.timeoutMs },
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
    });
  }

  async send(sent: SentRequest): Promise<Exchange> {
    const at = Date.now();
    const started = performance.now();
    const outcome = await this.#attempt(sent);
    return { at, milliseconds: performance.now() - started, request: sent, ...outcome };
  }

  /** Closes all connections; requests under way fail. */
  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  async #attempt(sent: SentRequest): Promise<{ response: ReceivedAnswer } | { failure: string }> {
    if (this.#unanswered >= this.#options.giveUpAfter)
      return { failure: `not sent: the target left ${this.#unanswered} requests in a row unanswered` };
    try {
      const response = await receive(sent, this.#dispatcher, this.#options.timeoutMs);
      this.#unanswered = 0;
      return { response };
    } catch (error) {
      this.#unanswered += 1;
      return { failure: describeTransportFailure(error) };
    }
  }
}

async function receive(
  sent: SentRequest,
  dispatcher: Dispatcher,
  timeoutMs: number,
): Promise<ReceivedAnswer> {
  const { statusCode, headers, body } = await request(sent.url, {
    method: sent.method as Dispatcher.HttpMethod,
    headers: { ...ALWAYS, ...sent.headers },
    body: sent.body ?? null,
    dispatcher,
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await read(body);
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  return { status: statusCode, headers: flat, text };
}

/** The body as text; a byte order mark is dropped, bytes that are not UTF-8 become replacement characters. */
async function read(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw Object.assign(new Error('answer too large'), { code: 'ASSAY_TOO_LARGE' });
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return parts.join('') + decoder.decode();
}
