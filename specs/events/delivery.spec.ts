import {
  expect,
  sendRequest,
  test,
  verifies,
  type Answer,
  type Need,
  type StateRequest,
  type Webhook,
} from '../../suite/index.ts';

interface TestSender {
  readonly test?: StateRequest;
}

const NO_OPERATION = 'no operation that sends an event is known here';

test(
  'sending an event without an endpoint is refused',
  verifies('EVENT-ENDPOINT-NOT-SET'),
  async ({ given, need, webhooks, check, platform, observe }) => {
    const registered = await webhooks.receive({ customerId: (await given.customer()).state.customerId });
    need(await mustSend(registered, need)).available();
    const { customerId } = (await given.customer()).state;
    const { test: request } = await given.state<TestSender>('webhook', { url: null, customerId });
    const answer = await sendRequest(
      platform,
      need.offered(request, NO_OPERATION),
      'sending a test event without an endpoint',
    );
    await check('EVENT-ENDPOINT-NOT-SET', () => {
      expect(answer).toBeRefused(400);
      expect(answer).toHaveCode('WEBHOOK_ENDPOINT_NOT_SET');
    });
    observe('webhook-test-operation', `${request?.method} ${request?.path.replace(/\?.*/, '')}`, answer);
  },
);

for (const way of ['answers 500', 'is not there'] as const)
  test(
    `sending an event to an endpoint that ${way} is refused`,
    verifies('EVENT-DELIVERY-ERROR'),
    async ({ given, need, webhooks, check }) => {
      const webhook = await webhooks.receive({ customerId: (await given.customer()).state.customerId });
      need(await mustSend(webhook, need)).available();
      need.that(
        webhook.deliveries.length > 0,
        'the test event did not arrive, so nothing is known about its delivery',
      );
      if (way === 'answers 500') webhook.answerWith(500);
      else await webhook.close();
      const answer = await mustSend(webhook, need);
      // An operation that only takes the order answers before anything is delivered.
      need.offered(answer.exchange.response?.status !== 202, 'test events are sent later');
      await check('EVENT-DELIVERY-ERROR', () => {
        expect(answer).toBeRefused(400);
        expect(answer).toHaveCode('WEBHOOK_DELIVERY_ERROR');
      });
    },
  );

async function mustSend(webhook: Webhook, need: Need): Promise<Answer> {
  return need.offered(await webhook.sendTest(), NO_OPERATION);
}
