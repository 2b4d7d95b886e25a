import { randomUUID } from 'node:crypto';
import { type Prepared, expect, test, transferBody } from '../../support/test.ts';

test('an automatic transfer is approved, carries its transaction and moves the money', async ({ caller }) => {
  const agent = await caller.state('agent', { balance: 1000 });
  const answer = await caller.transfer(agent, { amount: 300 });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({
    agentId: agent.agentId,
    customerId: agent.customerId,
    platformCustomerId: agent.platformCustomerId,
    status: 'APPROVED',
    type: 'TRANSFER_OUT',
    transferDetails: { amount: 300, currency: 'USD', sourceAccountId: agent.sourceAccountId },
    transaction: { type: 'OUTGOING' },
  });
  expect(await caller.balance(agent)).toBe(700);
});

test('the threshold itself runs, one unit above it waits', async ({ caller }) => {
  const agent = await caller.state('agent', { approvalThreshold: 500 });
  expect((await caller.transfer(agent, { amount: 500 })).body.status).toBe('APPROVED');
  const waiting = await caller.transfer(agent, { amount: 501 });
  expect(waiting.body.status).toBe('PENDING_APPROVAL');
  expect(waiting.body).not.toHaveProperty('transaction');
  expect(await caller.balance(agent)).toBe(999_500);
});

test('approval executes once; deciding again changes nothing', async ({ caller }) => {
  const agent = await caller.state('agent', { execution: 'APPROVAL_REQUIRED', balance: 1000 });
  const { id } = (await caller.transfer(agent, { amount: 400 })).body as { id: string };
  expect((await caller.decide(agent, id, 'approve')).body).toMatchObject({
    id,
    status: 'APPROVED',
    transaction: { type: 'OUTGOING' },
  });
  expect((await caller.decide(agent, id, 'approve')).status).toBe(409);
  expect((await caller.decide(agent, id, 'reject')).status).toBe(409);
  expect(await caller.balance(agent)).toBe(600);
});

test('rejection executes nothing and keeps its reason', async ({ caller }) => {
  const agent = await caller.state('agent', { execution: 'APPROVAL_REQUIRED', balance: 1000 });
  const { id } = (await caller.transfer(agent)).body as { id: string };
  const rejected = await caller.decide(agent, id, 'reject', { reason: 'too late' });
  expect(rejected.body).toMatchObject({ id, status: 'REJECTED', rejectionReason: 'too late' });
  expect(rejected.body).not.toHaveProperty('transaction');
  expect((await caller.decide(agent, id, 'approve')).status).toBe(409);
  expect(await caller.balance(agent)).toBe(1000);
});

test('the second approval path names the action by the uuid of its transaction', async ({ caller }) => {
  const agent = await caller.state('agent', { execution: 'APPROVAL_REQUIRED' });
  const { id } = (await caller.transfer(agent)).body as { id: string };
  const path = `/transactions/${id.replace('AgentAction', 'Transaction')}/approve`;
  expect((await caller.agent(agent, 'POST', path)).status).toBe(401);
  expect((await caller.platform('POST', path)).body.status).toBe('APPROVED');
});

test('a decision belongs to the platform that owns the agent', async ({ caller }) => {
  const agent = await caller.state('agent', { execution: 'APPROVAL_REQUIRED' });
  const { id } = (await caller.transfer(agent)).body as { id: string };
  const path = `/agents/${agent.agentId}/actions/${id}/approve`;
  const other = await caller.state<{ clientId: string; clientSecret: string }>('other-platform');
  const basic = `Basic ${Buffer.from(`${other.clientId}:${other.clientSecret}`).toString('base64')}`;
  expect((await caller.send('POST', path, basic)).status).toBe(404);
  expect((await caller.agent(agent, 'POST', path)).status).toBe(401);
  const sibling = await caller.state('agent');
  expect((await caller.platform('POST', `/agents/${sibling.agentId}/actions/${id}/approve`)).status).toBe(
    404,
  );
  expect((await caller.agent(agent, 'GET', `/agents/me/actions/${id}`)).body.status).toBe('PENDING_APPROVAL');
});

test('a payout that comes back fails the action and returns the money', async ({ caller }) => {
  const agent = await caller.state<Prepared & { amount: number }>('execution-failure');
  const { body } = await caller.transfer(agent, { amount: agent.amount });
  expect(body.status).toBe('APPROVED');
  const read = await caller.agent(agent, 'GET', `/agents/me/actions/${body.id}`);
  expect(read.body).toMatchObject({
    status: 'FAILED',
    transaction: { status: 'FAILED', failureReason: 'ACCOUNT_CANNOT_RECEIVE' },
  });
  expect(await caller.balance(agent)).toBe(1_000_000);
});

test('funds that are gone when the platform approves fail the action', async ({ caller }) => {
  const agent = await caller.state('agent', { approvalThreshold: 700, balance: 1000 });
  const { id } = (await caller.transfer(agent, { amount: 800 })).body as { id: string };
  expect((await caller.transfer(agent, { amount: 600 })).status).toBe(201);
  expect((await caller.transfer(agent, { amount: 600 })).status).toBe(400);
  expect((await caller.decide(agent, id, 'approve')).body.status).toBe('FAILED');
  expect(await caller.balance(agent)).toBe(400);
});

