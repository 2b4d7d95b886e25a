import { expect, test } from '../../support/test.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

for (const [what, authorization] of [
  ['nothing', undefined],
  ['an empty header', ''],
  ['another scheme', 'Digest x'],
  ['no base64', 'Basic ???'],
  ['no colon', basic('sandbox')],
  ['a wrong secret', basic('sandbox:wrong')],
  ['an empty secret', basic('sandbox:')],
  ['the start of the secret', basic('sandbox:sandbox-secre')],
  ['an unknown client', basic('nobody:sandbox-secret')],
  ['the credentials in clear', 'Basic sandbox:sandbox-secret'],
] as const) {
  test(`a platform operation with ${what} is 401 UNAUTHORIZED`, async ({ caller }) => {
    const answer = await caller.send('GET', '/agents', authorization);
    expect(answer.body).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect(answer.headers.get('www-authenticate')).toBe('Basic');
  });
}

for (const [what, authorization] of [
  ['nothing', undefined],
  ['a token that was never issued', 'Bearer agt_unknown'],
  ['no token', 'Bearer '],
  ['platform credentials', basic('sandbox:sandbox-secret')],
] as const) {
  for (const [method, path] of [
    ['POST', '/agents/me/transfer-out'],
    ['GET', '/agents/me'],
    ['GET', '/agents/me/actions'],
  ] as const) {
    test(`${method} ${path} with ${what} is 401 UNAUTHORIZED`, async ({ caller }) => {
      expect((await caller.send(method, path, authorization)).body).toMatchObject({
        status: 401,
        code: 'UNAUTHORIZED',
      });
    });
  }
}

test('an agent token opens no platform operation', async ({ caller }) => {
  const agent = await caller.state('agent');
  for (const [method, path] of [
    ['GET', '/agents'],
    ['POST', '/agents'],
    ['DELETE', `/agents/${agent.agentId}`],
    ['GET', '/agents/approvals'],
  ] as const) {
    expect((await caller.agent(agent, method, path)).status).toBe(401);
  }
  expect((await caller.agent(agent, 'GET', '/agents/me')).status).toBe(200);
});

test('public calls make an agent; its code is redeemed once; its token dies with it', async ({ caller }) => {
  const customer = (
    await caller.platform('POST', '/customers', { customerType: 'INDIVIDUAL', platformCustomerId: 'mine' })
  ).body as { id: string };
  const policy = { permissions: ['CREATE_TRANSFERS'], defaultExecutionMode: 'AUTO' };
  const created = await caller.platform('POST', '/agents', { name: 'A', customerId: customer.id, policy });
  expect(created.status).toBe(201);
  const redeem = `/agents/device-codes/${created.body.deviceCode}/redeem`;
  const redeemed = await caller.send('POST', redeem);
  expect(redeemed.body).toMatchObject({ agentId: created.body.agent.id, agentName: 'A', policy });
  expect((await caller.send('POST', redeem)).status).toBe(409);
  expect((await caller.send('POST', '/agents/device-codes/none/redeem')).status).toBe(404);
  const token = `Bearer ${redeemed.body.accessToken}`;
  const path = `/agents/${created.body.agent.id}`;
  expect((await caller.send('GET', '/agents/me', token)).status).toBe(200);
  expect((await caller.platform('PATCH', path, { isPaused: true })).body.isPaused).toBe(true);
  expect((await caller.send('GET', '/agents/me', token)).status).toBe(403);
  await caller.platform('PATCH', path, { isPaused: false });
  expect((await caller.platform('DELETE', path)).status).toBe(204);
  expect((await caller.send('GET', '/agents/me', token)).status).toBe(401);
});

test('accounts made by public calls can be funded and transferred from', async ({ caller }) => {
  const { id: customerId } = (await caller.platform('POST', '/customers', {})).body as { id: string };
  const accounts = await caller.platform(
    'GET',
    `/customers/internal-accounts?customerId=${customerId}&currency=EUR`,
  );
  const source = accounts.body.data[0].id as string;
  const funded = await caller.platform('POST', `/sandbox/internal-accounts/${source}/fund`, { amount: 5000 });
  expect(funded.body.balance).toMatchObject({ amount: 5000, currency: { code: 'EUR' } });
  const external = await caller.platform('POST', '/customers/external-accounts', {
    customerId,
    currency: 'EUR',
    accountInfo: { accountType: 'EUR_ACCOUNT', paymentRails: ['SEPA'], bankName: 'B' },
  });
  expect(external.status).toBe(201);
  const agent = await caller.platform('POST', '/agents', {
    name: 'A',
    customerId,
    policy: { permissions: ['CREATE_TRANSFERS'], approvalThresholds: { currency: 'EUR', amount: 100 } },
  });
  const { body } = await caller.send('POST', `/agents/device-codes/${agent.body.deviceCode}/redeem`);
  const transfer = {
    source: { accountId: source },
    destination: { accountId: external.body.id },
    amount: 100,
  };
  const answer = await caller.send('POST', '/agents/me/transfer-out', `Bearer ${body.accessToken}`, transfer);
  expect(answer.body).toMatchObject({ status: 'APPROVED', transferDetails: { currency: 'EUR' } });
  await caller.platform('PATCH', `/agents/${agent.body.agent.id}/policy`, {
    approvalThresholds: { currency: 'EUR', amount: 99 },
  });
  const above = await caller.send('POST', '/agents/me/transfer-out', `Bearer ${body.accessToken}`, transfer);
  expect(above.body.status).toBe('PENDING_APPROVAL');
});
