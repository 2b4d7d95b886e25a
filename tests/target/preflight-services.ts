import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const CLIENT = { clientId: 'some-client', clientSecret: 'secret-that-nobody-may-read' };
const RIGHT = `Basic ${Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64')}`;

export interface Call {
  readonly method: string;
  /** Below the origin, query included. */
  readonly path: string;
  /** The platform's own credentials came with it. */
  readonly isKnown: boolean;
  readonly body: string;
}

/** Status and body; text is sent as a page, all else as JSON; undefined leaves the caller without an answer. */
export type Reply =
  { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> } | undefined;

export interface Service extends AsyncDisposable {
  readonly origin: string;
  readonly calls: readonly Call[];
}

/** A small server for one test. */
export async function service(answer: (call: Call) => Reply | Promise<Reply>): Promise<Service> {
  const calls: Call[] = [];
  const server = createServer((request, response) => void respond(request, response));
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const sent = await text(request);
    const call = { method, path: url, isKnown: headers.authorization === RIGHT, body: sent };
    calls.push(call);
    const reply = await answer(call);
    if (!reply) return;
    const { status, body, headers: more } = reply;
    const type = typeof body === 'string' ? 'text/html' : 'application/json';
    const answered = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': type, ...more }).end(body === undefined ? '' : answered);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An answer in the form of section Errors. */
export function error(status: number, code: string): Reply {
  return { status, body: { status, code, message: 'Refused.' } };
}

/** A right service below `/2025-10-13`: authentication before routing, and one kind of answer for each route. */
export function rightService(routes: Readonly<Record<string, Reply>>): (call: Call) => Reply {
  return ({ method, path, isKnown }) => {
    if (!path.startsWith('/2025-10-13/')) return { status: 404, body: '<h1>Not Found</h1>' };
    if (!isKnown) return error(401, 'UNAUTHORIZED');
    const route = `${method} ${path.slice('/2025-10-13'.length).split('?')[0]}`;
    const found = Object.keys(routes).find((known) => route.startsWith(known));
    return found === undefined ? error(404, 'NOT_FOUND') : routes[found];
  };
}