test('permission and limits refuse with 403 and leave nothing', async ({ caller }) => {
  const powerless = await caller.state('agent', { permissions: ['VIEW_TRANSACTIONS'] });
  expect((await caller.transfer(powerless)).body).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  const agent = await caller.state('agent', { perTransactionLimit: 500, dailyLimit: 800 });
  expect((await caller.transfer(agent, { amount: 501 })).status).toBe(403);
  expect((await caller.transfer(agent, { amount: 500 })).status).toBe(201);
  expect((await caller.transfer(agent, { amount: 301 })).status).toBe(403);
  expect((await caller.transfer(agent, { amount: 300 })).status).toBe(201);
  expect((await caller.transfer(agent, { amount: 1 })).status).toBe(403);
  expect(await caller.balance(agent)).toBe(999_200);
  await caller.state('clock', { advanceSeconds: 86_400, customerId: agent.customerId });
  expect((await caller.transfer(agent, { amount: 500 })).status).toBe(201);
});

test("accounts must exist and be the customer's", async ({ caller }) => {
  const agent = await caller.state('agent');
  const foreign = await caller.state<{ internalAccountId: string; externalAccountId: string }>(
    'foreign-accounts',
  );
  const unknown = '0b0b0b0b-0000-4000-8000-000000000000';
  for (const changes of [
    { source: { accountId: foreign.internalAccountId } },
    { destination: { accountId: foreign.externalAccountId } },
    { source: { accountId: `InternalAccount:${unknown}` } },
    { destination: { accountId: `ExternalAccount:${unknown}` } },
  ]) {
    expect((await caller.transfer(agent, changes)).body).toMatchObject({
      status: 404,
      code: 'REFERENCE_NOT_FOUND',
    });
  }
});

test('rails: every supported one, none, and no other', async ({ caller }) => {
  const agent = await caller.state('agent', { rails: ['RTP', 'WIRE'] });
  const to = (paymentRail?: string) => ({
    destination: { accountId: agent.destinationAccountId, paymentRail },
  });
  for (const rail of ['RTP', 'WIRE', undefined])
    expect((await caller.transfer(agent, to(rail))).status).toBe(201);
  for (const rail of ['ACH', 'rtp', 'TELEX', ''])
    expect((await caller.transfer(agent, to(rail))).status).toBe(400);
});

test('a destination in India wants a purpose', async ({ caller }) => {
  const agent = await caller.state('purpose-required');
  expect((await caller.transfer(agent)).status).toBe(400);
  expect((await caller.transfer(agent, { purposeOfPayment: 'GIFT' })).status).toBe(201);
});

test('remittance information is counted in code points', async ({ caller }) => {
  const agent = await caller.state('agent');
  for (const [text, status] of [
    ['', 201],
    ['x'.repeat(80), 201],
    ['x'.repeat(81), 400],
    ['😀'.repeat(80), 201],
    ['😀'.repeat(81), 400],
  ]) {
    expect((await caller.transfer(agent, { remittanceInformation: text })).status).toBe(status);
  }
});

test('amounts are exact to the last unit of int64, and refused beyond', async ({ caller }) => {
  const agent = await caller.state('agent', { execution: 'APPROVAL_REQUIRED' });
  const body = JSON.stringify(transferBody(agent, { amount: 4711 }));
  for (const amount of ['9007199254740993', '9223372036854775807']) {
    const answer = await caller.agent(agent, 'POST', '/agents/me/transfer-out', body.replace('4711', amount));
    expect(answer.status).toBe(201);
    expect(answer.text).toContain(`"amount":${amount},`);
  }
  for (const amount of [
    '9223372036854775808',
    '18446744073709551716',
    '1e19',
    '1.5',
    '0',
    '-1',
    '-9223372036854775809',
    '"100"',
    'true',
    'null',
  ]) {
    const answer = await caller.agent(agent, 'POST', '/agents/me/transfer-out', body.replace('4711', amount));
    expect(answer.status, amount).toBe(400);
  }
  expect((await caller.transfer(agent, { amount: undefined })).status).toBe(400);
});

test('a replay is the first response to the letter, also after a decision', async ({ caller }) => {
  const agent = await caller.state('agent', { execution: 'APPROVAL_REQUIRED' });
  const headers = { 'idempotency-key': randomUUID() };
  const first = await caller.transfer(agent, {}, headers);
  await caller.decide(agent, first.body.id as string, 'approve');
  const again = await caller.transfer(agent, {}, headers);
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(await caller.actionIds(agent)).toEqual([first.body.id]);
});

test('many at once with one key are one action', async ({ caller }) => {
  const agent = await caller.state('agent');
  const headers = { 'idempotency-key': randomUUID() };
  const answers = await Promise.all(Array.from({ length: 25 }, () => caller.transfer(agent, {}, headers)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await caller.actionIds(agent)).toHaveLength(1);
  expect(await caller.balance(agent)).toBe(999_900);
});

test('many at once with keys of their own are as many actions', async ({ caller }) => {
  const agent = await caller.state('agent');
  await Promise.all(
    Array.from({ length: 25 }, () => caller.transfer(agent, {}, { 'idempotency-key': randomUUID() })),
  );
  expect(new Set(await caller.actionIds(agent)).size).toBe(25);
  expect(await caller.balance(agent)).toBe(997_500);
});

test('a refusal is remembered too, and another body changes nothing', async ({ caller }) => {
  const agent = await caller.state('agent', { balance: 50 });
  const headers = { 'idempotency-key': 'k' };
  const refused = await caller.transfer(agent, {}, headers);
  expect(refused.status).toBe(400);
  expect((await caller.transfer(agent, { amount: 10 }, headers)).text).toBe(refused.text);
  expect(await caller.actionIds(agent)).toEqual([]);
});

test('a key of one agent means nothing for another', async ({ caller }) => {
  const headers = { 'idempotency-key': 'shared' };
  const one = await caller.state('agent');
  const other = await caller.state('agent');
  const first = await caller.transfer(one, {}, headers);
  const second = await caller.transfer(other, {}, headers);
  expect(second.body.agentId).toBe(other.agentId);
  expect(second.body.id).not.toBe(first.body.id);
});
