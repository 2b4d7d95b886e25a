import { createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Service, type Values, expect, test, type Caller } from '../support/test.ts';

interface Received {
  readonly text: string;
  readonly signature: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly event: any;
}

/** Listens for events. @param status what every event is answered */
async function receiver(status = 200) {
  const events: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      events.push({
        text,
        signature: String(request.headers['x-service-signature']),
        event: JSON.parse(text),
      });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { url, events, close: () => server.close() };
}

test('an ownership verification is told once, signed, with the account', async ({ caller }) => {
  const hook = await receiver();
  const at = await Service.at(caller, 'customer', { ownership: 'PENDING' });
  const { customerId, destinationAccountId } = at.values;
  const { publicKey } = await caller.state<Values>('webhook', { url: hook.url, customerId });
  const path = `/customers/external-accounts/${destinationAccountId}`;
  await at.send('POST', `${path}/challenge`, { method: 'WALLET_SIGNATURE' });
  await at.send('POST', `${path}/verify`, { signature: '00'.repeat(64) });
  await at.send('POST', `/sandbox/webhooks/test?customerId=${customerId}`);
  expect(hook.events.map(({ event }) => event.type)).toEqual(
    ['EXTERNAL_ACCOUNT.STATUS_UPDATED', 'TEST'].slice(0, hook.events.length),
  );
  await expect.poll(() => hook.events.length).toBe(2);
  const { text, signature, event } = hook.events.find(({ event: { type } }) => type !== 'TEST')!;
  expect(event).toMatchObject({
    id: expect.stringMatching(/^Webhook:/),
    timestamp: expect.any(String),
    data: { id: destinationAccountId, status: 'UNVERIFIED' },
  });
  const value = Buffer.from(JSON.parse(signature).s, 'base64');
  expect(verify('sha256', Buffer.from(text), createPublicKey(publicKey), value)).toBe(true);
  hook.close();
});

test('card transactions and refunds are told, each change once and in order', async ({ caller }) => {
  const hook = await receiver();
  const { customerId } = await caller.state<Values>('customer');
  await caller.state('webhook', { url: hook.url, customerId });
  let cardTransactionId: string | undefined;
  for (const to of ['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED']) {
    ({ cardTransactionId } = await caller.state<Values>('card-transaction', {
      customerId,
      to,
      ...(cardTransactionId ? { cardTransactionId } : {}),
    }));
  }
  await caller.state('card-transaction', { customerId, to: 'EXCEPTION' });
  await caller.state('incoming-refund', { customerId, to: 'COMPLETED' });
  const { refundId } = await caller.state<Values>('incoming-refund', { customerId });
  await caller.state('incoming-refund', { refundId, to: 'FAILED' });
  await expect.poll(() => hook.events.length).toBe(10);
  expect(hook.events.map(({ event }) => event.type)).toEqual([
    ...['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED', 'AUTHORIZED', 'EXCEPTION'].map(
      (step) => `CARD_TRANSACTION.${step}`,
    ),
    ...['PENDING', 'COMPLETED', 'PENDING', 'FAILED'].map((step) => `INCOMING_PAYMENT.REFUND_${step}`),
  ]);
  expect(hook.events[0]!.event.data).toMatchObject({ id: cardTransactionId, type: 'CARD' });
  expect(hook.events[9]!.event.data.refund.status).toBe('FAILED');
  hook.close();
});

test('sending on demand tells a missing and a failing endpoint apart', async ({ caller }) => {
  const broken = await receiver(500);
  const at = await Service.at(caller, 'customer', { ownPlatform: true });
  const { customerId, clientId } = at.values;
  const sent = async () => (await at.send('POST', '/sandbox/webhooks/test')).body;
  expect(await sent()).toMatchObject({ status: 400, code: 'WEBHOOK_ENDPOINT_NOT_SET' });
  expect((await at.send('PATCH', '/config', { webhookEndpoint: broken.url })).status).toBe(200);
  expect(await sent()).toMatchObject({ status: 400, code: 'WEBHOOK_DELIVERY_ERROR' });
  await caller.state('webhook', { url: 'http://127.0.0.1:1/closed', clientId });
  expect(await sent()).toMatchObject({ status: 400, code: 'WEBHOOK_DELIVERY_ERROR' });
  const { test: request } = await caller.state<Values>('webhook', { url: null, customerId });
  expect((await at.send(request.method, request.path)).body.code).toBe('WEBHOOK_ENDPOINT_NOT_SET');
  broken.close();
});

