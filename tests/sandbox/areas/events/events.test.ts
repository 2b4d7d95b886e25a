import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from '../../support/test.ts';
import { Service, type Values } from '../../support/service.ts';
import { receiver } from './receiver.ts';

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
