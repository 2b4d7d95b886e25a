import { type Caller, expect, test } from '../support/test.ts';

/** A customer, an account with money and a payee, made by public operations alone. */
async function startingOut(caller: Caller, accountInfo: object = {}, decided: object = {}) {
  const customerId = (await caller.platform('POST', '/customers', { email: 'ada@example.com' })).body.id;
  const steer = (change: object) => caller.platform('PATCH', `/sandbox/customers/${customerId}`, change);
  expect((await steer({ kyc: 'APPROVED', termsAccepted: true, ...decided })).status).toBe(200);
  const accounts = await caller.platform(
    'GET',
    `/customers/internal-accounts?customerId=${customerId}&currency=USD`,
  );
  const accountId = accounts.body.data[0].id;
  await caller.platform('POST', `/sandbox/internal-accounts/${accountId}/fund`, { amount: 1_000_000 });
  const payee = await caller.platform('POST', '/customers/external-accounts', {
    customerId,
    currency: 'EUR',
    accountInfo: { accountType: 'EUR_ACCOUNT', ...accountInfo },
  });
  const quote = (amount: number) =>
    caller.platform('POST', '/quotes', {
      source: { sourceType: 'ACCOUNT', accountId },
      destination: { destinationType: 'ACCOUNT', accountId: payee.body.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: amount,
    });
  return { customerId, accountId, payee: payee.body, steer, quote };
}

test('a caller approves and rejects KYC', async ({ caller }) => {
  const { customerId, steer } = await startingOut(caller);
  const issue = () => caller.platform('POST', '/cards', { cardholderId: customerId });
  expect((await issue()).status).toBe(201);
  await steer({ kyc: 'REJECTED' });
  expect((await issue()).body.code).toBe('CARDHOLDER_KYC_NOT_APPROVED');
});

test('a caller decides about terms, readiness, counterparties and limits', async ({ caller }) => {
  const { steer, quote, payee } = await startingOut(caller);
  const codes = [];
  for (const change of [
    { termsAccepted: false },
    { termsAccepted: true, ready: false },
    { ready: true, counterpartyNotEnabled: payee.id },
    { counterpartyNotEnabled: null, limits: { transactionSize: 9_999 } },
    { limits: {} },
  ]) {
    await steer(change);
    codes.push((await quote(10_000)).body.code);
  }
  expect(codes).toEqual([
    'END_USER_TERMS_NOT_ACCEPTED',
    'USER_NOT_READY',
    'COUNTERPARTY_NOT_ALLOWED',
    'TRANSACTION_SIZE_LIMIT_EXCEEDED',
    undefined,
  ]);
});

test('a caller puts a customer under SCA, and takes it out again', async ({ caller }) => {
  const { steer, quote } = await startingOut(caller);
  await steer({ sca: { challenges: 2 } });
  expect((await quote(10_000)).body).toMatchObject({ status: 'PENDING_AUTHORIZATION', scaChallenge: {} });
  await steer({ sca: null });
  expect((await quote(10_000)).body.status).toBe('PENDING');
});

test('new accounts are born as the caller decides, and a liveness check is ended', async ({ caller }) => {
  const { payee } = await startingOut(caller, {}, { statusOfNewAccounts: 'PENDING_OWNERSHIP_VERIFICATION' });
  expect(payee.status).toBe('PENDING_OWNERSHIP_VERIFICATION');
  const ended = await caller.platform('POST', `/sandbox/external-accounts/${payee.id}/liveness`, {
    outcome: 'FAILED',
  });
  expect(ended.body.status).toBe('UNVERIFIED');
  const set = await caller.platform('PATCH', `/sandbox/external-accounts/${payee.id}`, { status: 'ACTIVE' });
  expect(set.body.status).toBe('ACTIVE');
});

for (const [digits, reason] of [
  ['99990001', 'ACCOUNT_CANNOT_RECEIVE'],
  ['99990003', 'PAYOUT_RETURNED'],
] as const) {
  test(`a payout to an account that ends in ${digits} comes back`, async ({ caller }) => {
    const agent = await caller.state('agent');
    const payee = await caller.platform('POST', '/customers/external-accounts', {
      customerId: agent.customerId,
      currency: 'USD',
      accountInfo: { accountType: 'USD_ACCOUNT', accountNumber: `12${digits}` },
    });
    const { body } = await caller.transfer(agent, { destination: { accountId: payee.body.id } });
    const transaction = await caller.platform('GET', `/transactions/${body.transaction.id}`);
    expect(transaction.body).toMatchObject({ status: 'FAILED', failureReason: reason });
    expect(await caller.balance(agent)).toBe(1_000_000);
  });
}

test('an incoming payment has a transaction and raises the balance', async ({ caller }) => {
  const { accountId, customerId } = await startingOut(caller);
  const paid = await caller.platform('POST', `/sandbox/internal-accounts/${accountId}/receive`, {
    amount: 250,
  });
  expect(paid.status).toBe(201);
  expect(paid.body).toMatchObject({ type: 'INCOMING', status: 'COMPLETED' });
  const list = await caller.platform('GET', `/transactions?customerId=${customerId}&type=INCOMING`);
  expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([paid.body.id]);
  const accounts = await caller.platform('GET', `/customers/internal-accounts?customerId=${customerId}`);
  const account = accounts.body.data.find(({ id }: { id: string }) => id === accountId);
  expect(account.balance.amount).toBe(1_000_250);
});

test('the time of a customer moves, and its quotes expire', async ({ caller }) => {
  const { customerId, steer, quote } = await startingOut(caller);
  await steer({ quoteLifetimeSeconds: 60 });
  const { id } = (await quote(10_000)).body;
  await caller.platform('POST', '/sandbox/clock', { advanceSeconds: 61, customerId });
  expect((await caller.platform('GET', `/quotes/${id}`)).body.status).toBe('EXPIRED');
});

test('a one-time code can be read once it was sent', async ({ caller }) => {
  const { customerId } = await startingOut(caller);
  const wallet = await caller.platform('POST', '/sandbox/wallets', {
    customerId,
    credentials: ['EMAIL_OTP'],
  });
  expect(wallet.body.type).toBe('EMBEDDED_WALLET');
  const [credential] = (await caller.platform('GET', `/auth/credentials?accountId=${wallet.body.id}`)).body
    .data;
  const path = `/sandbox/credentials/${credential.id}/code`;
  expect((await caller.platform('GET', path)).status).toBe(409);
  await caller.platform('POST', `/auth/credentials/${credential.id}/challenge`);
  expect((await caller.platform('GET', path)).body).toEqual({ code: '000000' });
});

test('a misspelled decision decides nothing', async ({ caller }) => {
  const { customerId, steer } = await startingOut(caller);
  const answer = await steer({ kcy: 'REJECTED' });
  expect(answer.status).toBe(400);
  expect(answer.body.details.errors[0].field).toBe('kcy');
  expect((await caller.platform('GET', `/sandbox/customers/${customerId}`)).body.kyc).toBe('APPROVED');
});

test('another platform decides nothing here, and moves nobody else', async ({ caller }) => {
  const { customerId } = await startingOut(caller);
  const { clientId, clientSecret } = (await caller.platform('POST', '/sandbox/platforms')).body;
  const other = (method: string, path: string, body?: object) =>
    caller.send(method, path, `Basic ${btoa(`${clientId}:${clientSecret}`)}`, body);
  expect((await other('GET', '/customers')).status).toBe(200);
  expect((await other('PATCH', `/sandbox/customers/${customerId}`, { ready: false })).status).toBe(404);
  expect((await other('POST', '/sandbox/clock', { advanceSeconds: 1 })).status).toBe(403);
  expect((await other('POST', '/sandbox/reset')).status).toBe(403);
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
