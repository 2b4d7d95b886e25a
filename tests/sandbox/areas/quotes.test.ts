import { componentSchema } from '../../../sandbox/server/contract-schemas.ts';
import { Service, expect, test, type Caller, type Prepared, type Values } from '../support/test.ts';

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

const types = componentSchema('PaymentAccountType')['enum'] as string[];

test('every account type can be paid in to', async ({ caller }) => {
  expect(types).toHaveLength(49);
  for (const accountType of types) {
    const at = await Service.at(caller, 'quote-source', { kind: 'REALTIME_FUNDING', accountType });
    const { body } = await at.quote();
    const info = body.paymentInstructions[0].accountOrWalletInfo;
    expect(info.accountType).toBe(accountType);
    expect(Object.keys(info)).toContain(accountType.endsWith('_ACCOUNT') ? 'accountNumber' : 'address');
    expect('invoice' in info).toBe(['LIGHTNING', 'SPARK_WALLET'].includes(accountType));
  }
});

test('ten wrong proofs lock the account for a while', async ({ caller }) => {
  const at = await Service.at(caller, 'sca-customer', { challenges: 1 });
  const quote = await at.quote();
  for (let attempt = 0; attempt < 10; attempt++) await at.authorize(quote, { code: '999999' });
  expect((await at.authorize(quote)).body).toMatchObject({
    status: 423,
    code: 'ACCOUNT_LOCKED',
    details: { failedAttempts: 10 },
  });
});
