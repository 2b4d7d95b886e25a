import { objectsWithin } from '../../suite/objects-within.ts';
import { sameId } from '../../suite/same-id.ts';
import {
  eventually,
  expect,
  test,
  typesOf,
  verifies,
  type Answer,
  type Delivery,
} from '../../suite/index.ts';
import { informationIn, isOf, expectTold, names, type Refund } from '../support/events.ts';

interface CardTransaction {
  readonly customerId: string;
  readonly cardTransactionId: string;
}

const CARD_EVENT = /^CARD_TRANSACTION\./;

const isCardEvent = (event: Delivery) => cardTypesOf(event).length > 0;

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
      let id: string | undefined;
      const isOfIt = (event: Delivery) => isCardEvent(event) && id !== undefined && names(event, id);
      let before = 0;
      let told: readonly Delivery[] = [];
      for (const to of steps) {
        before = webhook.of(isOfIt).length;
        const params = { customerId, cardTransactionId: id, to };
        const state = await given.state<CardTransaction>('card-transaction', params, ['cardTransactionId']);
        id = state.cardTransactionId;
        told = await expectTold({ check, need }, 'EVENT-CARD-STATES', {
          webhook,
          events: isOfIt,
          before,
          what: `CARD_TRANSACTION.* of the card transaction once it is ${to}`,
          sibling: async () => {
            const { cardTransactionId } = earlier;
            await given.state('card-transaction', { customerId, cardTransactionId, to: 'SETTLED' });
            return webhook.until((event) => isCardEvent(event) && names(event, cardTransactionId));
          },
        });
        if (told.length <= before) return;
      }
      const last = told.at(-1);
      if (last) observe('card-event-suffixes', { [change]: cardTypesOf(last)[0] }, last.answer);
      observe('operations-that-emit-events', { [`card transaction ${change}`]: 'CARD_TRANSACTION.*' });
    },
  );

for (const [change, steps] of Object.entries(CHANGES).filter(([, { length }]) => length > 1))
  test(
    `the event of a card transaction shows what it has become: ${change}`,
    verifies('EVENT-CARD-PAYLOAD'),
    async ({ given, need, webhooks, check, platform }) => {
      const { customerId } = await given.state<CardTransaction>('card-transaction', {}, ['customerId']);
      const webhook = await webhooks.receive({ customerId });
      const words: unknown[] = [];
      const types = new Set<string>();
      const views: { read: readonly string[]; event: readonly string[]; evidence: Answer[] }[] = [];
      let id: string | undefined;
      for (const to of steps) {
        const params = { customerId, cardTransactionId: id, to };
        const { cardTransactionId } = await given.state<CardTransaction>('card-transaction', params, [
          'cardTransactionId',
        ]);
        id = cardTransactionId;
        const read = await eventually(
          () => platform.call('getTransaction', { path: { transactionId: cardTransactionId } }),
          (answer) => !words.includes(statusesIn(answer, cardTransactionId)[0]),
          webhook.patienceMs,
        );
        need(read).available();
        const word = need.offered(
          statusesIn(read, cardTransactionId)[0],
          'the read shows no state of the card transaction that could be recognised',
        );
        need.that(!words.includes(word), 'the read shows the state that the card transaction had before');
        const shown = (event: Delivery) => statusesIn(event.answer, cardTransactionId);
        const tells = (event: Delivery) => isCardEvent(event) && shown(event).includes(word);
        const [told] = await webhook.until(tells);
        // An earlier event may come again, and late: only one of a type that is new is known to tell this change.
        const isNew = (event: Delivery) =>
          names(event, cardTransactionId) && cardTypesOf(event).some((type) => !types.has(type));
        const events = told ? [told] : webhook.of(isNew);
        const seen = events.flatMap(shown);
        const ids = events.filter((event) => isIdAlone(event, cardTransactionId));
        const isMore = () => expect(ids.length, 'events that tell its id alone').toBe(0);
        if (ids.length > 0)
          await check('EVENT-CARD-PAYLOAD', isMore, [read, ...ids.map(({ answer }) => answer)]);
        if (to === steps.at(-1)) {
          need.offered(told ?? seen.some((one) => words.includes(one)), 'no state is shown that is known');
          const evidence = [read, ...events.map(({ answer }) => answer)];
          const shows = () => expect(seen, 'states in the event').toContain(word);
          await check('EVENT-CARD-PAYLOAD', shows, evidence);
        } else need.offered(told, 'reads and events do not show the state in the same words');
        const kinds = told && objectsWithin(told.answer.body as unknown);
        const kind = kinds?.find((one) => sameId(one['id'], cardTransactionId))?.['type'];
        // A type of its own is left open: of the three that are shown, one is a card's.
        if (told && ['INCOMING', 'OUTGOING'].includes(String(kind)))
          await check('EVENT-CARD-PAYLOAD', () => expect(kind, 'type of the card transaction').toBe('CARD'), [
            told.answer,
          ]);
        if (told)
          views.push({
            read: fieldsIn(read, cardTransactionId),
            event: fieldsIn(told.answer, cardTransactionId),
            evidence: [read, told.answer],
          });
        words.push(word);
        for (const type of events.flatMap(cardTypesOf)) types.add(type);
      }
      // "The full card transaction": what reads showed before and show now, and events of other states carry, is part of it.
      // What came to it in between may be later than the event.
      const inEvents = new Set(views.flatMap(({ event }) => event));
      for (const [index, { read, event, evidence }] of views.entries()) {
        const before = new Set(['type', ...views.slice(0, index).flatMap((earlier) => earlier.read)]);
        const whole = read.filter((name) => before.has(name) && inEvents.has(name));
        await check(
          'EVENT-CARD-PAYLOAD',
          () =>
            expect(
              whole.filter((name) => !event.includes(name)),
              'fields of the card transaction that the event lacks',
            ).toEqual([]),
          evidence,
        );
      }
    },
  );

