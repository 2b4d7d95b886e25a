import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
} from 'fastify';
import type { World } from '../world/world.ts';
import type { Area, Call, Caller, Reply, Route } from './area.ts';
import { printJson } from './json.ts';
import { Refusal } from './refusal.ts';
import { serveCall, serveRefusal, serveStates } from './serve.ts';

/** The date of the interface, last segment of every base URL. */
export const VERSION = '2025-10-13';

/** Read before it is refused, so that the caller gets an answer and not a broken connection. Bytes. */
const READ_LIMIT = 32 * 1024 * 1024;

/** Worlds by the name that stands in their URLs. */
export interface Worlds {
  /** Undefined when the name means nothing. */
  get(name: string): World | undefined;
  /** Why there is no world of this name, in one sentence; undefined where there is one. */
  whyNot(name: string): string | undefined;
}

export interface ServerOptions {
  readonly areas: readonly Area[];
  readonly worlds: Worlds;
  /** Bearer token that the provider states ask for; undefined: none. */
  readonly statesToken: string | undefined;
  /** Takes one line for each request; undefined: nobody reads them. */
  readonly log: ((line: string) => void) | undefined;
}

/** The HTTP side of the sandbox: routes of all areas, below every world's base path. */
export function createServer(options: ServerOptions): FastifyInstance {
  const app = Fastify({
    bodyLimit: READ_LIMIT,
    exposeHeadRoutes: false,
    rewriteUrl: ({ url }) => served(options.worlds, url ?? '/'),
    // As long as Node lets an address be: the names of many joined faults are long.
    routerOptions: { maxParamLength: 16_384 },
    forceCloseConnections: true,
    frameworkErrors: (error, request, reply) =>
      void refuse(options, request, reply, () => badRequest(error.message)),
    clientErrorHandler: (error, socket) => answerBrokenRequest(socket, error),
  });
  // Bodies stay bytes here: what a body may be is for the route and the behaviour of the world to say.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  if (options.log) logRequests(app, options.log);
  registerRoutes(app, options);
  registerStates(app, options);
  app.get('/health', (_request, reply) => reply.send({ status: 'ok' }));
  app.setNotFoundHandler((request, reply) =>
    refuse(options, request, reply, (world) => {
      const why = whyNoBase(options.worlds, request.url);
      return why === undefined
        ? world.behaviour.refuseUnknownRoute(request.method, request.url.split('?')[0]!)
        : unknownWorld(why);
    }),
  );
  app.setErrorHandler((error: { statusCode?: number; message: string }, request, reply) =>
    refuse(options, request, reply, (world) => refusalFor(world, error, request)),
  );
  return app;
}

/** The address as the routes know it: a world may serve at other paths what the interface gives no path for. */
function served(worlds: Worlds, url: string): string {
  const [, base, name, path, query] = new RegExp(`^(/([^/?]+)/${VERSION})(/[^?]*)(.*)$`).exec(url) ?? [];
  const world = name === undefined ? undefined : worlds.get(name);
  return world ? `${base}${world.behaviour.servedPath(path!)}${query}` : url;
}

function registerRoutes(app: FastifyInstance, options: ServerOptions): void {
  const byPath = new Map<string, Route[]>();
  for (const route of options.areas.flatMap((area) => area.routes)) {
    byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);
  }
  for (const [path, routes] of byPath) {
    const url = `/:world/${VERSION}${path}`;
    for (const route of routes) {
      app.route({
        method: route.method,
        url,
        handler: (request, reply) => serve(options, request, reply, route),
      });
    }
    const allowed = routes.map((route) => route.method);
    const others = app.supportedMethods.filter(
      (method) => !(allowed as string[]).includes(method),
    ) as HTTPMethods[];
    app.route({
      method: others,
      url,
      handler: (request, reply) =>
        refuse(options, request, reply, (world) => {
          const why = whyNoBase(options.worlds, request.url);
          return why === undefined
            ? world.behaviour.refuseMethod(request.method, allowed)
            : unknownWorld(why);
        }),
    });
  }
}

function registerStates(app: FastifyInstance, { areas, worlds, statesToken }: ServerOptions): void {
  const states = new Map(areas.flatMap((area) => area.states).map((state) => [state.name, state]));
  app.post('/:world/provider-states', async (request, reply) => {
    const world = worlds.get((request.params as { world: string }).world);
    if (!world) return write(reply, { status: 404, body: { message: noWorld(worlds, request) } });
    if (statesToken !== undefined && request.headers.authorization !== `Bearer ${statesToken}`) {
      return write(reply, {
        status: 401,
        body: { message: 'The provider states need their token (Bearer).' },
      });
    }
    return write(reply, await serveStates(world, states, bytesOf(request)));
  });
}

