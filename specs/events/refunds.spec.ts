import { expect, test, typesOf, verifies } from '../../suite/index.ts';
import { objectsWithin } from '../../suite/objects-within.ts';

interface Refund {
  readonly customerId: string;
}

const INCOMING = [
  ['EVENT-REFUND-PENDING', 'PENDING', 'INCOMING_PAYMENT.REFUND_PENDING'],
  ['EVENT-REFUND-COMPLETED', 'COMPLETED', 'INCOMING_PAYMENT.REFUND_COMPLETED'],
  ['EVENT-REFUND-FAILED', 'FAILED', 'INCOMING_PAYMENT.REFUND_FAILED'],
] as const;

for (const [rule, to, type] of INCOMING)
  test(
    `the refund of an incoming payment is told when it is ${to}`,
    verifies(rule),
    async ({ given, need, webhooks, check, observe }) => {
      const { state } = await given.customer();
      const webhook = await webhooks.receive({ customerId: state.customerId });
      await given.state<Refund>('incoming-refund', { customerId: state.customerId, to });
      const told = await webhook.until(type);
      const arrives = need.offered(
        await webhook.works(),
        'no event reaches this machine, so none that is missing proves anything',
      );
      await check(rule, () => expect(told.length, `events ${type}`).toBeGreaterThan(0), [
        told[0]?.answer ?? arrives,
      ]);
      const [event] = told;
      if (!event) return;
      // "Refund information": something beside the type has to be there; what, is not shown.
      await check(
        rule,
        () =>
          expect(
            objectsWithin(event.answer.body as unknown).length,
            'the event carries information on the refund',
          ).toBeGreaterThan(1),
        [event.answer],
      );
      observe(
        'refund-information-fields',
        [
          ...new Set(
            objectsWithin(event.answer.body as unknown)
              .slice(1)
              .flatMap((one) => Object.keys(one)),
          ),
        ],
        event.answer,
      );
      const refund = objectsWithin(event.answer.body as unknown).find(
        (one) => 'reference' in one || 'initiatedAt' in one,
      );
      if (refund) observe('refund-fields', Object.keys(refund), event.answer);
    },
  );

test('what the refund of an outgoing payment is told as', async ({ given, need, webhooks, observe }) => {
  for (const to of ['COMPLETED', 'FAILED']) {
    const { state } = await given.customer();
    const webhook = await webhooks.receive({ customerId: state.customerId });
    await given.state<Refund>('outgoing-refund', { customerId: state.customerId, to });
    const any = /\w\.\w/;
    await webhook.until(any, 2);
    need.offered(await webhook.works(), 'no event reaches this machine');
    observe(
      'outgoing-refund-event-types',
      { [to]: webhook.of(any).flatMap((event) => typesOf(event).filter((type) => any.test(type))) },
      ...webhook.of(any).map(({ answer }) => answer),
    );
  }
});
