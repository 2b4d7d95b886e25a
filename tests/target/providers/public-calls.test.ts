import { expect, test } from '@playwright/test';
import type { Exchange } from '../../../client/http/http-client.ts';
import type { Profile } from '../../../target/profile.ts';
import { readDialect } from '../../../target/dialect/read-dialect.ts';
import { germanIban } from '../../../target/providers/public-calls/steps.ts';
import { Spares } from '../../../target/providers/public-calls/spares.ts';
import { PublicCalls } from '../../../target/providers/public-calls/public-calls.ts';
import { CannotPrepare, PreparationFailed } from '../../../target/providers/state-provider.ts';

type Values = Readonly<Record<string, unknown>>;
const PROFILE = {
  currency: 'USD',
  cleanUp: {},
  dialect: { ...readDialect(undefined).dialect, bodies: { createAgent: { name: 'another name' } } },
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
      const { status = 200, body = usual, failure } = changes[operation] ?? {};
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

type Changes = Parameters<typeof provider>[0];

type Kind = typeof CannotPrepare | typeof PreparationFailed;
/** What goes wrong in which step. */
const CASES: readonly (readonly [changes: Changes, kind: Kind, message: RegExp])[] = [
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

for (const [changes, kind, message] of CASES)
  test(`${kind.name} where ${JSON.stringify(changes)}`, async () => {
    const prepared = provider(changes).publicCalls.setUp('agent', {});
    await expect(prepared).rejects.toThrow(kind);
    await expect(prepared).rejects.toThrow(message);
  });

test('rails that the account did not get cannot be prepared, nor a state without a recipe', async () => {
  const { publicCalls } = provider();
  await expect(publicCalls.setUp('agent', { rails: ['WIRE'] })).rejects.toThrow('without the rails WIRE');
  await expect(publicCalls.setUp('webhook', {})).rejects.toThrow('serve it at PROVIDER_STATES_URL');
});

const WALLET = ['wallet-account', { credentials: ['EMAIL_OTP'] }] as const;

test('a customer whose wallet nobody has used serves one test more, and so the other way round', async () => {
  const { publicCalls, recalled } = provider();
  const has = async (state: string, params: object, handsOn = true) => {
    const values = await publicCalls.setUp(state, { ...params });
    if (handsOn) publicCalls.handOn(values);
    return values['customerId'];
  };
  expect(await has('agent', {})).toBe('Customer:1');
  expect(await has('customer', {})).toBe('Customer:2');
  expect(await has(...WALLET)).toBe('Customer:2');
  expect(recalled).toEqual([expect.stringContaining('another test used the accounts alone')]);
  expect(await has('new-wallet', {}), 'as it was created').toBe('Customer:3');
  expect(await has(...WALLET)).toBe('Customer:1');
  expect(await has(...WALLET), 'nobody serves three times').toBe('Customer:4');
  expect(await has('foreign-accounts', {})).toBe('Customer:4');
  expect(await has(...WALLET, false)).toBe('Customer:5');
  expect(await has('agent', {}), 'one that was not handed on').toBe('Customer:6');
});

test('a customer that is removed at the end of its test serves nobody else', async () => {
  const cleanUp = { Customer: 'DELETE /customers/{id}' };
  const { publicCalls } = provider({}, { ...PROFILE, cleanUp });
  publicCalls.handOn(await publicCalls.setUp('agent', {}));
  expect(await publicCalls.setUp(...WALLET)).toMatchObject({ customerId: 'Customer:2' });
});

test('the agent is removed at the end', async () => {
  const { publicCalls, calls } = provider({ deleteAgent: { failure: 'gone' } });
  await publicCalls.tearDown('agent', { agentId: 'Agent:1' });
  expect(calls.map((call) => call.operation)).toEqual(['deleteAgent']);
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

test('an account of another currency, or with money of its own, is not taken for the wanted one', async () => {
  await expect(provider().publicCalls.setUp('agent', { currency: 'GBP' })).rejects.toThrow(
    /no internal account in GBP: say in the profile/,
  );
  const rich = { data: [{ id: 'InternalAccount:usd', balance: { currency: 'USD', amount: 900 } }] };
  const { publicCalls } = provider({ listInternalAccounts: { body: rich } });
  await expect(publicCalls.setUp('agent', { balance: 500 })).rejects.toThrow(
    /holds 900, where a test wants 500/,
  );
  await expect(publicCalls.setUp('agent', { balance: 900 })).resolves.toMatchObject({ balance: 900 });
});

test('an account in euros has an IBAN with right check digits', async () => {
  const { publicCalls, calls } = provider();
  await publicCalls.setUp('agent', { currency: 'EUR' });
  const { accountInfo } = calls.find(({ operation }) => operation === 'createExternalAccount')!.body as {
    accountInfo: Record<string, unknown>;
  };
  expect(accountInfo).toMatchObject({ accountType: 'EUR_ACCOUNT', paymentRails: ['SEPA', 'SEPA_INSTANT'] });
  expect(accountInfo).not.toHaveProperty('routingNumber');
  expect(accountInfo['iban']).toMatch(/^DE\d{20}$/);
  // The example of the IBAN registry.
  expect(germanIban('370400440532013000')).toBe('DE89370400440532013000');
});
