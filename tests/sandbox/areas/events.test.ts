import { listening } from '../../support/servers.ts';
import { Service, type Values, expect, test, type Caller } from '../support/test.ts';

/** An endpoint that refuses so many events, and then takes them. */
async function receiver(refusals = 0) {
  const events: Values[] = [];
  const server = await listening((_request, response, text) => {
    events.push(JSON.parse(text) as Values);
    response.writeHead(events.length > refusals ? 200 : 503).end();
  });
  return Object.assign(server, { events });
}

test('sending on demand tells a missing and a failing endpoint apart', async ({ caller }) => {
  await using broken = await receiver(9);
  const at = await Service.at(caller, 'customer', { ownPlatform: true });
  const { customerId, clientId } = at.values;
  const sent = async () => (await at.send('POST', '/sandbox/webhooks/test')).body;
  expect(await sent()).toMatchObject({ status: 400, code: 'WEBHOOK_ENDPOINT_NOT_SET' });
  expect((await at.send('PATCH', '/config', { webhookEndpoint: broken.origin })).status).toBe(200);
  expect(await sent()).toMatchObject({ status: 400, code: 'WEBHOOK_DELIVERY_ERROR' });
  await caller.state('webhook', { url: 'http://127.0.0.1:1/closed', clientId });
  expect(await sent()).toMatchObject({ status: 400, code: 'WEBHOOK_DELIVERY_ERROR' });
  const { test: request } = await caller.state<Values>('webhook', { url: null, customerId });
  expect((await at.send(request.method, request.path)).body.code).toBe('WEBHOOK_ENDPOINT_NOT_SET');
});

for (const [state, to, change] of [
  ['incoming-refund', 'COMPLETED', 0],
  ['incoming-refund', 'FAILED', 2_500],
  ['outgoing-refund', 'COMPLETED', 0],
  ['outgoing-refund', 'FAILED', -2_500],
] as const)
  test(`${state} ${to}: its payment can be read, and the balance knows it`, async ({ caller }) => {
    const at = await Service.at(caller, 'customer');
    const before = await at.balance();
    const { customerId } = at.values;
    const { transactionId, refundId } = await caller.state<Values>(state, { customerId, to });
    const { body } = await at.send('GET', `/transactions/${transactionId}`);
    expect(body).toMatchObject({ id: transactionId, refund: { id: refundId, status: to } });
    expect((await at.balance()) - before).toBe(change);
    const again = await caller.setUp(state, { refundId, to: to === 'FAILED' ? 'COMPLETED' : 'FAILED' });
    expect(again.status).toBe(422);
  });

/** A world of its own in which one event is due at this address. */
async function withEvent(caller: Caller, url: string) {
  const world = caller.in(`world.${crypto.randomUUID()}`);
  const { customerId, destinationAccountId } = await world.state<Record<string, string>>('customer');
  const steer = (webhookEndpoint: string | null) =>
    world.platform('PATCH', `/sandbox/customers/${customerId}`, { webhookEndpoint });
  await steer(url);
  await world.platform('PATCH', `/sandbox/external-accounts/${destinationAccountId}`, {
    status: 'UNVERIFIED',
  });
  const path = `/sandbox/webhooks/deliveries`;
  const delivery = async () =>
    (await world.platform('GET', `${path}?customerId=${customerId}`)).body.data[0] as Values | undefined;
  return {
    delivery,
    attempts: async () => ((await delivery())?.['attempts'] ?? []).length as number,
    pass: (advanceSeconds: number) => world.platform('POST', '/sandbox/clock', { advanceSeconds }),
    redeliver: async () =>
      (await world.platform('POST', `${path}/${(await delivery())?.['id']}/redeliver`)).body,
    takeAway: () => steer(null),
  };
}

test('an event that nobody takes is sent again, later each time, until it is taken', async ({ caller }) => {
  await using hook = await receiver(2);
  const { delivery, attempts, pass } = await withEvent(caller, hook.origin);
  await expect.poll(attempts).toBe(1);
  const waiting = { type: 'EXTERNAL_ACCOUNT.STATUS_UPDATED', status: 'PENDING' };
  expect(await delivery()).toMatchObject({ ...waiting, nextAttemptAt: expect.any(String) });
  await pass(5);
  await expect.poll(attempts).toBe(2);
  // Not yet: the second wait is longer than the first.
  await pass(5);
  expect(hook.events).toHaveLength(2);
  await pass(30);
  await expect.poll(attempts).toBe(3);
  const taken = await delivery();
  expect(taken).toMatchObject({ status: 'DELIVERED', attempts: [{ taken: false }, {}, { taken: true }] });
  expect(taken).not.toHaveProperty('nextAttemptAt');
  expect(new Set(hook.events.map(({ id }) => id as string))).toEqual(new Set([taken?.['id']]));
  await pass(86_400);
  expect(hook.events).toHaveLength(3);
});

test('an event is given up after a while, and can be sent again by hand', async ({ caller }) => {
  await using hook = await receiver(6);
  const { delivery, attempts, pass, redeliver } = await withEvent(caller, hook.origin);
  for (const [count, wait] of [5, 30, 120, 600, 3600].entries()) {
    await expect.poll(attempts).toBe(count + 1);
    await pass(wait);
  }
  await expect.poll(async () => (await delivery())?.['status']).toBe('GIVEN_UP');
  expect(await redeliver()).toMatchObject({ status: 'DELIVERED' });
});

test('an endpoint that was taken away gets nothing more', async ({ caller }) => {
  await using hook = await receiver(9);
  const { delivery, attempts, pass, takeAway } = await withEvent(caller, hook.origin);
  await expect.poll(attempts).toBe(1);
  await takeAway();
  await pass(3600);
  expect((await delivery())?.['status']).toBe('GIVEN_UP');
  expect(hook.events).toHaveLength(1);
});
