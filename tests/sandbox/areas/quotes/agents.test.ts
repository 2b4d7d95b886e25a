import { type Prepared, expect, test } from '../../support/test.ts';

type AgentQuote = Prepared & { body: Record<string, unknown> };

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
