import { expect, test } from '@playwright/test';
import { Ladder, isShared, preparedBy, type Refusals } from '../../target/providers/ladder.ts';
import {
  CannotPrepare,
  PreparationFailed,
  type StateProvider,
  type StateValues,
} from '../../target/providers/state-provider.ts';
import { HttpClient, type Exchange } from '../../client/http/http-client.ts';
import { ProviderStates } from '../../target/providers/provider-states.ts';
import { answerOf, bytesServer } from '../support/servers.ts';
import { FixturesFile } from '../../target/providers/fixtures-file.ts';
import { scratchFile } from '../support/run-assay.ts';
import type { Profile } from '../../target/profile.ts';
import { readDialect } from '../../target/dialect/read-dialect.ts';
import { Spares } from '../../target/providers/public-calls/spares.ts';
import { PublicCalls } from '../../target/providers/public-calls/public-calls.ts';

/** A provider that has these states, and what it was asked for. */
function having(
  name: string,
  states: Readonly<Record<string, StateValues | Error>>,
): StateProvider & { readonly asked: string[]; readonly removed: string[] } {
  const asked: string[] = [];
  const removed: string[] = [];
  return {
    name,
    asked,
    removed,
    setUp: (state) => {
      asked.push(state);
      const found = states[state] ?? new CannotPrepare(`${name} has no ${state}`, 404);
      return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
    },
    forbids: (operation) => (name === 'fixtures' ? `not ${operation}` : undefined),
    tearDown: (state) => Promise.resolve(void removed.push(state)),
  };
}

/** A URL that serves one state, public calls, a file. */
function three(refusals?: Refusals) {
  const url = having('provider-states', { 'sca-customer': { customerId: 'served' } });
  const calls = having('public-calls', { agent: { agentId: 'made' } });
  const file = having('fixtures', { agent: { agentId: 'kept' }, terms: { version: 'kept' } });
  return { url, calls, file, ladder: new Ladder([url, calls, file], refusals) };
}

test('each state comes from the first who has it, and goes back to him', async () => {
  const { ladder, url, calls, file } = three();
  for (const [state, name] of [
    ['sca-customer', 'provider-states'],
    ['agent', 'public-calls'],
    ['terms', 'fixtures'],
  ] as const) {
    const values = await ladder.setUp(state, {});
    expect(preparedBy(values)).toBe(name);
    expect(isShared(values)).toBe(name === 'fixtures');
    await ladder.tearDown(state, values);
  }
  expect([url.removed, calls.removed, file.removed]).toEqual([['sca-customer'], ['agent'], ['terms']]);
  expect(ladder.forbids('deleteAgent')).toBe('not deleteAgent');
});

/** Asks a server that answers with these bytes for a state. */
async function ask(bytes: string) {
  await using server = await bytesServer((socket) => socket.end(bytes));
  const http = new HttpClient({ timeoutMs: 500 });
  const outcome: unknown = await new ProviderStates(http, server.url, 'the-token')
    .setUp('agent', { balance: 1 })
    .catch((error: unknown) => error);
  await http.close();
  return { outcome, received: server.received[0] ?? '' };
}

const answered = (status: number, body = '') => answerOf(body, `HTTP/1.1 ${status} X`);
type Kind = typeof CannotPrepare | typeof PreparationFailed;
const NO_OBJECT = /must answer with a JSON object of values/;

const CASES: readonly (readonly [bytes: string, kind: Kind, message: RegExp])[] = [
  [answered(404, '{"message":"what?"}'), CannotPrepare, /cannot prepare the state "agent" \(404: what\?\)/],
  [answered(422), CannotPrepare, /\(422\)/],
  [answered(403), PreparationFailed, /check PROVIDER_STATES_TOKEN/],
  [answered(429), PreparationFailed, /answers 429: too many requests$/],
  [answered(500, '{"message":"oh"}'), PreparationFailed, /answers 500: oh/],
  [answered(302), PreparationFailed, /answers 302/],
  [answerOf('[1]'), PreparationFailed, NO_OBJECT],
  [answerOf('done'), PreparationFailed, NO_OBJECT],
  ['', PreparationFailed, /gave no answer: the connection was closed/],
];

