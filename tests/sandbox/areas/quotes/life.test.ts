import { Service, expect, test, type Caller, type Prepared, type Values } from '../../support/test.ts';

type AgentQuote = Prepared & { body: Record<string, unknown> };

async function submitted(caller: Caller, agent: AgentQuote, quoteId: string): Promise<string> {
  const { body } = await caller.agent(agent, 'POST', `/agents/me/quotes/${quoteId}/execute`);
  expect(body.status).toBe('PENDING_APPROVAL');
  return body.id as string;
}

test('of two pending actions on one quote the first wins, and the second changes nothing', async ({
  caller,
}) => {
  const agent = await caller.state<AgentQuote>('agent-quote', { execution: 'APPROVAL_REQUIRED' });
  const quote = (await caller.agent(agent, 'POST', '/agents/me/quotes', agent.body)).body as Values;
  const actions = [await submitted(caller, agent, quote['id']), await submitted(caller, agent, quote['id'])];
  for (const id of actions) expect((await caller.decide(agent, id, 'approve')).status).toBe(200);
  const read = async (path: string) => (await caller.platform('GET', path)).body as Values;
  const [first, second] = await Promise.all(
    actions.map(async (id) => (await caller.agent(agent, 'GET', `/agents/me/actions/${id}`)).body as Values),
  );
  expect(first).toMatchObject({ status: 'APPROVED', transaction: { status: 'COMPLETED' } });
  expect(second).toMatchObject({ status: 'FAILED', quote: { status: 'COMPLETED' } });
  expect(second).not.toHaveProperty('transaction');
  expect(await read(`/transactions/${quote['transactionId']}`)).toMatchObject({ status: 'COMPLETED' });
  expect(await caller.balance(agent)).toBe(990_000);
});

test('a quote whose execution has failed is not executed afterwards', async ({ caller }) => {
  const agent = await caller.state<AgentQuote>('agent-quote', {
    execution: 'APPROVAL_REQUIRED',
    balance: 10_000,
  });
  const quotes = [];
  for (let count = 0; count < 2; count++)
    quotes.push((await caller.agent(agent, 'POST', '/agents/me/quotes', agent.body)).body as Values);
  const [spender, loser] = quotes as [Values, Values];
  const action = await submitted(caller, agent, loser['id']);
  expect((await caller.platform('POST', `/quotes/${spender['id']}/execute`)).status).toBe(200);
  await caller.decide(agent, action, 'approve');
  const failed = (await caller.agent(agent, 'GET', `/agents/me/actions/${action}`)).body;
  expect(failed).toMatchObject({
    status: 'FAILED',
    quote: { status: 'FAILED' },
    transaction: { id: loser['transactionId'], status: 'FAILED', failureReason: 'QUOTE_EXECUTION_FAILED' },
  });
  await caller.platform('POST', `/sandbox/internal-accounts/${agent.sourceAccountId}/fund`, {
    amount: 50_000,
  });
  expect((await caller.platform('POST', `/quotes/${loser['id']}/execute`)).status).toBe(409);
  expect(await caller.balance(agent)).toBe(50_000);
});

test('time ends quotes, and their transactions with them', async ({ caller }) => {
  const at = await Service.at(caller, 'customer');
  const quote = await at.quote();
  await at.pass(3600);
  const transaction = await at.send('GET', `/transactions/${quote.body.transactionId}`);
  expect(transaction.body).toMatchObject({ status: 'FAILED', failureReason: 'QUOTE_EXECUTION_FAILED' });
  expect((await at.read(quote)).body.status).toBe('EXPIRED');
  expect((await at.execute(quote)).status).toBe(409);
});

for (const [lifetime, status] of [
  [7_200, 'FAILED'],
  [60, 'EXPIRED'],
] as const)
  test(`a challenge that nobody answers leaves a quote of ${lifetime} s ${status}`, async ({ caller }) => {
    const at = await Service.at(caller, 'sca-customer');
    const { customerId } = at.values;
    await caller.state('quote-expiry', { customerId, expiresInSeconds: lifetime });
    const quote = await at.quote();
    expect((await at.send('GET', `/transactions/${quote.body.transactionId}`)).body).toMatchObject({
      status: 'PENDING_AUTHORIZATION',
      pendingReason: expect.any(String),
    });
    await at.pass(150);
    expect((await at.send('GET', `/transactions/${quote.body.transactionId}`)).body).toMatchObject({
      status: 'FAILED',
      failureReason: 'SCA_NOT_COMPLETED',
    });
    expect((await at.read(quote)).body.status).toBe(status);
    expect((await at.authorize(quote)).status).toBeGreaterThanOrEqual(400);
  });

