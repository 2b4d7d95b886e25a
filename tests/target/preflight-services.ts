import type { ServerResponse } from 'node:http';
import { listening, type Listening } from '../support/servers.ts';

export const CLIENT = { clientId: 'some-client', clientSecret: 'secret-that-nobody-may-read' };
const RIGHT = `Basic ${btoa(`${CLIENT.clientId}:${CLIENT.clientSecret}`)}`;

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

export interface Service extends Listening {
  readonly calls: readonly Call[];
}

/** A small server for one test. */
export async function service(answer: (call: Call) => Reply | Promise<Reply>): Promise<Service> {
  const calls: Call[] = [];
  const server = await listening(({ method = '', url = '', headers }, response, body) => {
    const call = { method, path: url, isKnown: headers.authorization === RIGHT, body };
    calls.push(call);
    void Promise.resolve(answer(call)).then((reply) => reply && send(response, reply));
  });
  return Object.assign(server, { calls });
}

function send(response: ServerResponse, { status, body, headers }: NonNullable<Reply>): void {
  const isPage = typeof body === 'string';
  response.writeHead(status, { 'content-type': isPage ? 'text/html' : 'application/json', ...headers });
  response.end(isPage ? body : JSON.stringify(body));
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
