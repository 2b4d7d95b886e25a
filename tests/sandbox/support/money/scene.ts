import type { FastifyInstance } from 'fastify';
import { areas } from '../../../../sandbox/areas/index.ts';
import { createServer, VERSION } from '../../../../sandbox/server/server.ts';
import type { World } from '../../../../sandbox/world/world.ts';
import { Worlds } from '../../../../sandbox/worlds.ts';

/** Somebody who may move money, and what there is to move it with. */
export interface Party {
  readonly token?: string;
  readonly agentId?: string;
  readonly customerId: string;
  readonly sourceAccountId: string;
  readonly destinationAccountId: string;
  readonly quote: Values;
  /** What the agent may spend in a day at most, in the currency of its accounts, at any rate there is. */
  readonly dailyLimit?: bigint;
}

export interface Scene {
  readonly client: Client;
  readonly parties: readonly Party[];
  /** The customers' limit of a day, in the currency of their accounts. */
  readonly volumes: ReadonlyMap<string, bigint>;
  readonly coin: Values;
}

const DAILY_VOLUME = 6_000;

/** Callers of every kind: two agents of one customer, one whose payouts fail, one under SCA, and their platforms. */
export async function setScene(client: Client): Promise<Scene> {
  const shared = await client.state('customer', {
    balance: 20_000,
    limits: { dailyVolume: DAILY_VOLUME, transactionSize: 3_000 },
  });
  const failing = await client.state('customer', {
    balance: 5_000,
    destinationCurrency: 'USD',
    executionFails: true,
  });
  const sca = await client.state('sca-customer', { balance: 5_000, challenges: 2 });
  const policies = [
    [4_000n, { spendingLimits: { currency: 'USD', dailyLimit: 4_000 }, approvalThresholds: usd(600) }],
    [4_340n, { spendingLimits: { currency: 'EUR', dailyLimit: 4_000 }, approvalThresholds: usd(100) }],
  ] as const;
  const parties: Party[] = [];
  for (const [dailyLimit, policy] of policies)
    parties.push({ ...(await agentOf(client, shared, policy)), dailyLimit });
  parties.push(await agentOf(client, failing, { approvalThresholds: usd(900) }));
  parties.push(partyOf(shared), partyOf(failing), partyOf(sca));
  const coin = await client.state('stablecoin', { registered: true, minted: 1_000 });
  await client.state('card', { customerId: shared['customerId'] });
  return { client, parties, volumes: new Map([[String(shared['customerId']), BigInt(DAILY_VOLUME)]]), coin };
}

const usd = (amount: number) => ({ currency: 'USD', amount });

const PERMISSIONS = ['CREATE_TRANSFERS', 'CREATE_QUOTES', 'EXECUTE_QUOTES', 'VIEW_TRANSACTIONS'];

function partyOf(values: Values): Party {
  const { customerId, sourceAccountId, destinationAccountId, body } = values;
  return { customerId, sourceAccountId, destinationAccountId, quote: body as Values };
}

async function agentOf(client: Client, values: Values, policy: object): Promise<Party> {
  const { body } = await client.platform('POST', '/agents', {
    name: 'Spender',
    customerId: values['customerId'],
    policy: { permissions: PERMISSIONS, ...policy },
  });
  const redeemed = await client.agent('none', `/agents/device-codes/${body['deviceCode']}/redeem`);
  const party = { ...partyOf(values), token: redeemed.body['accessToken'], agentId: body['agent'].id };
  // What it transfers to must hold the currency of what it transfers from.
  if (values['destinationCurrency'] === 'USD') return party;
  const external = await client.platform('POST', '/customers/external-accounts', {
    customerId: values['customerId'],
    currency: 'USD',
    accountInfo: { accountType: 'USD_ACCOUNT' },
  });
  return { ...party, destinationAccountId: external.body['id'] };
}

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
  readonly server: FastifyInstance;
  readonly worlds: Worlds;
  readonly world: World;

  /** @param name of the world; each name is a new one */
  constructor(name: string, before?: Client) {
    this.worlds = before?.worlds ?? new Worlds(config);
    const { worlds } = this;
    this.server = before?.server ?? createServer({ areas, worlds, statesToken: undefined, log: undefined });
    this.world = worlds.get(name)!;
  }

  platform(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Answered> {
    return this.send(method, path, `Basic ${btoa(`${config.clientId}:${config.clientSecret}`)}`, body);
  }

  agent(token: string, path: string, body?: object, key?: string): Promise<Answered> {
    return this.send('POST', path, `Bearer ${token}`, body, key);
  }

  async state(state: string, params: object = {}): Promise<Values> {
    const answer = await this.server.inject({
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
    const answer = await this.server.inject({
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
