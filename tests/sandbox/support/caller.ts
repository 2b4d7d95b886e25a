import type { Sandbox } from '../../../sandbox/start.ts';

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

  platform(method: string, path: string, body?: unknown): Promise<Answer> {
    const { clientId, clientSecret } = this.sandbox;
    return this.send(
      method,
      path,
      `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      body,
    );
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

  decide(agent: Prepared, actionId: string, decision: 'approve' | 'reject', body?: unknown): Promise<Answer> {
    return this.platform('POST', `/agents/${agent.agentId}/actions/${actionId}/${decision}`, body);
  }

  async balance(agent: Prepared): Promise<number> {
    const { body } = await this.agent(agent, 'GET', '/agents/me/internal-accounts');
    const account = (body.data as { id: string; balance: { amount: number } }[]).find(
      ({ id }) => id === agent.sourceAccountId,
    );
    return account!.balance.amount;
  }

  async actionIds(agent: Prepared): Promise<string[]> {
    const { body } = await this.agent(agent, 'GET', '/agents/me/actions');
    return (body.data as { id: string }[]).map(({ id }) => id);
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
