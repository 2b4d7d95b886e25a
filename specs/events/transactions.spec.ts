import { objectsWithin } from '../../suite/bodies.ts';
import { expect, test, typesOf, verifies, type Delivery } from '../../suite/index.ts';
import { informationIn, isOf, mustBeTold, names, type Refund } from '../support/events.ts';

interface CardTransaction {
  readonly customerId: string;
  readonly cardTransactionId: string;
}

const CARD_EVENT = /^CARD_TRANSACTION\./;

const isCardEvent = (event: Delivery) => typesOf(event).some((type) => CARD_EVENT.test(type));

/** Each change, after those that lead to it. */
const CHANGES = {
  authorized: ['AUTHORIZED'],
  'partially settled': ['AUTHORIZED', 'PARTIALLY_SETTLED'],
  settled: ['AUTHORIZED', 'SETTLED'],
  refunded: ['AUTHORIZED', 'SETTLED', 'REFUNDED'],
  exception: ['AUTHORIZED', 'EXCEPTION'],
} as const;

const REFUND_EVENT = /\w\.\w/;
const INCOMING = [
  ['EVENT-REFUND-PENDING', 'PENDING', 'INCOMING_PAYMENT.REFUND_PENDING'],
  ['EVENT-REFUND-COMPLETED', 'COMPLETED', 'INCOMING_PAYMENT.REFUND_COMPLETED'],
  ['EVENT-REFUND-FAILED', 'FAILED', 'INCOMING_PAYMENT.REFUND_FAILED'],
] as const;

for (const [change, steps] of Object.entries(CHANGES))
  test(
    `a card transaction is told when it changes: ${change}`,
    verifies('EVENT-CARD-STATES'),
    async ({ given, need, webhooks, check, observe }) => {
      // The customer has to be known before its first event: a transaction of its own is made first.
      const earlier = await given.state<CardTransaction>('card-transaction', {}, [
        'customerId',
        'cardTransactionId',
      ]);
      const { customerId } = earlier;
      const webhook = await webhooks.receive({ customerId });
      let cardTransactionId: string | undefined;
      let before = 0;
      for (const to of steps) {
        const known = cardTransactionId;
        before = webhook.of(
          (event) => isCardEvent(event) && known !== undefined && names(event, known),
        ).length;
        const state = await given.state<CardTransaction>(
          'card-transaction',
          { customerId, cardTransactionId, to },
          ['cardTransactionId'],
        );
        cardTransactionId = state.cardTransactionId;
        if (to !== steps.at(-1)) await webhook.until(CARD_EVENT, before + 1);
      }
      const id = cardTransactionId ?? '';
      const told = await mustBeTold({ check, need }, 'EVENT-CARD-STATES', {
        webhook,
        events: (event) => isCardEvent(event) && names(event, id),
        before,
        what: `CARD_TRANSACTION.* of the card transaction once it is ${change}`,
      });
      const last = told.at(-1);
      if (last)
        observe(
          'card-event-suffixes',
          { [change]: typesOf(last).find((type) => CARD_EVENT.test(type)) },
          last.answer,
        );
      observe('operations-that-emit-events', {
        [`card transaction ${change}`]: told.length > before ? 'CARD_TRANSACTION.*' : 'none',
      });
    },
  );

for (const [rule, to, type] of INCOMING)
  test(
    `the refund of an incoming payment is told when it is ${to}`,
    verifies(rule),
    async ({ given, need, webhooks, check, observe }) => {
      const { customerId } = (await given.customer()).state;
      const webhook = await webhooks.receive({ customerId });
      const refund = await given.state<Refund>('incoming-refund', { customerId, to });
      const told = await mustBeTold({ check, need }, rule, { webhook, events: type, what: type });
      const event = told.find((one) => isOf(one, refund)) ?? told[0];
      if (!event) return;
      // "Refund information": what it is, and where it stands, is not shown; an event that tells its type alone has none.
      await check(
        rule,
        () =>
          expect(
            isOf(event, refund) || informationIn(event).length > 0,
            'the event carries information on the refund',
          ).toBe(true),
        [event.answer],
      );
      observe('refund-information-fields', informationIn(event), event.answer);
      const shown = objectsWithin(event.answer.body as unknown).find(
        (one) => 'reference' in one || 'initiatedAt' in one,
      );
      if (shown) observe('refund-fields', Object.keys(shown), event.answer);
    },
  );

for (const end of ['COMPLETED', 'FAILED'])
  test(
    `the refund of an outgoing payment is told when it is pending and when it is ${end}`,
    verifies('EVENT-OUTGOING-REFUND'),
    async ({ given, need, webhooks, check, observe }) => {
      const { customerId } = (await given.customer()).state;
      const webhook = await webhooks.receive({ customerId });
      const refund = await given.state<Refund>('outgoing-refund', { customerId, to: 'PENDING' }, [
        'refundId',
      ]);
      // What these events are called, and how they name the refund, is not shown: this customer has nothing else to tell.
      const isItsEvent = (event: Delivery) =>
        typesOf(event).some((one) => REFUND_EVENT.test(one)) &&
        (isOf(event, refund) || !webhook.of(namesIt).length);
      const namesIt = (event: Delivery) => isOf(event, refund);
      const pending = await mustBeTold({ check, need }, 'EVENT-OUTGOING-REFUND', {
        webhook,
        events: isItsEvent,
        what: 'of an outgoing refund that is pending',
      });
      if (pending.length === 0) return;
      await given.state<Refund>('outgoing-refund', { customerId, refundId: refund.refundId, to: end });
      const told = await mustBeTold({ check, need }, 'EVENT-OUTGOING-REFUND', {
        webhook,
        events: isItsEvent,
        before: pending.length,
        what: `of an outgoing refund that is ${end}`,
      });
      observe(
        'outgoing-refund-event-types',
        { [end]: told.flatMap((event) => typesOf(event).filter((type) => REFUND_EVENT.test(type))) },
        ...told.map(({ answer }) => answer),
      );
    },
  );