for (const [bytes, kind, message] of CASES)
  test(`${kind.name} on ${JSON.stringify(bytes)}`, async () => {
    const { outcome } = await ask(bytes);
    expect(outcome).toBeInstanceOf(kind);
    expect((outcome as Error).message).toMatch(message);
  });

const file = (text: string) => new FixturesFile(scratchFile('fixtures.yaml', text));

const STATES = `states:
  agent:
    - values: { agentId: plain }
    - params: { approvalThreshold: 10, currency: USD }
      values: { agentId: limited }`;

test('a state fits when its params are exactly those that are asked for, in any order', async () => {
  expect(await file(STATES).setUp('agent', {})).toEqual({ agentId: 'plain' });
  expect(await file(STATES).setUp('agent', { currency: 'USD', approvalThreshold: 10 })).toEqual({
    agentId: 'limited',
  });
});

test('anything else cannot be prepared, and what nearly matches is suggested', async () => {
  for (const [state, params, message] of [
    ['agent', { approvalThreshold: 11 }, /has no state "agent" with params \{"approvalThreshold":11\}/],
    ['clock', {}, /has no state "clock" with params \{\}/],
    [
      'agent',
      { currency: 'USD', approvalThreshold: 100 },
      /; did you mean \{"approvalThreshold":10,"currency":"USD"\} to be it\?$/,
    ],
  ] as const)
    await expect(file(STATES).setUp(state, params)).rejects.toThrow(message);
});

for (const [row, sentence] of [
  ['agnet: [{ values: {} }]', /has an unknown state agnet; did you mean agent\?$/],
  [
    'agent: [{ values: {}, spendabel: true }]',
    /, line 2, has an unknown key spendabel; did you mean spendable\?$/,
  ],
  [
    'agent: [{ values: {}, params: { approvalTreshold: 5 } }]',
    /, line 2, has an unknown param approvalTreshold of agent; did you mean approvalThreshold\?$/,
  ],
] as const)
  test(`what nobody would read or ask for is refused: ${row}`, () =>
    expect(() => file(`states:\n  ${row}`)).toThrow(sentence));

test('nothing of a row is spent or changed beyond what it allows', async () => {
  const fixtures = file(`states:
  agent:
    - values: { agentId: kept }
    - { params: { balance: 1 }, values: { agentId: rich }, spendable: true }`);
  expect(fixtures.forbids('transferOut')).toBeUndefined();
  await fixtures.setUp('agent', { balance: 1 });
  expect(fixtures.forbids('transferOut')).toBeUndefined();
  expect(fixtures.forbids('deleteAgent')).toBe(
    'the check calls deleteAgent, which changes its records, and the fixtures file\'s row of "agent" does not say changeable: true',
  );
  await fixtures.setUp('agent', {});
  expect(fixtures.forbids('transferOut')).toMatch(/does not say spendable: true$/);
  expect(fixtures.forbids('getMyAction')).toBeUndefined();
});

type Values = Readonly<Record<string, unknown>>;
const PROFILE = {
  currency: 'USD',
  cleanUp: {},
  dialect: {
    ...readDialect(undefined).dialect,
    effectSeconds: 0.5,
    bodies: { createAgent: { name: 'another name' } },
  },
} as unknown as Profile;
const ANSWERS: Values = {
  listInternalAccounts: {
    data: [
      { id: 'InternalAccount:eur', balance: { currency: 'EUR' } },
      { id: 'InternalAccount:usd', balance: { currency: 'USD' } },
      { id: 'InternalAccount:wallet', type: 'EMBEDDED_WALLET' },
    ],
  },
  fundInternalAccount: {},
  listCredentials: { data: [{ id: 'AuthMethod:1', type: 'EMAIL_OTP' }] },
  createExternalAccount: { id: 'ExternalAccount:1', accountInfo: { paymentRails: ['ACH'] } },
  createAgent: { agent: { id: 'Agent:1' }, deviceCode: { code: 'the-code' } },
};

/** The policy is shown as it was asked for. */
function redeemed(calls: readonly { operation: string; body?: unknown }[]) {
  const { policy } = calls.find(({ operation }) => operation === 'createAgent')!.body as { policy: object };
  return { agentId: 'Agent:1', accessToken: 'the-token', policy };
}