async function serve(
  options: ServerOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
): Promise<unknown> {
  const params = { ...(request.params as Record<string, string>) };
  const name = params['world'] ?? '';
  const world = options.worlds.get(name);
  if (!world) return refuse(options, request, reply, () => unknownWorld(noWorld(options.worlds, request)));
  const call: Call = {
    world,
    method: request.method,
    path: request.url.split('?')[0]!.slice(`/${name}/${VERSION}`.length),
    params,
    query: flat(request.query as Record<string, string | string[]>),
    headers: flat(request.headers),
    rawBody: bytesOf(request),
    body: undefined,
    caller: undefined,
  };
  const answer = await serveCall(call, route);
  rememberCaller(request, call.caller);
  return write(reply, answer, world);
}

/** A request that cannot be read, such as one with a broken percent escape. */
function badRequest(why: string): Refusal {
  return new Refusal(400, 'INVALID_REQUEST_FORMAT', why);
}

/** @param why in one sentence, with the fix */
function unknownWorld(why: string): Refusal {
  return new Refusal(404, 'REFERENCE_NOT_FOUND', why);
}

const NO_BASE_PATH = `This server answers below /WORLD/${VERSION}/, as in /default/${VERSION}/config.`;

/** What is wrong with the world or the date at the begin of an address, in one sentence with the fix; undefined: nothing. */
function whyNoBase(worlds: Worlds, url: string): string | undefined {
  const [, name = '', date = ''] = url.split(/[/?]/);
  if (date !== VERSION && !/^\d{4}-\d\d-\d\d$/.test(date)) return NO_BASE_PATH;
  if (date !== VERSION) return `There is no version ${date}: this server serves ${VERSION}.`;
  return worlds.whyNot(name);
}

function noWorld(worlds: Worlds, request: FastifyRequest): string {
  return worlds.whyNot((request.params as { world: string }).world) ?? 'There is no such world.';
}

async function refuse(
  { worlds }: ServerOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: (world: World) => Refusal,
): Promise<unknown> {
  const world = worlds.get(request.url.split(/[/?]/)[1] ?? '') ?? worlds.get('default')!;
  return write(reply, await serveRefusal({ world }, () => refusal(world)), world);
}

function refusalFor(
  world: World,
  error: { statusCode?: number; message: string },
  request: FastifyRequest,
): Refusal {
  const status = error.statusCode ?? 500;
  if (status === 413) return world.behaviour.refuseTooLarge(READ_LIMIT);
  if (status === 415) return world.behaviour.refuseContentType(request.headers['content-type'] ?? 'nothing');
  if (status < 500) return badRequest(error.message);
  console.error(error);
  return world.behaviour.refuseInternal();
}

function write(reply: FastifyReply, { status, body, headers = {} }: Reply, world?: World): FastifyReply {
  void reply.code(status).headers(headers);
  if (status === 204 && headers['content-length'] !== undefined) {
    // Fastify takes that header away.
    void reply.hijack();
    reply.raw.writeHead(status, headers).end();
    return reply;
  }
  if (body === undefined) return reply.send();
  const type = world ? world.behaviour.contentType({ status, body }) : 'application/json; charset=utf-8';
  return reply.type(type).send(typeof body === 'string' ? body : printJson(body));
}

function bytesOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

function flat(
  values: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Array.isArray(value) ? value.join(', ') : value]),
  );
}

/** Bytes that are no HTTP never reach a route; they get the error body all the same. */
function answerBrokenRequest(
  socket: { writable: boolean; end(text: string): void; destroy(): void },
  error: { code?: string },
): void {
  if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const body = printJson({
    status,
    code: 'INVALID_REQUEST_FORMAT',
    message: 'The request is not readable as HTTP.',
  });
  const head = `HTTP/1.1 ${status} ${status === 431 ? 'Request Header Fields Too Large' : 'Bad Request'}`;
  const headers = `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`;
  socket.end(`${head}\r\n${headers}\r\n\r\n${body}`);
}

/** Who called, once that is known. */
const callers = new WeakMap<FastifyRequest, Caller>();

/** Parameters of a path or a query that are secrets, by name. */
const SECRET = /^code$|secret|token|password|signature/i;

function rememberCaller(request: FastifyRequest, caller: Caller | undefined): void {
  if (caller) callers.set(request, caller);
}

/**
 * Writes one line for each request: time, status, method, address, duration, caller. Headers and bodies are not written,
 * and secrets that stand in an address are masked.
 */
function logRequests(app: FastifyInstance, write: (line: string) => void): void {
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