test('a transaction shows whom its quote names, and its fees', async ({ caller }) => {
  const at = await Service.at(caller, 'customer', { destinationKind: 'UMA_ADDRESS' });
  const quote = await at.quote({ platformFeeOverride: { fixedFee: 30 } });
  const { body } = await at.send('GET', `/transactions/${quote.body.transactionId}`);
  expect(body).toMatchObject({
    source: at.values['source'],
    destination: { destinationType: 'UMA_ADDRESS', umaAddress: at.values['umaAddress'] },
    platformFees: 30,
  });
  const funded = await Service.at(caller, 'quote-source', { kind: 'REALTIME_FUNDING' });
  const paidIn = await funded.send('GET', `/transactions/${(await funded.quote()).body.transactionId}`);
  expect(JSON.stringify(paidIn.body)).not.toContain('outside:');
  expect(paidIn.body.source.sourceType).toBe('REALTIME_FUNDING');
});

test('the multipliers and fixed fees of a quote come to its totals', async ({ caller }) => {
  for (const destinationCurrency of ['EUR', 'VND', 'USDT']) {
    const at = await Service.at(caller, 'customer', { destinationCurrency });
    const { totalSendingAmount, totalReceivingAmount, rateDetails } = (
      await at.quote({ lockedCurrencyAmount: 900_000 })
    ).body;
    const units = (totalSendingAmount - rateDetails.serviceApiFixedFee) * rateDetails.serviceApiMultiplier;
    const expected = units * rateDetails.counterpartyMultiplier - rateDetails.counterpartyFixedFee;
    expect(Math.abs(expected - totalReceivingAmount) / totalReceivingAmount).toBeLessThan(0.0001);
  }
});

test('an agent executes its quote: an action with the quote and without details', async ({ caller }) => {
  const agent = await caller.state<AgentQuote>('agent-quote');
  const quote = await caller.agent(agent, 'POST', '/agents/me/quotes', agent.body);
  expect(quote.status).toBe(201);
  const path = `/agents/me/quotes/${quote.body.id}/execute`;
  const key = { 'idempotency-key': 'once' };
  const done = await caller.agent(agent, 'POST', path, undefined, key);
  expect(done).toMatchObject({
    status: 200,
    body: {
      type: 'EXECUTE_QUOTE',
      status: 'APPROVED',
      quote: { id: quote.body.id },
      transaction: { id: quote.body.transactionId },
    },
  });
  expect(done.body).not.toHaveProperty('transferDetails');
  expect((await caller.agent(agent, 'POST', path, undefined, key)).body).toEqual(done.body);
  expect(await caller.balance(agent)).toBe(990_000);
});

test('the platform approves the execution of a quote; an expired quote fails it', async ({ caller }) => {
  const agent = await caller.state<AgentQuote>('agent-quote', { execution: 'APPROVAL_REQUIRED' });
  const submit = async () => {
    const quote = await caller.agent(agent, 'POST', '/agents/me/quotes', agent.body);
    return (await caller.agent(agent, 'POST', `/agents/me/quotes/${quote.body.id}/execute`)).body;
  };
  const [first, second] = [await submit(), await submit()];
  expect(first).toMatchObject({ status: 'PENDING_APPROVAL', quote: { status: 'PENDING' } });
  expect(first).not.toHaveProperty('transaction');
  expect((await caller.decide(agent, first.id, 'approve')).body.status).toBe('APPROVED');
  await caller.state('clock', { advanceSeconds: 3600, customerId: agent.customerId });
  await caller.decide(agent, second.id, 'approve');
  expect((await caller.agent(agent, 'GET', `/agents/me/actions/${second.id}`)).body.status).toBe('FAILED');
});

test('quotes need their permissions', async ({ caller }) => {
  const agent = await caller.state<AgentQuote>('agent-quote', { permissions: ['CREATE_QUOTES'] });
  const quote = await caller.agent(agent, 'POST', '/agents/me/quotes', agent.body);
  expect((await caller.agent(agent, 'POST', `/agents/me/quotes/${quote.body.id}/execute`)).status).toBe(403);
  const none = await caller.state<AgentQuote>('agent-quote', { permissions: [] });
  expect((await caller.agent(none, 'POST', '/agents/me/quotes', none.body)).status).toBe(403);
});

test('a transfer-in pulls money from the external account', async ({ caller }) => {
  const agent = await caller.state('agent', { balance: 0 });
  const body = {
    source: { accountId: agent.destinationAccountId },
    destination: { accountId: agent.sourceAccountId },
    amount: 250,
  };
  const answer = await caller.agent(agent, 'POST', '/agents/me/transfer-in', body);
  expect(answer).toMatchObject({
    status: 201,
    body: {
      type: 'TRANSFER_IN',
      status: 'APPROVED',
      transferDetails: {
        amount: 250,
        sourceAccountId: agent.destinationAccountId,
        destinationAccountId: agent.sourceAccountId,
      },
      transaction: { type: 'INCOMING' },
    },
  });
  expect(answer.body).not.toHaveProperty('quote');
  expect(await caller.balance(agent)).toBe(250);
});
