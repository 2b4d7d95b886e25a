import { createServer, request as send } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** A forward proxy as companies have them. */
interface ForwardProxy extends AsyncDisposable {
  /** Host and port. */
  readonly host: string;
  /** What it was asked for: `CONNECT host:port`, or method and absolute address. */
  readonly asked: readonly string[];
}

/** What it wants, and how it fails. */
export interface ProxyManners {
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
