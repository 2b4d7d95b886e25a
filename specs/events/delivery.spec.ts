import {
  eventually,
  ownershipOf,
  sendRequest,
  test,
  typesOf,
  verifies,
  type Answer,
  type Need,
  type StateRequest,
  type Webhook,
} from '../../suite/index.ts';
import { proven } from '../support/accounts.ts';
import { expectError } from '../support/refusals.ts';

const NO_OPERATION = 'no operation that sends an event is known here';
const ANY = /\w\.\w/;
/** How long to wait for a delivery to be repeated, in milliseconds. */
const REPEAT_MS = 1_000;

test(
  'sending an event without an endpoint is refused',
  verifies('EVENT-ENDPOINT-NOT-SET'),
  async ({ given, need, webhooks, check, platform, observe }) => {
    const registered = await webhooks.receive((await given.customer()).state);
    need(await needSend(registered, need)).available();
    const { customerId } = (await given.customer()).state;
    const state = await given.state<{ test?: StateRequest }>('webhook', { url: null, customerId });
    const request = need.offered(state.test, NO_OPERATION);
    const answer = await sendRequest(platform, request, 'sending a test event without an endpoint');
    await check('EVENT-ENDPOINT-NOT-SET', () => expectError(answer, 400, 'WEBHOOK_ENDPOINT_NOT_SET'));
    observe('webhook-test-operation', `${request.method} ${request.path.replace(/\?.*/, '')}`, answer);
  },
);

for (const way of ['answers 500', 'is not there'] as const)
  test(
    `sending an event to an endpoint that ${way} is refused`,
    verifies('EVENT-DELIVERY-ERROR'),
    async ({ given, need, webhooks, check }) => {
      const webhook = await webhooks.receive((await given.customer()).state);
      need(await needSend(webhook, need)).available();
      need.that(
        webhook.deliveries.length > 0,
        'the test event did not arrive, so nothing is known about its delivery',
      );
      if (way === 'answers 500') webhook.answerWith(500);
      else await webhook.close();
      const answer = await needSend(webhook, need);
      // An operation that only takes the order answers before anything is delivered.
      need.offered(answer.exchange.response?.status !== 202, 'test events are sent later');
      await check('EVENT-DELIVERY-ERROR', () => expectError(answer, 400, 'WEBHOOK_DELIVERY_ERROR'));
    },
  );

test('what an event looks like, and how it is signed', async ({ given, need, webhooks, observe }) => {
  const ownership = ownershipOf(await given.customer({ ownership: 'PENDING' }));
  const webhook = await webhooks.receive({ customerId: ownership.customer.state.customerId });
  await proven(ownership);
  const [event] = await webhook.until(ANY);
  const delivery = need.offered(event, 'no event came');
  const { answer, headers } = delivery;
  observe('webhook-envelope', Object.keys(answer.body as object), answer);
  observe('event-types-seen', typesOf(delivery), answer);
  const header = Object.keys(headers).find((name) => /signature/.test(name)) ?? 'none';
  const verified = webhook.signed(delivery) ?? 'no key, or another form';
  observe('webhook-signature', { header, verified }, answer);
});

test('whether, and when, a failed delivery is repeated', async ({ given, need, webhooks, observe }) => {
  const { customerId } = (await given.customer()).state;
  const webhook = await webhooks.receive({ customerId });
  need.offered(await webhook.works(), 'no event reaches this machine');
  webhook.answerWith(503);
  const before = webhook.deliveries.length;
  await given.state('incoming-refund', { customerId, to: 'PENDING' });
  await webhook.until(ANY);
  const isRepeated = () => webhook.deliveries.length > before + 1;
  await eventually(async () => isRepeated(), Boolean, REPEAT_MS);
  observe(
    'webhook-retry',
    `${isRepeated() ? 'within' : 'not within'} ${REPEAT_MS} ms`,
    ...webhook.deliveries.slice(before).map(({ answer }) => answer),
  );
});

test('in which order events arrive', async ({ given, need, webhooks, observe }) => {
  const { customerId } = (await given.customer()).state;
  const webhook = await webhooks.receive({ customerId });
  await given.state('incoming-refund', { customerId, to: 'COMPLETED' });
  const events = await webhook.until(ANY, 2);
  need.offered(events.length > 1, 'fewer than two events came');
  const arrived = events.flatMap(typesOf).filter((type) => ANY.test(type));
  const twice = webhook.deliveries.length > events.length;
  observe('webhook-order', { arrived, twice }, ...events.map(({ answer }) => answer));
  observe('event-types-seen', arrived);
});

async function needSend(webhook: Webhook, need: Need): Promise<Answer> {
  return need.offered(await webhook.sendTest(), NO_OPERATION);
}
