import { test, typesOf, verifies, type Delivery } from '../../suite/index.ts';
import { mustBeTold, names } from '../support/events.ts';

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
