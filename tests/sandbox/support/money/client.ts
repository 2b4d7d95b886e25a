import type { FastifyInstance } from 'fastify';
import { areas } from '../../../../sandbox/areas/index.ts';
import { createServer, VERSION } from '../../../../sandbox/server/server.ts';
import { Worlds } from '../../../../sandbox/worlds.ts';
import type { World } from '../../../../sandbox/world/world.ts';

const config = { clientId: 'c', clientSecret: 's', brand: 'Service', latency: 0, bodyLimit: 1_000_000 };

/** Words of an answer, whatever it is about. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Values = Record<string, any>;

export interface Answered {
  readonly status: number;
  readonly body: Values;
}

/** The service without a network: worlds of one server, each reached by calls that go through all of its code. */
export class Client {
  readonly #server: FastifyInstance;
  readonly #worlds: Worlds;
  readonly world: World;

  /** @param name of the world; each name is a new one */
  constructor(name: string, before?: Client) {
    this.#worlds = before?.worlds ?? new Worlds(config);
    const worlds = this.#worlds;
    this.#server = before?.server ?? createServer({ areas, worlds, statesToken: undefined, log: undefined });
    this.world = worlds.get(name)!;
  }

  get server(): FastifyInstance {
    return this.#server;
  }

  get worlds(): Worlds {
    return this.#worlds;
  }

  platform(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Answered> {
    return this.send(method, path, `Basic ${btoa(`${config.clientId}:${config.clientSecret}`)}`, body);
  }

  agent(token: string, path: string, body?: object, key?: string): Promise<Answered> {
    return this.send('POST', path, `Bearer ${token}`, body, key);
  }

  async state(state: string, params: object = {}): Promise<Values> {
    const answer = await this.#server.inject({
      method: 'POST',
      url: `/${this.world.name}/provider-states`,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ state, params, action: 'setup' }),
    });
    return answer.json() as Values;
  }

  async send(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    authorization: string,
    body?: object,
    key?: string,
  ): Promise<Answered> {
    const answer = await this.#server.inject({
      method,
      url: `/${this.world.name}/${VERSION}${path}`,
      headers: {
        authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, body: answer.body === '' ? {} : (answer.json() as Values) };
  }
}