test('a payment that fails after its debit has a refund, told like any other', async ({ caller }) => {
  const hook = await receiver();
  const at = await Service.at(caller, 'customer', { executionFails: true });
  await caller.state('webhook', { url: hook.url, customerId: at.values['customerId'] });
  const quote = await at.quote();
  await at.execute(quote);
  const { transactionId } = quote.body;
  const { body } = await at.send('GET', `/transactions/${transactionId}`);
  expect(body).toMatchObject({
    status: 'FAILED',
    refund: { status: 'COMPLETED', amount: { amount: quote.body.totalSendingAmount } },
  });
  await expect.poll(() => hook.events.length).toBe(2);
  expect(hook.events.map(({ event }) => [event.type, event.data.transactionId])).toEqual([
    ['OUTGOING_PAYMENT.REFUND_PENDING', transactionId],
    ['OUTGOING_PAYMENT.REFUND_COMPLETED', transactionId],
  ]);
  hook.close();
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
    const { transactionId, refundId } = await caller.state<Values>(state, {
      customerId: at.values['customerId'],
      to,
    });
    expect((await at.send('GET', `/transactions/${transactionId}`)).body).toMatchObject({
      id: transactionId,
      refund: { id: refundId, status: to },
    });
    expect((await at.balance()) - before).toBe(change);
    const again = await caller.setUp(state, { refundId, to: to === 'FAILED' ? 'COMPLETED' : 'FAILED' });
    expect(again.status).toBe(422);
  });

/** An endpoint that refuses so many events, and then takes them. */
async function failing(times: number) {
  const ids: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      ids.push((JSON.parse(Buffer.concat(parts).toString()) as { id: string }).id);
      response.writeHead(ids.length > times ? 200 : 503).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { url, ids, close: () => server.close() };
}

async function withEvent(caller: Caller, url: string) {
  const { customerId, destinationAccountId } = await caller.state<Record<string, string>>('customer');
  await caller.platform('PATCH', `/sandbox/customers/${customerId}`, { webhookEndpoint: url });
  await caller.platform('PATCH', `/sandbox/external-accounts/${destinationAccountId}`, {
    status: 'UNVERIFIED',
  });
  const deliveries = async () =>
    (await caller.platform('GET', `/sandbox/webhooks/deliveries?customerId=${customerId}`)).body.data;
  const attempts = async () => ((await deliveries())[0]?.attempts ?? []).length as number;
  const pass = (advanceSeconds: number) => caller.platform('POST', '/sandbox/clock', { advanceSeconds });
  return { customerId, deliveries, attempts, pass };
}

test('an event that nobody takes is sent again, later each time, until it is taken', async ({ caller }) => {
  const world = caller.in('world.backoff');
  const hook = await failing(2);
  const { deliveries, attempts, pass } = await withEvent(world, hook.url);
  await expect.poll(attempts).toBe(1);
  expect((await deliveries())[0]).toMatchObject({
    type: 'EXTERNAL_ACCOUNT.STATUS_UPDATED',
    status: 'PENDING',
    nextAttemptAt: expect.any(String),
  });
  await pass(5);
  await expect.poll(attempts).toBe(2);
  // Not yet: the second wait is longer than the first.
  await pass(5);
  expect(hook.ids).toHaveLength(2);
  await pass(30);
  await expect.poll(attempts).toBe(3);
  const [delivery] = await deliveries();
  expect(delivery.status).toBe('DELIVERED');
  expect(delivery.attempts.map(({ taken }: { taken: boolean }) => taken)).toEqual([false, false, true]);
  expect(delivery).not.toHaveProperty('nextAttemptAt');
  expect(new Set(hook.ids)).toEqual(new Set([delivery.id]));
  await pass(86_400);
  expect(hook.ids).toHaveLength(3);
  hook.close();
});

test('an event is given up after a while, and can be sent again by hand', async ({ caller }) => {
  const world = caller.in('world.given-up');
  const hook = await failing(6);
  const { deliveries, attempts, pass } = await withEvent(world, hook.url);
  for (const [count, wait] of [5, 30, 120, 600, 3600].entries()) {
    await expect.poll(attempts).toBe(count + 1);
    await pass(wait);
  }
  await expect.poll(async () => (await deliveries())[0].status).toBe('GIVEN_UP');
  const [{ id }] = await deliveries();
  const again = await world.platform('POST', `/sandbox/webhooks/deliveries/${id}/redeliver`);
  expect(again.body).toMatchObject({ id, status: 'DELIVERED' });
  hook.close();
});

test('an endpoint that was taken away gets nothing more', async ({ caller }) => {
  const world = caller.in('world.taken-away');
  const hook = await failing(9);
  const { customerId, deliveries, attempts, pass } = await withEvent(world, hook.url);
  await expect.poll(attempts).toBe(1);
  await world.platform('PATCH', `/sandbox/customers/${customerId}`, { webhookEndpoint: null });
  await pass(3600);
  expect((await deliveries())[0].status).toBe('GIVEN_UP');
  expect(hook.ids).toHaveLength(1);
  hook.close();
});
