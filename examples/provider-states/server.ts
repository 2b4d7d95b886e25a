/**
 * A provider-states endpoint (docs/provider-states.md) in one file, without packages: a template for your own. It prepares
 * states by calls of the service at BASE_URL; put your own test data in the place of these calls, and add states.
 *
 *   BASE_URL=… CLIENT_ID=… CLIENT_SECRET=… STATES_TOKEN=… node --import tsx examples/provider-states/server.ts
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

type Json = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

const { BASE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', STATES_TOKEN, PORT = '4020' } = process.env;
const BASIC = `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`;
const ALL = 'VIEW_TRANSACTIONS CREATE_TRANSFERS CREATE_QUOTES EXECUTE_QUOTES MANAGE_EXTERNAL_ACCOUNTS'.split(
  ' ',
);

/** The state is not there, or not with these params: 404 or 422 with the reason, which the report shows. */
const refusal = (status: number, message: string) => Object.assign(new Error(message), { status });

/** One call of the service, as the platform unless said otherwise. */
async function call(method: string, path: string, body?: Json, authorization = BASIC): Promise<Json> {
  const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) };
  const response = await fetch(`${BASE_URL}${path}`, {
    method,
    ...(body ? { headers, body: JSON.stringify(body) } : authorization ? { headers: { authorization } } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 200)}`);
  return text === '' ? {} : (JSON.parse(text) as Json);
}

function newCustomer(): Promise<Json> {
  const name = `states-${randomUUID()}`;
  return call('POST', '/customers', {
    customerType: 'INDIVIDUAL',
    platformCustomerId: name,
    email: `${name}@example.com`,
    fullName: 'Ada Example',
    birthDate: '1990-12-10',
    address: { line1: '1 Example Street', city: 'Austin', state: 'TX', postalCode: '78701', country: 'US' },
  });
}

/** The customer's account in this currency, with this much money, in the smallest unit. */
async function internalAccount(customerId: string, currency: string, money: number): Promise<string> {
  const { data } = await call('GET', `/customers/internal-accounts?customerId=${customerId}`);
  const currencyOf = ({ balance }: Json) => balance.currency.code ?? balance.currency;
  const account = (data as Json[]).find((one) => currencyOf(one) === currency);
  if (!account) throw refusal(422, `a new customer has no account in ${currency}`);
  if (money > 0) await call('POST', `/sandbox/internal-accounts/${account.id}/fund`, { amount: money });
  return account.id as string;
}

function externalAccount(customerId: string, currency: string, rails = ['ACH', 'WIRE']): Promise<Json> {
  const accountInfo = {
    accountType: `${currency}_ACCOUNT`,
    paymentRails: rails,
    accountNumber: String(Math.floor(1e9 + Math.random() * 9e9)),
    routingNumber: '021000021',
    bankName: 'Example Bank',
  };
  return call('POST', '/customers/external-accounts', { customerId, currency, accountInfo });
}

function policyOf(params: Json, currency: string): Json {
  const { approvalThreshold: amount, dailyLimit = 100_000_000, perTransactionLimit = dailyLimit } = params;
  return {
    permissions: params.permissions ?? ALL,
    defaultExecutionMode: params.execution ?? 'AUTO',
    spendingLimits: { currency, perTransactionLimit, dailyLimit },
    ...(amount === undefined ? {} : { approvalThresholds: { currency, amount } }),
  };
}

async function agent(params: Json): Promise<Json> {
  const { currency = 'USD', balance = 1_000_000, rails } = params;
  const { id: customerId, platformCustomerId } = await newCustomer();
  const sourceAccountId = await internalAccount(customerId, currency, balance);
  const destination = await externalAccount(customerId, currency, rails);
  const policy = policyOf(params, currency);
  const { deviceCode } = await call('POST', '/agents', { name: 'States', customerId, policy });
  const redeem = `/agents/device-codes/${deviceCode.code ?? deviceCode}/redeem`;
  const { agentId, accessToken } = await call('POST', redeem, undefined, '');
  const supportedRails = destination.accountInfo.paymentRails;
  const accounts = { sourceAccountId, destinationAccountId: destination.id, supportedRails };
  return { agentId, accessToken, customerId, platformCustomerId, ...accounts, currency, balance };
}

async function foreignAccounts({ currency = 'USD' }: Json): Promise<Json> {
  const { id: customerId } = await newCustomer();
  const internalAccountId = await internalAccount(customerId, currency, 0);
  const { id: externalAccountId } = await externalAccount(customerId, currency);
  return { customerId, internalAccountId, externalAccountId };
}

/** An agent that asks for more than its account holds. */
async function executionFailure(params: Json): Promise<Json> {
  return { ...(await agent({ ...params, balance: 10_000 })), amount: 50_000 };
}

const LIMITS = ['permissions', 'execution', 'approvalThreshold', 'perTransactionLimit', 'dailyLimit'];
const POLICY = [...LIMITS, 'currency', 'rails'];
/** Each state, with the params that it understands: every other param is refused, never ignored. */
const STATES: Record<string, { params: string[]; prepare: (params: Json) => Promise<Json> }> = {
  agent: { params: [...POLICY, 'balance'], prepare: agent },
  'foreign-accounts': { params: ['currency'], prepare: foreignAccounts },
  'execution-failure': { params: POLICY, prepare: executionFailure },
};

async function prepare({ state, params = {}, action = 'setup' }: Json): Promise<Json> {
  if (action === 'teardown') return params.agentId ? call('DELETE', `/agents/${params.agentId}`) : {};
  const known = STATES[state];
  if (!known) throw refusal(404, `there is no state ${state}`);
  const strange = Object.keys(params).filter((name) => !known.params.includes(name));
  if (strange.length > 0) throw refusal(422, `${state} cannot be prepared with ${strange.join(', ')}`);
  return known.prepare(params);
}

const server = createServer((request, response) => {
  const answer = (status: number, body: Json) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  request.on('end', () => {
    const isKnown = !STATES_TOKEN || request.headers.authorization === `Bearer ${STATES_TOKEN}`;
    if (!isKnown) return answer(401, { message: 'wrong token' });
    Promise.resolve(text)
      .then((json) => prepare(JSON.parse(json || '{}') as Json))
      .then((values) => answer(200, values))
      .catch((error: Error & { status?: number }) => answer(error.status ?? 500, { message: error.message }));
  });
});
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address() as { port: number };
  console.log(`provider states on http://127.0.0.1:${address.port}`);
});