/** Public calls against answers from a table. */
function provider(
  changes: Readonly<Record<string, { status?: number; body?: unknown; failure?: string }>> = {},
  profile = PROFILE,
) {
  const recalled: string[] = [];
  const leftOver = { spares: new Spares(), record: (label: string) => void recalled.push(label) };
  const calls: { operation: string; body?: unknown; authorization?: unknown }[] = [];
  const publicCalls = new PublicCalls(
    profile,
    (operation, parts) => {
      calls.push({ operation, ...parts });
      const customers = calls.filter((call) => call.operation === 'createCustomer').length;
      const made: unknown = { createCustomer: { id: `Customer:${customers}` } }[operation];
      const usual = operation === 'redeemDeviceCode' ? redeemed(calls) : (made ?? ANSWERS[operation]);
      const { status = 200, body: changed = usual, failure } = changes[operation] ?? {};
      const asked = calls.filter((call) => call.operation === operation).length;
      const body: unknown = typeof changed === 'function' ? changed(asked) : changed;
      const exchange = { at: 0, milliseconds: 1, request: { method: 'POST', url: 'x', headers: {} } };
      const whole: Exchange =
        failure === undefined
          ? { ...exchange, response: { status, headers: {}, text: JSON.stringify(body) ?? '' } }
          : { ...exchange, failure };
      return Promise.resolve({ exchange: whole });
    },
    leftOver,
  );
  return { publicCalls, calls, recalled };
}

test('an agent is prepared with the policy that is asked for', async () => {
  const { publicCalls, calls } = provider();
  const values = await publicCalls.setUp('agent', { approvalThreshold: 10, balance: 500 });
  expect(values).toMatchObject({
    agentId: 'Agent:1',
    accessToken: 'the-token',
    sourceAccountId: 'InternalAccount:usd',
    destinationAccountId: 'ExternalAccount:1',
    supportedRails: ['ACH'],
    balance: 500,
  });
  const created = calls.find((call) => call.operation === 'createAgent')?.body;
  expect(created).toMatchObject({
    name: 'another name',
    policy: {
      approvalThresholds: { currency: 'USD', amount: 10 },
      spendingLimits: { currency: 'USD', perTransactionLimit: 100_000_000 },
    },
  });
  expect(calls.find((call) => call.operation === 'redeemDeviceCode')).toHaveProperty(
    'authorization',
    undefined,
  );
});

test('an account that comes a moment after its customer is waited for', async () => {
  const late = (asked: number) => (asked < 3 ? { data: [] } : ANSWERS['listInternalAccounts']);
  const { publicCalls } = provider({ listInternalAccounts: { body: late } }, { ...PROFILE });
  await expect(publicCalls.setUp('new-wallet', {})).resolves.toHaveProperty('accountId');
});

test('an account that never comes is waited for once', async () => {
  const { publicCalls, calls } = provider({ listInternalAccounts: { body: { data: [] } } }, { ...PROFILE });
  await expect(publicCalls.setUp('new-wallet', {})).rejects.toThrow(/no internal account of type/);
  const before = calls.length;
  await expect(publicCalls.setUp('new-wallet', {})).rejects.toThrow(CannotPrepare);
  expect(calls.slice(before).map(({ operation }) => operation)).toEqual([
    'createCustomer',
    'listInternalAccounts',
  ]);
});

test('money that comes a moment after its funding is waited for', async () => {
  const account = (amount: number) => ({
    id: 'InternalAccount:usd',
    customerId: 'Customer:1',
    balance: { amount, currency: 'USD' },
  });
  const list = (asked: number) => ({ data: [account(asked < 3 ? 0 : 1_000_000)] });
  const changes = { fundInternalAccount: { body: account(0) }, listInternalAccounts: { body: list } };
  const { publicCalls, calls } = provider(changes, { ...PROFILE });
  await publicCalls.setUp('agent', { balance: 1_000_000 });
  expect(calls.filter(({ operation }) => operation === 'listInternalAccounts').length).toBeGreaterThanOrEqual(
    3,
  );
});

