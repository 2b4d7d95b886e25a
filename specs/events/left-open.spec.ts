import { ownershipOf, test, typesOf } from '../../suite/index.ts';
import { proven } from '../support/accounts.ts';

interface Refund {
  readonly refundId?: string;
}

const ANY = /\w\.\w/;
/** How long to wait for a delivery to be repeated, in milliseconds. */
const REPEAT_MS = 1_000;

test('what an event looks like, and how it is signed', async ({ given, need, webhooks, observe }) => {
  const ownership = ownershipOf(await given.customer({ ownership: 'PENDING' }));
  const webhook = await webhooks.receive({ customerId: ownership.customer.state.customerId });
  await proven(ownership);
  const [event] = await webhook.until(ANY);
  const delivery = need.offered(event, 'no event came');
  const body = delivery.answer.body as Readonly<Record<string, unknown>>;
  observe('webhook-envelope', Object.keys(body), delivery.answer);
  observe('event-types-seen', typesOf(delivery), delivery.answer);
  const header = Object.keys(delivery.headers).find((name) => /signature/.test(name));
  const right = webhook.signed(delivery);
  observe(
    'webhook-signature',
    { header: header ?? 'none', verified: right ?? 'no key, or another form' },
    delivery.answer,
  );
});

test('whether, and when, a failed delivery is repeated', async ({ given, need, webhooks, observe }) => {
  const { customerId } = (await given.customer()).state;
  const webhook = await webhooks.receive({ customerId });
  need.offered(await webhook.works(), 'no event reaches this machine');
  webhook.answerWith(503);
  const before = webhook.deliveries.length;
  await given.state<Refund>('incoming-refund', { customerId, to: 'PENDING' });
  await webhook.until(ANY);
  const started = performance.now();
  while (webhook.deliveries.length < before + 2 && performance.now() - started < REPEAT_MS)
    await webhook.watch(ANY, Number.MAX_SAFE_INTEGER);
  observe(
    'webhook-retry',
    webhook.deliveries.length > before + 1 ? `within ${REPEAT_MS} ms` : `not within ${REPEAT_MS} ms`,
    ...webhook.deliveries.slice(before).map(({ answer }) => answer),
  );
});

test('in which order events arrive', async ({ given, need, webhooks, observe }) => {
  const { customerId } = (await given.customer()).state;
  const webhook = await webhooks.receive({ customerId });
  await given.state<Refund>('incoming-refund', { customerId, to: 'COMPLETED' });
  const events = await webhook.until(ANY, 2);
  need.offered(events.length > 1, 'fewer than two events came');
  const types = events.flatMap((event) => typesOf(event).filter((type) => ANY.test(type)));
  observe(
    'webhook-order',
    { arrived: types, twice: webhook.deliveries.length > events.length },
    ...events.map(({ answer }) => answer),
  );
  observe('event-types-seen', types);
});
