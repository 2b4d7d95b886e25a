import { Service, expect, test, type Answer, type Caller, type Values } from '../support/test.ts';

test('what was quoted before the limit was reached is not executed after', async ({ caller }) => {
  const at = await Service.at(caller, 'customer', { limits: { velocity: 1 } });
  const [first, second] = [await at.quote(), await at.quote()];
  expect((await at.execute(first)).status).toBe(200);
  expect((await at.execute(second)).status).toBe(403);
});

const PERMISSIONS = ['CREATE_TRANSFERS', 'CREATE_QUOTES', 'EXECUTE_QUOTES'];

/** A customer of a state, and an agent of it with its own policy. */
async function spender(caller: Caller, params: object, policy: object = {}) {
  const at = await Service.at(caller, 'customer', { destinationCurrency: 'USD', ...params });
  const { customerId, sourceAccountId, destinationAccountId } = at.values;
  const created = await at.send('POST', '/agents', {
    name: 'Spender',
    customerId,
    policy: { permissions: PERMISSIONS, ...policy },
  });
  const redeemed = await at.send('POST', `/agents/device-codes/${created.body.deviceCode}/redeem`);
  const bearer = `Bearer ${redeemed.body.accessToken}`;
  const [source, destination] = [{ accountId: sourceAccountId }, { accountId: destinationAccountId }];
  return {
    at,
    agentId: created.body.agent.id as string,
    out: (amount: number, key?: string) =>
      send('/agents/me/transfer-out', { source, destination, amount }, key),
    in: (amount: number, key?: string) =>
      send('/agents/me/transfer-in', { source: destination, destination: source, amount }, key),
    quote: (amount: number) =>
      send('/agents/me/quotes', { ...at.values['body'], lockedCurrencyAmount: amount }),
    execute: (quote: Answer, key?: string, id = quote.body.id as string) =>
      send(`/agents/me/quotes/${id}/execute`, undefined, key),
  };
  function send(path: string, body: unknown, key?: string): Promise<Answer> {
    return caller.send('POST', path, bearer, body, key === undefined ? {} : { 'idempotency-key': key });
  }
}

test("an agent's limit of a day counts transfers and quotes together", async ({ caller }) => {
  const agent = await spender(caller, {}, { spendingLimits: { currency: 'USD', dailyLimit: 15_000 } });
  const [first, second] = [await agent.quote(6_000), await agent.quote(6_000)];
  expect((await agent.execute(first)).status).toBe(200);
  expect((await agent.out(6_000)).status).toBe(201);
  expect((await agent.execute(second)).status).toBe(403);
  expect((await agent.out(6_000)).status).toBe(403);
  expect((await agent.in(6_000)).status).toBe(403);
  expect((await agent.out(3_000)).status).toBe(201);
});

test('limits and thresholds in another currency are limits', async ({ caller }) => {
  const limited = await spender(
    caller,
    {},
    { spendingLimits: { currency: 'EUR', perTransactionLimit: 10_000 } },
  );
  expect((await limited.out(10_500)).status).toBe(201);
  expect((await limited.out(11_500)).status).toBe(403);
  expect((await limited.execute(await limited.quote(11_500))).status).toBe(403);
  const asked = await spender(caller, {}, { approvalThresholds: { currency: 'EUR', amount: 10_000 } });
  expect((await asked.out(10_000)).body.status).toBe('APPROVED');
  expect((await asked.out(11_500)).body.status).toBe('PENDING_APPROVAL');
});

test('accounts that a policy does not name are out of reach of quotes too', async ({ caller }) => {
  const allowedAccountIds = ['InternalAccount:00000000-0000-4000-8000-000000000000'];
  const agent = await spender(caller, {}, { accountRestrictions: { allowedAccountIds } });
  for (const answer of [await agent.quote(1_000), await agent.out(1_000), await agent.in(1_000)])
    expect(answer.status).toBe(403);
  const quote = await agent.at.quote();
  expect((await agent.execute(quote)).status).toBe(403);
});

test('the limits of the customer hold for transfers, and count them', async ({ caller }) => {
  const agent = await spender(caller, {
    limits: { transactionSize: 5_000, dailyVolume: 12_000, velocity: 5 },
  });
  expect((await agent.out(5_001)).body).toMatchObject({
    status: 400,
    code: 'TRANSACTION_SIZE_LIMIT_EXCEEDED',
  });
  expect((await agent.out(5_000)).status).toBe(201);
  expect((await agent.at.execute(await agent.at.quote({ lockedCurrencyAmount: 5_000 }))).status).toBe(200);
  expect((await agent.out(5_000)).body).toMatchObject({ status: 429, code: 'DAILY_VOLUME_LIMIT_EXCEEDED' });
  for (let count = 0; count < 3; count++) expect((await agent.out(10)).status).toBe(201);
  expect((await agent.out(10)).body).toMatchObject({ status: 403, code: 'VELOCITY_LIMIT_EXCEEDED' });
});

test('who is not ready, or whose counterparty is closed or not verified, does not transfer', async ({
  caller,
}) => {
  const unready = await spender(caller, { ready: false });
  expect((await unready.out(100)).body.code).toBe('USER_NOT_READY');
  expect((await unready.in(100)).body.code).toBe('USER_NOT_READY');
  const closed = await spender(caller, { counterpartyEnabled: false });
  expect((await closed.out(100)).body.code).toBe('COUNTERPARTY_NOT_ALLOWED');
  const unverified = await spender(caller, { ownership: 'UNVERIFIED' });
  expect((await unverified.out(200_000)).body.code).toBe('EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED');
  expect((await unverified.out(1_000)).status).toBe(201);
});

test('a limit that was reached while an action waited fails it when it is approved', async ({ caller }) => {
  const agent = await spender(
    caller,
    { limits: { dailyVolume: 12_000 } },
    { approvalThresholds: { currency: 'USD', amount: 5_000 } },
  );
  const { id } = (await agent.out(9_000)).body as Values;
  expect((await agent.out(5_000)).body.status).toBe('APPROVED');
  await agent.at.send('POST', `/agents/${agent.agentId}/actions/${id}/approve`);
  const { body } = await agent.at.send(
    'GET',
    `/transactions/${String(id).replace('AgentAction', 'Transaction')}`,
  );
  expect(body).toMatchObject({ status: 'FAILED', failureReason: 'LIMIT_EXCEEDED' });
  expect(await agent.at.balance()).toBe(995_000);
});

test('a key means something for one operation on one thing', async ({ caller }) => {
  const agent = await spender(caller, {});
  const pulled = await agent.in(100, 'k1');
  const pushed = await agent.out(100, 'transfer-in k1');
  expect(pushed.body.type).toBe('TRANSFER_OUT');
  expect((await agent.out(100, 'k1')).body.id).not.toBe(pulled.body.id);
  const quote = await agent.quote(1_000);
  const done = await agent.execute(quote, 'k1');
  expect((await agent.execute(quote, 'k1', encodeURIComponent(quote.body.id as string))).text).toBe(
    done.text,
  );
  expect(await agent.at.balance()).toBe(1_000_000 + 100 - 200 - 1_000);
});
