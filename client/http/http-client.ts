import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { request, type Dispatcher } from 'undici';
import type { Manners } from './manners.ts';
import { Connections, proxyFor, type Proxy } from './proxies.ts';

/** An answer of this interface is a few kilobytes; a stream without end must not fill the memory. Bytes. */
const LARGEST_BODY = 16 * 1024 * 1024;
/**
 * Sent with every request, and not worth recording: without the first, any compression is legal; without the second,
 * some gateways refuse.
 */
const ALWAYS = { 'accept-encoding': 'identity' };

interface HttpClientOptions {
  /** Upper bound for one exchange, from the first byte sent to the last received. */
  readonly timeoutMs: number;
  /** Holds requests back to the pace that the other side asks for. Default: none are held back. */
  readonly manners?: Manners | undefined;
  /** How soon a connection breaks that a server closed while it idled; later, the server may have seen the request. Default: 50. */
  readonly lostWhileIdleMs?: number;
}

/** Requests that change nothing: one that was lost on a connection which the other side had closed may be sent again. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOST_WHILE_IDLE_MS = 50;

/**
 * The honest client: follows no redirect, decompresses nothing, and repeats nothing but a read that was lost on a
 * connection which had been closed while it idled. A request that gets no answer yields an exchange with `failure`,
 * never an exception.
 */
export class HttpClient {
  readonly #connections: Connections;
  readonly #options: HttpClientOptions;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    this.#connections = new Connections({
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
    await this.#connections.destroy();
  }

  async #attempt(sent: SentRequest): Promise<{ response: ReceivedAnswer } | { failure: string }> {
    let proxy: Proxy | undefined;
    for (let tries = 1; ; tries += 1) {
      const started = performance.now();
      try {
        proxy = proxyFor(sent.url);
        const dispatcher = this.#connections.through(proxy);
        return { response: await receive(sent, dispatcher, this.#options.timeoutMs) };
      } catch (error) {
        const { lostWhileIdleMs = LOST_WHILE_IDLE_MS } = this.#options;
        const idle = isClosed(error) && performance.now() - started < lostWhileIdleMs;
        if (!idle || tries > 1 || !SAFE.has(sent.method))
          return { failure: (proxy && faultOfProxy(error, proxy)) ?? describeTransportFailure(error) };
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
function userAgent(): string {
  return `assay (run ${runId()})`;
}

function isClosed(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

function isMismatch(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
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
  const { text, isUtf8 } = await read(body).catch((error: unknown) => {
    // HTTP ends a 204 with its header, so that the body which this one announces cannot come; the header tells of it.
    if (statusCode !== 204 || !isMismatch(error)) throw error;
    return { text: '', isUtf8: true };
  });
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

/** Node adds what is in that file to those whom it trusts. */
const TRUST =
  'where it is the right one, set NODE_EXTRA_CA_CERTS=path.pem to a file with it or with its issuer';

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ENOTFOUND: 'the host name cannot be resolved',
  EAI_AGAIN: 'the host name cannot be resolved now',
  ECONNRESET: 'the connection was closed before an answer came',
  EPIPE: 'the connection was closed before an answer came',
  UND_ERR_SOCKET: 'the connection was closed before an answer came',
  UND_ERR_CONNECT_TIMEOUT: 'no connection could be made in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came in time',
  UND_ERR_BODY_TIMEOUT: 'the answer did not end in time',
  UND_ERR_ABORTED: 'no answer came in time',
  ETIMEDOUT: 'no connection could be made in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  DEPTH_ZERO_SELF_SIGNED_CERT: `its TLS certificate is self-signed; ${TRUST}`,
  SELF_SIGNED_CERT_IN_CHAIN: `its TLS certificate chain holds a self-signed certificate; ${TRUST}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `its TLS certificate cannot be verified; ${TRUST}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `the issuer of its TLS certificate is not trusted here; ${TRUST}`,
  CERT_HAS_EXPIRED: 'its TLS certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another host name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS on that port',
  EPROTO: 'it does not speak TLS on that port',
  HPE_INVALID_CONSTANT: 'it does not speak HTTP on that port',
  HPE_HEADER_OVERFLOW: "the answer's headers are too large",
  UND_ERR_HEADERS_OVERFLOW: "the answer's headers are too large",
  ASSAY_TOO_LARGE: 'the answer is larger than 16 MiB',
};

/** Says in plain words why no answer came. Never holds a secret: only the error's code and name are used. */
export function describeTransportFailure(error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'TimeoutError') return 'no answer came in time';
    const code = (cause as { code?: unknown }).code;
    if (cause.name === 'HTTPParserError' && !(typeof code === 'string' && code in SENTENCES))
      return 'it does not speak HTTP on that port';
    if (typeof code !== 'string') {
      if (cause instanceof AggregateError && cause.errors.length > 0)
        return describeTransportFailure(cause.errors[0]);
      continue;
    }
    if (code === 'UND_ERR_SOCKET' && cause.message === 'bad response')
      return 'it sends "100 Continue" unasked, which this client does not take for an answer';
    const sentence = SENTENCES[code];
    if (sentence) return sentence;
    if (code.startsWith('HPE_')) return 'it does not speak HTTP on that port';
    if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) return `TLS failed (${code})`;
    return `the request failed (${code})`;
  }
  return `the request failed (${error instanceof Error ? error.name : 'unknown error'})`;
}

/** How a failure begins that is the proxy's, and not of whom it leads to. */
export const PROXY_FAILURE = 'the proxy ';
/** Through a proxy, nobody else is connected to. */
const NOT_REACHED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** What went wrong with the proxy itself, with the fix; undefined where it was something behind it. */
function faultOfProxy(error: unknown, { host, variable }: Proxy): string | undefined {
  const name = `${PROXY_FAILURE}${host} (${variable})`;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    // undici gives these no code of their own.
    const [, status] = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(cause.message) ?? [];
    if (status === '407')
      return `${name} answers 407: it wants a name and a password that it knows, so set ${variable}=http://name:password@${host}`;
    if (status !== undefined)
      return `${name} answers ${status} and leads nowhere: check that it may reach this host, or name the host in NO_PROXY`;
    const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
    const code = String((first as { code?: unknown } | undefined)?.code);
    if (NOT_REACHED.test(code))
      return `${name} cannot be reached: ${SENTENCES[code]}; check ${variable}, or name the host in NO_PROXY`;
  }
  return undefined;
}

/** One request as it was sent. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Exact text of the body. */
  readonly body?: string;
}

/** One answer as it arrived: nothing followed, decompressed or merged. */
export interface ReceivedAnswer {
  readonly status: number;
  /** Lower-case names; repeated headers joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body holds bytes that are not UTF-8; in `text` they are replacement characters. */
  readonly notUtf8?: true;
}

/** A request with its answer, or with the reason why there is none. */
export interface Exchange {
  /** Milliseconds since the epoch when the request was sent. */
  readonly at: number;
  readonly milliseconds: number;
  /** How long it waited to be sent, for the pace that the target asks for, in milliseconds; no part of the time above. */
  readonly queuedMs?: number;
  readonly request: SentRequest;
  readonly response?: ReceivedAnswer;
  /** One sentence; present exactly when `response` is absent. */
  readonly failure?: string;
  /** Nothing went over the wire, as nobody has answered there for a while. */
  readonly heldBack?: true;
  /** Nothing went over the wire, as an earlier answer did not carry what the request needs. */
  readonly unsendable?: true;
}
