import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type AddressInfo, type Server, type Socket } from 'node:net';

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
