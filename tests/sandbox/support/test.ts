import { test as base } from '@playwright/test';
import { startSandbox, type Sandbox } from '../../../sandbox/start.ts';

export { expect } from '@playwright/test';

/** A test with a sandbox that its worker shares; every test makes its own records. */
export const test = base.extend<object, { caller: Caller }>({
  caller: [
    async ({}, use) => {
      const sandbox = await startSandbox();
      await use(new Caller(sandbox));
      await sandbox.close();
    },
    { scope: 'worker' },
  ],
});

/** An answer; `body` is what JSON.parse makes of it, `text` is exact. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
  readonly headers: Headers;
}

export interface Prepared {
  readonly agentId: string;
  readonly accessToken: string;
  readonly customerId: string;
  readonly platformCustomerId: string;
  readonly sourceAccountId: string;
  readonly destinationAccountId: string;
  readonly currency: string;
  readonly supportedRails: string[];
}

type RequestHeaders = Record<string, string>;

/** Calls one world of a sandbox in this process. */
export class Caller {
  readonly sandbox: Sandbox;
  readonly world: string;

  constructor(sandbox: Sandbox, world = 'default') {
    this.sandbox = sandbox;
    this.world = world;
  }

  /** The same sandbox, another world. */
  in(world: string): Caller {
    return new Caller(this.sandbox, world);
  }

  /** @param body text goes out as it is, anything else as JSON */
  async send(
    method: string,
    path: string,
    authorization?: string,
    body?: unknown,
    headers: RequestHeaders = {},
  ): Promise<Answer> {
    const response = await fetch(this.sandbox.baseUrl(this.world) + path, {
      method,
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return read(response);
  }

  platform(method: string, path: string, body?: unknown, headers?: RequestHeaders): Promise<Answer> {
    const { clientId, clientSecret } = this.sandbox;
    return this.send(method, path, `Basic ${btoa(`${clientId}:${clientSecret}`)}`, body, headers);
  }

  agent(
    agent: Prepared,
    method: string,
    path: string,
    body?: unknown,
    headers?: RequestHeaders,
  ): Promise<Answer> {
    return this.send(method, path, `Bearer ${agent.accessToken}`, body, headers);
  }

  async state<T = Prepared>(state: string, params: object = {}): Promise<T> {
    const answer = await this.setUp(state, params);
    if (answer.status !== 200) throw new Error(`state ${state}: ${answer.text}`);
    return answer.body as T;
  }

  async setUp(state: string, params: object = {}): Promise<Answer> {
    const response = await fetch(this.sandbox.statesUrl(this.world), {
      method: 'POST',
      body: JSON.stringify({ state, params, action: 'setup' }),
    });
    return read(response);
  }

  transfer(agent: Prepared, changes: object = {}, headers?: RequestHeaders): Promise<Answer> {
    return this.agent(agent, 'POST', '/agents/me/transfer-out', transferBody(agent, changes), headers);
  }

  async balance(agent: Prepared): Promise<number> {
    const { body } = await this.agent(agent, 'GET', '/agents/me/internal-accounts');
    const account = (body.data as { id: string; balance: { amount: number } }[]).find(
      ({ id }) => id === agent.sourceAccountId,
    );
    return account!.balance.amount;
  }
}

export function transferBody(agent: Prepared, changes: object = {}): Record<string, unknown> {
  return {
    source: { accountId: agent.sourceAccountId },
    destination: { accountId: agent.destinationAccountId },
    amount: 100,
    ...changes,
  };
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  const body: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
  return { status: response.status, text, body, headers: response.headers };
}

/** Values of a prepared state, whatever it is. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Values = Record<string, any>;

/** The sandbox as one platform sees it. */
export class Service {
  readonly caller: Caller;
  readonly values: Values;

  /** @param values of the state at hand; their credentials are used, where they hold some */
  constructor(caller: Caller, values: Values) {
    this.caller = caller;
    this.values = values;
  }

  static async at(caller: Caller, state: string, params: object = {}): Promise<Service> {
    return new Service(caller, await caller.state<Values>(state, params));
  }

  send(method: string, path: string, body?: unknown): Promise<Answer> {
    const { clientId, clientSecret } = this.values['clientId'] ? this.values : this.caller.sandbox;
    return this.caller.send(method, path, `Basic ${btoa(`${clientId}:${clientSecret}`)}`, body);
  }

  async balance(): Promise<number> {
    const { body } = await this.send(
      'GET',
      `/customers/internal-accounts?customerId=${this.values['customerId']}`,
    );
    return body.data.find(({ id }: { id: string }) => id === this.values['sourceAccountId']).balance.amount;
  }
}
