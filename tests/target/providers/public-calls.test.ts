import { expect, test } from '@playwright/test';
import type { Exchange } from '../../../client/http/exchange.ts';
import type { Profile } from '../../../target/profile.ts';
import { readDialect } from '../../../target/dialect/read-dialect.ts';
import { PublicCalls } from '../../../target/providers/public-calls/public-calls.ts';
import { CannotPrepare, PreparationFailed } from '../../../target/providers/state-provider.ts';

const PROFILE = {
  currency: 'USD',
  dialect: { ...readDialect(undefined).dialect, bodies: { createAgent: { name: 'another name' } } },
} as unknown as Profile;
const ANSWERS: Readonly<Record<string, unknown>> = {
  createCustomer: { id: 'Customer:1' },
  listInternalAccounts: {
    data: [
      { id: 'InternalAccount:eur', balance: { currency: 'EUR' } },
      { id: 'InternalAccount:usd', balance: { currency: 'USD' } },
    ],
  },
  fundInternalAccount: {},
  createExternalAccount: { id: 'ExternalAccount:1', accountInfo: { paymentRails: ['ACH'] } },
  createAgent: { agent: { id: 'Agent:1' }, deviceCode: { code: 'the-code' } },
  redeemDeviceCode: { agentId: 'Agent:1', accessToken: 'the-token' },
};

/** Public calls against answers from a table. */
function provider(
  changes: Readonly<Record<string, { status?: number; body?: unknown; failure?: string }>> = {},
) {
  const calls: { operation: string; body?: unknown; authorization?: unknown }[] = [];
  const publicCalls = new PublicCalls(PROFILE, (operation, parts) => {
    calls.push({ operation, ...parts });
    const { status = 200, body = ANSWERS[operation], failure } = changes[operation] ?? {};
    const exchange = { at: 0, milliseconds: 1, request: { method: 'POST', url: 'x', headers: {} } };
    const whole: Exchange =
      failure === undefined
        ? { ...exchange, response: { status, headers: {}, text: JSON.stringify(body) ?? '' } }
        : { ...exchange, failure };
    return Promise.resolve({ exchange: whole });
  });
  return { publicCalls, calls };
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
    policy: { approvalThresholds: { currency: 'USD', amount: 10 } },
  });
  expect(calls.find((call) => call.operation === 'redeemDeviceCode')).toHaveProperty(
    'authorization',
    undefined,
  );
});

const CASES: readonly (readonly [
  what: string,
  changes: Parameters<typeof provider>[0],
  kind: typeof CannotPrepare | typeof PreparationFailed,
  message: RegExp,
])[] = [
  [
    'a refused step',
    { createCustomer: { status: 400 } },
    CannotPrepare,
    /refused "preparing: creating a customer" \(400\): .*dialect\.bodies\.createCustomer/,
  ],
  ['an error of the target', { createAgent: { status: 500 } }, PreparationFailed, /answered 500/],
  [
    'no answer',
    { createAgent: { failure: 'no answer came in time' } },
    PreparationFailed,
    /got no answer: no answer came in time/,
  ],
  ['an answer without its id', { createCustomer: { body: {} } }, PreparationFailed, /came without an id/],
  ['no account', { listInternalAccounts: { body: { data: [] } } }, CannotPrepare, /has no internal account/],
  ['no device code', { createAgent: { body: {} } }, PreparationFailed, /without a device code/],
];

for (const [what, changes, kind, message] of CASES)
  test(`${what}: ${kind.name}`, async () => {
    const thrown: unknown = await provider(changes)
      .publicCalls.setUp('agent', {})
      .catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(kind);
    expect((thrown as Error).message).toMatch(message);
  });

test('rails that the account did not get cannot be prepared', async () => {
  await expect(provider().publicCalls.setUp('agent', { rails: ['WIRE'] })).rejects.toThrow(
    'without the rails WIRE',
  );
});

test('a state without a recipe points to the provider-states URL', async () => {
  await expect(provider().publicCalls.setUp('webhook', {})).rejects.toThrow(
    'serve it at PROVIDER_STATES_URL',
  );
});

test('the agent is removed at the end', async () => {
  const { publicCalls, calls } = provider({ deleteAgent: { failure: 'gone' } });
  await publicCalls.tearDown('agent', { agentId: 'Agent:1' });
  expect(calls.map((call) => call.operation)).toEqual(['deleteAgent']);
});