/** Of an event its types that speak of cards. */
function cardTypesOf(event: Delivery): readonly string[] {
  return typesOf(event).filter((type) => CARD_EVENT.test(type));
}

/** Whether an event holds, in its envelope, the card transaction's id and nothing else. */
function isIdAlone({ answer }: Delivery, id: string): boolean {
  const [, ...inside] = objectsWithin(answer.body as unknown);
  const isId = ([name, value]: [string, unknown]) => name === 'id' && sameId(value, id);
  return inside.length > 0 && inside.every((one) => Object.entries(one).every(isId));
}

/** Names of what is filled in the card transaction of this id, wherever it stands. */
function fieldsIn(answer: Answer, id: string): readonly string[] {
  const isEmpty = (value: unknown) =>
    value === null || (typeof value === 'object' && !Object.keys(value).length);
  return objectsWithin(answer.body as unknown)
    .filter((one) => sameId(one['id'], id))
    .flatMap((one) => Object.keys(one).filter((name) => !isEmpty(one[name])));
}

/** What the card transaction of this id shows as its status, in an answer or event of unknown shape. */
function statusesIn(answer: Answer, id: string): readonly string[] {
  const body: unknown = answer.exchange.response ? answer.body : undefined;
  return objectsWithin(body)
    .filter((one) => sameId(one['id'], id))
    .map(({ status }) => status)
    .filter((status) => typeof status === 'string');
}

for (const [rule, to, type] of INCOMING)
  test(
    `the refund of an incoming payment is told when it is ${to}`,
    verifies(rule),
    async ({ given, need, webhooks, check, observe }) => {
      const { customerId } = (await given.customer()).state;
      const webhook = await webhooks.receive({ customerId });
      const refund = await given.state<Refund>('incoming-refund', { customerId, to });
      const told = await expectTold({ check, need }, rule, {
        webhook,
        events: type,
        what: type,
        sibling: async () => {
          const [, end, endType] = INCOMING[to === 'COMPLETED' ? 2 : 1];
          await given.state('incoming-refund', { customerId, to: end });
          return webhook.until(endType);
        },
      });
      await given.state<Refund>('incoming-refund', { customerId, to });
      await expectTold({ check, need }, rule, {
        webhook,
        events: type,
        before: told.length,
        what: `${type}, of a second refund`,
      });
      const event = told.find((one) => isOf(one, refund)) ?? told[0];
      if (!event) return;
      await check(rule, () => expectInformation(event, refund), [event.answer]);
      // A refund that is over waits for nothing any more.
      if (to !== 'PENDING' && isOf(event, refund))
        await check(
          rule,
          () =>
            expect(statusesIn(event.answer, refund.refundId ?? ''), 'of the refund').not.toContain('PENDING'),
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
      const params = { customerId, to: 'PENDING' };
      const refund = await given.state<Refund>('outgoing-refund', params, ['refundId']);
      // What these events are called, and how they name the refund, is not shown: this customer has nothing else to tell.
      const isItsEvent = (event: Delivery) =>
        typesOf(event).some((one) => REFUND_EVENT.test(one)) &&
        (isOf(event, refund) || !webhook.of(namesIt).length);
      const namesIt = (event: Delivery) => isOf(event, refund);
      const pending = await expectTold({ check, need }, 'EVENT-OUTGOING-REFUND', {
        webhook,
        events: isItsEvent,
        what: 'of an outgoing refund that is pending',
      });
      const [first] = pending;
      if (first === undefined) return;
      await check('EVENT-OUTGOING-REFUND', () => expectInformation(first, refund), [first.answer]);
      await given.state<Refund>('outgoing-refund', { customerId, refundId: refund.refundId, to: end });
      // A delivery may be repeated: what says the same as the first is no second event.
      const known = new Set(pending.map(gist));
      const told = await expectTold({ check, need }, 'EVENT-OUTGOING-REFUND', {
        webhook,
        events: (event) => isItsEvent(event) && !known.has(gist(event)),
        what: `of an outgoing refund that is ${end}`,
      });
      const types = told.flatMap(typesOf).filter((type) => REFUND_EVENT.test(type));
      observe('outgoing-refund-event-types', { [end]: types }, ...told.map(({ answer }) => answer));
    },
  );

/** "Refund information": what it is, and where it stands, is not shown; an event that tells its type alone has none. */
function expectInformation(event: Delivery, refund: Refund): void {
  const isInformed = isOf(event, refund) || informationIn(event).length > 0;
  expect(isInformed, 'the event carries information on the refund').toBe(true);
}

/** An event but for the ids and times in it, which a repeated one may have anew. */
function gist({ text }: Delivery): string {
  return text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '')
    .replace(/\d{4}-\d\d-\d\dT[^"]*/g, '');
}
