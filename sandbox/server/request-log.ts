import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from './call.ts';

/** Who called, once that is known. */
const callers = new WeakMap<FastifyRequest, Caller>();

/** Parameters of a path or a query that are secrets, by name. */
const SECRET = /^code$|secret|token|password|signature/i;

export function rememberCaller(request: FastifyRequest, caller: Caller | undefined): void {
  if (caller) callers.set(request, caller);
}

/**
 * Writes one line for each request: time, status, method, address, duration, caller. Headers and bodies are not written,
 * and secrets that stand in an address are masked.
 */
export function logRequests(app: FastifyInstance, write: (line: string) => void): void {
  app.addHook('onResponse', (request, reply, done) => {
    const caller = callers.get(request);
    const parts = [
      new Date().toISOString(),
      reply.statusCode,
      request.method,
      masked(request),
      `${Math.round(reply.elapsedTime)} ms`,
      ...(caller ? [caller.id] : []),
    ];
    write(parts.join(' '));
    done();
  });
}

/** The address of a request without its secrets. */
function masked(request: FastifyRequest): string {
  const [path = '/', query = ''] = request.url.split('?', 2);
  let shown = path;
  for (const [name, value] of Object.entries((request.params ?? {}) as Record<string, string>)) {
    if (SECRET.test(name) && value !== '') shown = shown.replaceAll(encodeURIComponent(value), '***');
  }
  if (query === '') return shown;
  const pairs = [...new URLSearchParams(query)].map(([name, value]) => [
    name,
    SECRET.test(name) ? '***' : value,
  ]);
  return `${shown}?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`;
}
