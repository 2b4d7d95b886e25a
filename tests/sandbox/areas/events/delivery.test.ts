import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Caller } from '../../support/caller.ts';
import { expect, test } from '../../support/test.ts';

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
