import { type Caller, expect, test } from '../support/test.ts';

/** A customer, an account with money and a payee, made by public operations alone. */
async function startingOut(caller: Caller, decided: object = {}) {
  const customerId = (await caller.platform('POST', '/customers', { email: 'ada@example.com' })).body.id;
  const steer = (change: object) => caller.platform('PATCH', `/sandbox/customers/${customerId}`, change);
  expect((await steer({ kyc: 'APPROVED', termsAccepted: true, ...decided })).status).toBe(200);
  const path = `/customers/internal-accounts?customerId=${customerId}&currency=USD`;
  const account = async () => (await caller.platform('GET', path)).body.data[0];
  const accountId = (await account()).id as string;
  const fund = (way: 'fund' | 'receive', amount: number) =>
    caller.platform('POST', `/sandbox/internal-accounts/${accountId}/${way}`, { amount });
  await fund('fund', 1_000_000);
  const payee = await caller.platform('POST', '/customers/external-accounts', {
    ...{ customerId, currency: 'EUR', accountInfo: { accountType: 'EUR_ACCOUNT' } },
  });
  const quote = async () => {
    const { body } = await caller.platform('POST', '/quotes', {
      source: { sourceType: 'ACCOUNT', accountId },
      destination: { destinationType: 'ACCOUNT', accountId: payee.body.id },
      ...{ lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 10_000 },
    });
    return body;
  };
  const issueCard = () => caller.platform('POST', '/cards', { cardholderId: customerId });
  return { customerId, account, fund, payee: payee.body, steer, quote, issueCard };
}

test('a caller decides about KYC, terms, readiness, counterparties, limits and SCA', async ({ caller }) => {
  const { steer, quote, payee, issueCard } = await startingOut(caller);
  expect((await issueCard()).status).toBe(201);
  await steer({ kyc: 'REJECTED' });
  expect((await issueCard()).body.code).toBe('CARDHOLDER_KYC_NOT_APPROVED');
  for (const [change, outcome] of [
    [{ termsAccepted: false }, { code: 'END_USER_TERMS_NOT_ACCEPTED' }],
    [{ termsAccepted: true, ready: false }, { code: 'USER_NOT_READY' }],
    [{ ready: true, counterpartyNotEnabled: payee.id }, { code: 'COUNTERPARTY_NOT_ALLOWED' }],
    [
      { counterpartyNotEnabled: null, limits: { transactionSize: 9_999 } },
      { code: 'TRANSACTION_SIZE_LIMIT_EXCEEDED' },
    ],
    [{ limits: {} }, { status: 'PENDING' }],
    [{ sca: { challenges: 2 } }, { status: 'PENDING_AUTHORIZATION', scaChallenge: {} }],
    [{ sca: null }, { status: 'PENDING' }],
  ]) {
    await steer(change!);
    expect(await quote(), JSON.stringify(change)).toMatchObject(outcome!);
  }
});

test('new accounts are born as the caller decides, and a liveness check is ended', async ({ caller }) => {
  const { payee } = await startingOut(caller, { statusOfNewAccounts: 'PENDING_OWNERSHIP_VERIFICATION' });
  expect(payee.status).toBe('PENDING_OWNERSHIP_VERIFICATION');
  const path = `/sandbox/external-accounts/${payee.id}`;
  const ended = await caller.platform('POST', `${path}/liveness`, { outcome: 'FAILED' });
  expect(ended.body.status).toBe('UNVERIFIED');
  expect((await caller.platform('PATCH', path, { status: 'ACTIVE' })).body.status).toBe('ACTIVE');
});

for (const [digits, failureReason] of [
  ['99990001', 'ACCOUNT_CANNOT_RECEIVE'],
  ['99990003', 'PAYOUT_RETURNED'],
])
  test(`a payout to an account that ends in ${digits} comes back`, async ({ caller }) => {
    const agent = await caller.state('agent');
    const payee = await caller.platform('POST', '/customers/external-accounts', {
      ...{ customerId: agent.customerId, currency: 'USD' },
      accountInfo: { accountType: 'USD_ACCOUNT', accountNumber: `12${digits}` },
    });
    const { body } = await caller.transfer(agent, { destination: { accountId: payee.body.id } });
    const transaction = await caller.platform('GET', `/transactions/${body.transaction.id}`);
    expect(transaction.body).toMatchObject({ status: 'FAILED', failureReason });
    expect(await caller.balance(agent)).toBe(1_000_000);
  });

test('an incoming payment has a transaction and raises the balance', async ({ caller }) => {
  const { account, customerId, fund } = await startingOut(caller);
  const { status, body } = await fund('receive', 250);
  expect(status).toBe(201);
  expect(body).toMatchObject({ type: 'INCOMING', status: 'COMPLETED' });
  const list = await caller.platform('GET', `/transactions?customerId=${customerId}&type=INCOMING`);
  expect(list.body.data).toMatchObject([{ id: body.id }]);
  expect((await account()).balance.amount).toBe(1_000_250);
});

test('a one-time code can be read once it was sent', async ({ caller }) => {
  const { customerId } = await startingOut(caller);
  const credentials = ['EMAIL_OTP'];
  const wallet = (await caller.platform('POST', '/sandbox/wallets', { customerId, credentials })).body;
  expect(wallet.type).toBe('EMBEDDED_WALLET');
  const [{ id }] = (await caller.platform('GET', `/auth/credentials?accountId=${wallet.id}`)).body.data;
  const path = `/sandbox/credentials/${id}/code`;
  expect((await caller.platform('GET', path)).status).toBe(409);
  await caller.platform('POST', `/auth/credentials/${id}/challenge`);
  expect((await caller.platform('GET', path)).body).toEqual({ code: '000000' });
});

test('a misspelled decision decides nothing, nor does another platform', async ({ caller }) => {
  const { customerId, steer } = await startingOut(caller);
  const answer = await steer({ kcy: 'REJECTED' });
  expect(answer.body).toMatchObject({ status: 400, details: { errors: [{ field: 'kcy' }] } });
  expect((await caller.platform('GET', `/sandbox/customers/${customerId}`)).body.kyc).toBe('APPROVED');
  const { clientId, clientSecret } = (await caller.platform('POST', '/sandbox/platforms')).body;
  const other = async (method: string, path: string, body?: object) =>
    (await caller.send(method, path, `Basic ${btoa(`${clientId}:${clientSecret}`)}`, body)).status;
  expect(await other('GET', '/customers')).toBe(200);
  expect(await other('PATCH', `/sandbox/customers/${customerId}`, { ready: false })).toBe(404);
  expect(await other('POST', '/sandbox/clock', { advanceSeconds: 1 })).toBe(403);
  expect(await other('POST', '/sandbox/reset')).toBe(403);
});

test('a reset forgets the records and the time of one world', async ({ caller }) => {
  const [one, other] = [caller.in('world.reset'), caller.in('world.kept')];
  for (const world of [one, other]) await startingOut(world);
  await one.platform('POST', '/sandbox/clock', { advanceSeconds: 86_400 });
  expect((await one.platform('POST', '/sandbox/reset')).status).toBe(204);
  expect((await one.platform('GET', '/customers')).body.data).toEqual([]);
  expect((await other.platform('GET', '/customers')).body.data).toHaveLength(1);
  const { body } = await one.platform('POST', '/sandbox/clock', { advanceSeconds: 0 });
  expect(Date.parse(body.now) - Date.now()).toBeLessThan(60_000);
});
