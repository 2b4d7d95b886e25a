import {
  createServer,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** One request on its way to the service, and the means to answer it otherwise. */
export interface Passing {
  /** Counts from 1; requests of preflight are counted too. */
  readonly number: number;
  readonly request: IncomingMessage;
  /** Its body. */
  readonly text: string;
  readonly response: ServerResponse;
  readonly socket: Socket;
  /** Has the service answer. */
  readonly forward: () => Promise<Forwarded>;
}

/** What the service answered. */
export interface Forwarded {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/**
 * What a hostile target does with one request: answers it in its own way and returns nothing, or returns what is to be
 * answered, or `true` to let the service answer.
 */
export type Mischief = (passing: Passing) => true | Forwarded | void | Promise<true | Forwarded | void>;

/** A hostile target: a right service behind a proxy that does mischief. */
export interface HostileProxy extends AsyncDisposable {
  readonly origin: string;
  /** Requests that have come so far. */
  readonly count: number;
  /** Waits until so many requests have come. */
  reached(count: number): Promise<void>;
  /** Listens no longer, and cuts all connections. */
  stop(): Promise<void>;
  /** Listens again, on the same port. */
  start(): Promise<void>;
}

/**
 * @param backend origin of the right service
 * @param mischief decides on each request
 */
export async function hostileProxy(backend: string, mischief: Mischief): Promise<HostileProxy> {
  let count = 0;
  const waiting: { readonly number: number; readonly go: () => void }[] = [];
  const server: Server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
    const number = (count += 1);
    for (const each of waiting) if (number >= each.number) each.go();
    const body = collect(request);
    let forwarded: Promise<Forwarded> | undefined;
    const forward = () => (forwarded ??= body.then((text) => forwardTo(backend, request, text)));
    const socket = request.socket;
    response.on('error', () => undefined);
    void body
      .then((bytes) => mischief({ number, request, text: bytes.toString(), response, socket, forward }))
      .then(async (decision) => {
        if (decision === undefined) return;
        const { status, headers, body: bytes } = decision === true ? await forward() : decision;
        response.writeHead(status, headers).end(bytes);
      })
      .catch(() => socket.destroy());
  });
  server.on('connection', (socket) => socket.on('error', () => undefined));
  server.on('clientError', (_error, socket) => socket.destroy());
  let port = 0;
  const start = async () => {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  await start();
  return {
    get origin() {
      return `http://127.0.0.1:${port}`;
    },
    get count() {
      return count;
    },
    reached: (number) =>
      new Promise<void>((go) => {
        if (count >= number) go();
        else waiting.push({ number, go });
      }),
    start,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function collect(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function forwardTo(backend: string, request: IncomingMessage, body: Buffer): Promise<Forwarded> {
  const { connection: _connection, 'transfer-encoding': _encoding, ...headers } = request.headers;
  return new Promise((resolve, reject) => {
    const out = send(`${backend}${request.url ?? ''}`, { method: request.method, headers }, (answer) => {
      collect(answer).then((bytes) => {
        const { connection, 'keep-alive': keepAlive, 'transfer-encoding': chunked, ...kept } = answer.headers;
        void [connection, keepAlive, chunked];
        const flat = Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, String(value)]));
        resolve({ status: answer.statusCode ?? 0, headers: flat, body: bytes });
      }, reject);
    });
    out.on('error', reject);
    out.end(body);
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };
/** After so many requests a target is in the middle of its run: preflight is over, and tests have begun. */
export const MIDDLE = 40;

/** A whole answer. */
export function answer(
  status: number,
  body: unknown,
  headers: Record<string, string> = JSON_TYPE,
): Forwarded {
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return { status, headers, body: Buffer.from(text) };
}

/** An error in the interface's own form. */
export const errorOf = (status: number, code: string): Forwarded =>
  answer(status, { status, code, message: 'no' });

export const page = (status: number): Forwarded =>
  answer(status, '<html><body>not today</body></html>', { 'content-type': 'text/html' });

/** Does it to each n-th request after preflight. */
export const each =
  (n: number, mischief: Mischief, after = MIDDLE / 2): Mischief =>
  (passing) =>
    passing.number > after && passing.number % n === 0 ? mischief(passing) : true;

/** Does it to every request from the middle of the run on. */
export const fromTheMiddle =
  (mischief: Mischief, middle = MIDDLE): Mischief =>
  (passing) =>
    passing.number > middle ? mischief(passing) : true;

export const always =
  (what: Forwarded): Mischief =>
  () =>
    what;

/** Does it, and counts. */
export function counted(mischief: Mischief): { readonly mischief: Mischief; readonly times: () => number } {
  let times = 0;
  return {
    mischief: (passing) => {
      times += 1;
      return mischief(passing);
    },
    times: () => times,
  };
}

/** Closes the connection before an answer. */
export const reset: Mischief = ({ socket }) => void socket.destroy();
/** Does what was asked, and closes the connection before it says so. */
export const resetAfterwards: Mischief = async ({ forward, socket }) => {
  await forward();
  socket.destroy();
};
/** Never answers. */
export const hang: Mischief = () => undefined;

/** Writes exact bytes in place of an answer. */
export const bytes =
  (text: string | Buffer, end = true): Mischief =>
  ({ socket }) => {
    socket.write(text);
    if (end) socket.end();
  };

/** Writes a piece again and again until the other side has enough. */
export const forever =
  (head: string, piece: string | Buffer, pauseMs: number): Mischief =>
  ({ socket }) => {
    socket.write(head);
    const more = () => {
      if (socket.destroyed) return;
      const room = socket.write(piece);
      if (room) setTimeout(more, pauseMs);
      else socket.once('drain', () => setTimeout(more, pauseMs));
    };
    more();
  };

/** Changes the right answer. */
export const changed =
  (change: (right: Forwarded, passing: Passing) => Forwarded): Mischief =>
  async (passing) =>
    change(await passing.forward(), passing);

/** Changes the text of right answers that are JSON objects. */
export const rewritten = (change: (text: string) => string | Buffer): Mischief =>
  changed((right) => {
    const text = right.body.toString('utf8');
    if (!text.startsWith('{')) return right;
    const { 'content-length': _length, ...headers } = right.headers;
    void _length;
    return { ...right, headers, body: Buffer.from(change(text)) };
  });
