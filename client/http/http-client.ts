import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { Agent, request, type Dispatcher } from 'undici';
import type { Exchange, ReceivedAnswer, SentRequest } from './exchange.ts';
import type { Manners } from './manners.ts';
import { describeTransportFailure } from './transport-failure.ts';

/** An answer of this interface is a few kilobytes; a stream without end must not fill the memory. Bytes. */
const LARGEST_BODY = 16 * 1024 * 1024;
/**
 * Sent with every request, and not worth recording: without the first, any compression is legal; without the second,
 * some gateways refuse.
 */
const ALWAYS = { 'accept-encoding': 'identity' };

export interface HttpClientOptions {
  /** Upper bound for one exchange, from the first byte sent to the last received. */
  readonly timeoutMs: number;
  /** Holds requests back to the pace that the other side asks for. Default: none are held back. */
  readonly manners?: Manners | undefined;
}

/** Requests that change nothing: one that was lost on a connection which the other side had closed may be sent again. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
/** A connection that a server closed while it idled breaks at once; later, the server may have seen the request. */
const CLOSED_WHILE_IDLE_MS = 50;

/**
 * The honest client: follows no redirect, decompresses nothing, and repeats nothing but a read that was lost on a
 * connection which had been closed while it idled. A request that gets no answer yields an exchange with `failure`,
 * never an exception.
 */
export class HttpClient {
  readonly #dispatcher: Dispatcher;
  readonly #options: HttpClientOptions;

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
    const queued = performance.now();
    const leave = await this.#options.manners?.enter(sent.url);
    try {
      const at = Date.now();
      const started = performance.now();
      const outcome = await this.#attempt(sent);
      const queuedMs = leave ? { queuedMs: started - queued } : {};
      return { at, milliseconds: performance.now() - started, ...queuedMs, request: sent, ...outcome };
    } finally {
      leave?.();
    }
  }

  /** Whether requests may wait before they are sent, so that their time begins later than their call. */
  get holdsBack(): boolean {
    return this.#options.manners !== undefined;
  }

  /** Closes all connections; requests under way fail. */
  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  async #attempt(sent: SentRequest): Promise<{ response: ReceivedAnswer } | { failure: string }> {
    for (let tries = 1; ; tries += 1) {
      const started = performance.now();
      try {
        return { response: await receive(sent, this.#dispatcher, this.#options.timeoutMs) };
      } catch (error) {
        const idle = isClosed(error) && performance.now() - started < CLOSED_WHILE_IDLE_MS;
        if (!idle || tries > 1 || !SAFE.has(sent.method)) return { failure: describeTransportFailure(error) };
      }
    }
  }
}

/** Environment variable in which the workers of a run find its id. */
const RUN_ID_ENV = 'ASSAY_RUN_ID';

/** The id of this run, by which a service finds its requests: made once, and the same in all its workers. */
export function runId(env: NodeJS.ProcessEnv = process.env): string {
  return (env[RUN_ID_ENV] ||= randomBytes(4).toString('hex'));
}

/** How Assay calls itself in every request. */
export function userAgent(): string {
  return `assay (run ${runId()})`;
}

function isClosed(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

async function receive(
  sent: SentRequest,
  dispatcher: Dispatcher,
  timeoutMs: number,
): Promise<ReceivedAnswer> {
  const { statusCode, headers, body } = await request(sent.url, {
    method: sent.method as Dispatcher.HttpMethod,
    headers: { ...ALWAYS, 'user-agent': userAgent(), ...sent.headers },
    body: sent.body ?? null,
    dispatcher,
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { text, isUtf8 } = await read(body);
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  return { status: statusCode, headers: flat, text, ...(isUtf8 ? {} : { notUtf8: true }) };
}

/** The body as text; a byte order mark is dropped, bytes that are not UTF-8 become replacement characters. */
async function read(body: AsyncIterable<Uint8Array>): Promise<{ text: string; isUtf8: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw Object.assign(new Error('answer too large'), { code: 'ASSAY_TOO_LARGE' });
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks, size);
  return { text: new TextDecoder().decode(bytes), isUtf8: isUtf8(bytes) };
}
