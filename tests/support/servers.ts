import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import {
  createServer as createSocketServer,
  type AddressInfo,
  type Server,
  type Socket,
  connect,
} from 'node:net';

/** A server that answers every request with exact bytes, so that it can break HTTP in any way. */
interface BytesServer extends AsyncDisposable {
  readonly url: string;
  /** What was received, as text, one entry a connection. */
  readonly received: readonly string[];
}

/** @param answer writes what it likes once the first bytes of a request have come */
export async function bytesServer(
  answer: (socket: Socket) => void,
  host = '127.0.0.1',
): Promise<BytesServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createSocketServer((socket) => {
    const index = received.push('') - 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      received[index] += chunk.toString('latin1');
      answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    received,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The bytes of a whole answer with a right content-length. */
export function answerOf(body: string, head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json'): string {
  return `${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** A server of a test, on a free port of this machine. */
export interface Listening extends AsyncDisposable {
  readonly origin: string;
}

/** Answers each request once its whole body is there. */
export async function listening(
  answer: (request: IncomingMessage, response: ServerResponse, text: string) => void,
): Promise<Listening> {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => answer(request, response, text));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A forward proxy as companies have them. */
interface ForwardProxy extends AsyncDisposable {
  /** Host and port. */
  readonly host: string;
  /** What it was asked for: `CONNECT host:port`, or method and absolute address. */
  readonly asked: readonly string[];
}

/** What it wants, and how it fails. */
interface ProxyManners {
  /** `name:password` that it wants. */
  readonly login?: string;
  /** Answers this to everything. */
  readonly refusal?: number;
}

/** Every name that it is asked for leads to this machine: names that resolve nowhere show that nobody went past it. */
export async function forwardProxy({ login, refusal }: ProxyManners = {}): Promise<ForwardProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
  const refused = (given: string | undefined) =>
    refusal ?? (wanted !== given && wanted !== undefined ? 407 : 0);
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const status = refused(request.headers['proxy-authorization']);
    if (status) return void response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>No</h1>');
    const { port, pathname, search, host } = new URL(request.url!);
    const headers = { ...request.headers, host };
    delete headers['proxy-authorization'];
    const options = { host: '127.0.0.1', port, path: pathname + search, method: request.method, headers };
    const out = send(options, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    out.on('error', () => response.writeHead(502).end());
    request.pipe(out);
  });
  server.on('connect', (request, client: Socket) => {
    asked.push(`CONNECT ${request.url}`);
    sockets.add(client);
    client.on('error', () => undefined);
    const status = refused(request.headers['proxy-authorization']);
    if (status) return void client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const far = connect(Number(request.url!.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.pipe(client).pipe(far);
    });
    far.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'));
    sockets.add(far);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
