import { Service, type Values } from '../../support/service.ts';
import { expect, test } from '../../support/test.ts';
import { receiver } from './receiver.ts';

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
