import { expect, test } from '../support/test.ts';

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