test('an external account that is not in use yet is waited for', async () => {
  const created = { id: 'ExternalAccount:1', status: 'IN_REVIEW' };
  const read = (asked: number) => ({ ...created, status: asked < 2 ? 'IN_REVIEW' : 'ACTIVE' });
  const changes = { createExternalAccount: { body: created }, getExternalAccount: { body: read } };
  const { publicCalls, calls } = provider(changes, { ...PROFILE });
  await publicCalls.setUp('agent', {});
  expect(calls.filter(({ operation }) => operation === 'getExternalAccount')).toHaveLength(2);
});

type Changes = Parameters<typeof provider>[0];

/** What goes wrong in which step. */
const STEPS: readonly (readonly [changes: Changes, kind: Kind, message: RegExp])[] = [
  [
    { createCustomer: { status: 400 } },
    CannotPrepare,
    /refused "preparing: creating a customer" \(400\): .*dialect\.bodies\.createCustomer/,
  ],
  [{ createAgent: { status: 500 } }, PreparationFailed, /answered 500/],
  [{ createAgent: { failure: 'it was late' } }, PreparationFailed, /got no answer: it was late/],
  [{ createCustomer: { body: {} } }, PreparationFailed, /came without an id/],
  [{ listInternalAccounts: { body: { data: [] } } }, CannotPrepare, /has no internal account/],
  [{ createAgent: { body: {} } }, PreparationFailed, /without a device code/],
];

for (const [changes, kind, message] of STEPS)
  test(`${kind.name} where ${JSON.stringify(changes)}`, async () => {
    const prepared = provider(changes).publicCalls.setUp('agent', {});
    await expect(prepared).rejects.toThrow(kind);
    await expect(prepared).rejects.toThrow(message);
  });

const AGENT = { agentId: 'Agent:1', accessToken: 'the-token' };
const ABOVE = { approvalThresholds: { currency: 'USD', amount: 1_000 } };
const RENAMED = { spendingLimits: { currency: 'USD', maximum: 5 } };
const WAITS = { defaultExecutionMode: 'APPROVAL_REQUIRED' };
const NOT_CARRIED: readonly (readonly [what: string, params: Values, policy: object, name: string])[] = [
  ['a threshold that was ignored', { approvalThreshold: 10 }, {}, 'approvalThresholds'],
  ['a threshold of another amount', { approvalThreshold: 10 }, ABOVE, 'approvalThresholds'],
  ['a limit under another name', { perTransactionLimit: 5 }, RENAMED, 'spendingLimits'],
  ['a permission too many', { permissions: ['A'] }, { permissions: ['A', 'B'] }, 'permissions'],
  ['approval that nobody asked for', {}, WAITS, 'defaultExecutionMode'],
];

for (const [what, params, policy, name] of NOT_CARRIED)
  test(`an agent is not prepared with ${what}`, async () => {
    const { publicCalls } = provider({ redeemDeviceCode: { body: { ...AGENT, policy } } });
    const prepared = publicCalls.setUp('agent', params);
    await expect(prepared).rejects.toThrow(CannotPrepare);
    await expect(prepared).rejects.toThrow(
      new RegExp(`does not carry the ${name} .*dialect\\.bodies\\.createAgent`),
    );
  });

test('a policy that is shown nowhere will do for an ordinary agent, and for no other', async () => {
  const silent = { redeemDeviceCode: { body: AGENT }, getMe: { status: 404 } };
  await expect(provider(silent).publicCalls.setUp('agent', {})).resolves.toMatchObject(AGENT);
  await expect(provider(silent).publicCalls.setUp('agent', { dailyLimit: 5 })).rejects.toThrow(
    /shows no policy of the created agent, so it may know nothing of spendingLimits/,
  );
  const shownToAgent = { ...silent, getMe: { body: { policy: { permissions: ['A'] } } } };
  const { publicCalls, calls } = provider(shownToAgent);
  await expect(publicCalls.setUp('agent', { permissions: ['A'] })).resolves.toMatchObject(AGENT);
  expect(calls.find(({ operation }) => operation === 'getMe')?.authorization).toBe('Bearer the-token');
});
