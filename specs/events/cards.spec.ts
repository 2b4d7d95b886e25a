import { expect, test, typesOf, verifies } from '../../suite/index.ts';
import { names } from './support/account-in.ts';

interface CardTransaction {
  readonly customerId: string;
  readonly cardTransactionId: string;
}

const CARD_EVENT = /^CARD_TRANSACTION\./;

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
        before = webhook
          .of(CARD_EVENT)
          .filter((event) => cardTransactionId !== undefined && names(event, cardTransactionId)).length;
        const state = await given.state<CardTransaction>(
          'card-transaction',
          { customerId, cardTransactionId, to },
          ['cardTransactionId'],
        );
        cardTransactionId = state.cardTransactionId;
        if (to !== steps.at(-1)) await webhook.until(CARD_EVENT, before + 1);
      }
      const told = (await webhook.until(CARD_EVENT, before + 1)).filter((event) =>
        names(event, cardTransactionId ?? ''),
      );
      const arrives = need.offered(
        await webhook.works(),
        'no event reaches this machine, so none that is missing proves anything',
      );
      await check(
        'EVENT-CARD-STATES',
        () =>
          expect(told.length, `events of the card transaction once it is ${change}`).toBeGreaterThan(before),
        told.length > 0 ? told.map(({ answer }) => answer) : [arrives],
      );
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
