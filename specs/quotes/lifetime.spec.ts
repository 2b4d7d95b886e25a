import {
  eventually,
  expect,
  movesClock,
  succeeded,
  test,
  verifies,
  type Given,
  type QuoteSighting,
} from '../../suite/index.ts';
import { folded } from '../../suite/same-id.ts';
import { transactionOf } from '../support/actions.ts';
import {
  expectNotExecuted,
  expectSameTerms,
  lifetimeOf,
  readTransaction,
  SAME_TERMS,
} from '../support/quotes.ts';
import { needAwait } from '../support/sca.ts';

/** A share of the lifetime that certainly lies before its end. */
const LATE = 0.8;

/**
 * What may make a quote expire otherwise: its lifetime, which a target may be asked for in seconds, who receives, and from where
 * it is paid.
 */
const EXPIRING: readonly (readonly [
  which: string,
  expiresInSeconds: number | undefined,
  params?: Parameters<Given['quoteSource']>[0],
])[] = [
  ['a usual quote', undefined],
  ['a quote of 7200 s', 7_200],
  ['a quote to UMA_ADDRESS', undefined, { destinationKind: 'UMA_ADDRESS' }],
  ['a quote from REALTIME_FUNDING', undefined, { kind: 'REALTIME_FUNDING' }],
];
/** Seconds before and after expiresAt at which an execution is tried. Both times are the target's own. */
const BEFORE_SECONDS = 20;
const AFTER_SECONDS = 5;
/** Less than any time zone is away from its neighbour, more than clocks that are kept differ. */
const CLOCK_TOLERANCE_MS = 600_000;

/** When a quote is looked at again. @returns how it was created, and each later sight of it */
const LATER: readonly (readonly [when: string, sights: (given: Given) => Promise<Sights>])[] = [
  [
    'in every read',
    async (given) => {
      const customer = await given.customer();
      const created = await customer.needCreate();
      const read = () => customer.needRead(created.quote.id);
      return [created, await read(), await read()];
    },
  ],
  [
    'through its execution',
    async (given) => {
      const customer = await given.customer();
      const created = await customer.needCreate();
      const executed = await customer.needExecute(created.quote.id);
      const over = await customer.until(created.quote.id, ({ status }) => status === 'COMPLETED');
      return [created, customer.sighting(executed), over];
    },
  ],
  [
    'through its authorization',
    async (given) => {
      const customer = await given.scaCustomer({ challenges: 2 });
      const created = await needAwait(customer);
      const { steps } = await customer.authorizeAll(created);
      return [created, ...steps.map(({ after }) => after)];
    },
  ],
];

type Sights = readonly [created: QuoteSighting, ...later: readonly (QuoteSighting | undefined)[]];

for (const [when, sights] of LATER)
  test(
    `a quote keeps its id, its transaction, its rate, its amounts and its fees ${when}`,
    verifies('QUOTE-ID-STABLE', 'QUOTE-TRANSACTION-ID-STABLE', ...SAME_TERMS),
    async ({ given, check, need }) => {
      const [created, ...later] = await sights(given);
      const seen = later.filter((one) => one !== undefined);
      need.offered(seen.length > 0, 'no quote could be recognised afterwards');
      for (const one of seen) {
        await check('QUOTE-ID-STABLE', () => expect(folded(one.quote.id)).toBe(folded(created.quote.id)));
        await check('QUOTE-TRANSACTION-ID-STABLE', () =>
          expect(folded(one.quote.transactionId)).toBe(folded(created.quote.transactionId)),
        );
        await expectSameTerms(check, created.quote, one);
      }
    },
  );

test(
  'two quotes of one transfer name two transactions',
  verifies('QUOTE-TRANSACTION-ID-STABLE'),
  async ({ given, check, need }) => {
    const customer = await given.customer();
    const [one, other] = [await customer.needCreate(), await customer.needCreate()];
    need.that(folded(one.quote.id) !== folded(other.quote.id), 'the second quote is the first');
    await check(
      'QUOTE-TRANSACTION-ID-STABLE',
      () => expect(folded(other.quote.transactionId)).not.toBe(folded(one.quote.transactionId)),
      [one.answer, other.answer],
    );
  },
);

test(
  'the transaction that an executed quote names can be read where others can',
  verifies('QUOTE-TRANSACTION-ID-STABLE'),
  async ({ given, check, need }) => {
    const of = await transactionOf(await given.agent());
    const customer = await given.customer();
    // Neither this operation nor a transaction's id is shown: the control is the transaction of a transfer-out.
    const known = await readTransaction(customer, of, 'reading the transaction of a transfer-out');
    need.offered(known, 'this target offers no read of a transaction');
    const { quote } = await customer.needCreate();
    const executed = await customer.needExecute(quote.id);
    const { outcome, assumes = [] } = await customer.outcome(executed, quote.id);
    need.that(outcome === 'executed', 'the quote was not seen to be executed');
    const path = { transactionId: String(quote.transactionId) };
    const read = await eventually(
      () => customer.call('getTransaction', { label: 'reading the transaction of the quote', path }),
      succeeded,
      customer.patienceMs,
    );
    await check('QUOTE-TRANSACTION-ID-STABLE', () => expect(read).toBeAccepted(), {
      evidence: [executed, read],
      assumes,
    });
  },
);

test(
  'the rate, the amounts and the fees still hold shortly before the quote expires',
  movesClock(verifies(...SAME_TERMS)),
  async ({ given, check, clock, need }) => {
    const customer = await given.customer();
    const created = await customer.needCreate();
    await customer.needRead(created.quote.id);
    await clock.advance(Math.floor(lifetimeOf(created.quote, need) * LATE), customer.state.customerId);
    // Another quote in between may bring another rate; this one keeps its own.
    await customer.create({}, 'a later quote of the same transfer');
    await expectSameTerms(check, created.quote, await customer.needRead(created.quote.id));
  },
);

test(
  'a quote expires after its creation, and one that is executed at once had not expired, by any clock',
  verifies('QUOTE-EXPIRES-AFTER-CREATION'),
  async ({ given, check, clock, need }) => {
    const customer = await given.customer();
    const offset = await clock.offset(customer.state);
    const { quote, answer } = await customer.needCreate();
    await check('QUOTE-EXPIRES-AFTER-CREATION', () => {
      const lives = Date.parse(String(quote.expiresAt)) - Date.parse(String(quote.createdAt));
      expect(lives, 'milliseconds from creation to expiry').toBeGreaterThan(0);
    });
    const executed = await customer.needExecute(quote.id);
    const { outcome } = await customer.outcome(executed, quote.id);
    need.that(outcome === 'executed', 'the quote was not seen to be executed');
    const date = need.that(Date.parse(executed.header('date') ?? ''), 'the answer has no Date');
    // Of our clock, the target's and its answers' the one that is behind.
    const earliest = Math.min(Date.now(), Date.now() + offset, date) - CLOCK_TOLERANCE_MS;
    await check(
      'QUOTE-EXPIRES-AFTER-CREATION',
      () => expect(Date.parse(String(quote.expiresAt)), 'expiresAt').toBeGreaterThan(earliest),
      [answer, executed],
    );
  },
);

for (const [which, expiresInSeconds, params] of EXPIRING)
  test(
    `${which} can be executed shortly before expiresAt, and not after it`,
    movesClock(verifies('QUOTE-EXECUTABLE-UNTIL-EXPIRY', 'QUOTE-EXPIRED-NOT-EXECUTABLE')),
    async ({ given, check, clock, need, observe }) => {
      const customer = await (params ? given.quoteSource(params) : given.customer());
      const { customerId } = customer.state;
      if (expiresInSeconds !== undefined) await given.state('quote-expiry', { customerId, expiresInSeconds });
      const first = await customer.needCreate();
      const lifetime = lifetimeOf(first.quote, need);
      observe('quote-validity', `${Math.round(lifetime)} s`, first.answer);
      const isMeasurable = lifetime > 2 * BEFORE_SECONDS;
      if (isMeasurable) await clock.advance(Math.floor(lifetime) - BEFORE_SECONDS, customerId);
      const when = isMeasurable ? `${BEFORE_SECONDS} s before expiresAt` : 'at once';
      const inTime = await customer.execute(first.quote.id, `executing a quote ${when}`);
      const after = customer.sighting(inTime);
      // The control: executed at once, a quote of this customer is paid.
      if (!succeeded(inTime)) await customer.needExecute((await customer.needCreate()).quote.id);
      if (isMeasurable)
        await check('QUOTE-EXECUTABLE-UNTIL-EXPIRY', () => {
          expect(inTime).toBeAccepted();
          expect(after?.quote.status).not.toBe('EXPIRED');
        });
      const { quote } = await customer.needCreate();
      // A look at it in between makes it live no longer.
      const half = Math.floor(lifetimeOf(quote, need) / 2);
      await clock.advance(half, customerId);
      await customer.read(quote.id);
      await clock.advance(Math.ceil(lifetimeOf(quote, need)) - half + AFTER_SECONDS, customerId);
      const read = customer.sighting(await customer.read(quote.id));
      if (read) observe('quote-status-after-expiry', read.quote.status ?? 'none', read.answer);
      for (const when of ['', ', once more']) {
        const late = await customer.execute(quote.id, `executing ${AFTER_SECONDS} s after expiresAt${when}`);
        observe('quote-expired-execute-answer', late);
        await expectNotExecuted(check, 'QUOTE-EXPIRED-NOT-EXECUTABLE', {
          customer,
          executed: late,
          quoteId: quote.id,
        });
      }
      need.offered(isMeasurable, `a lifetime of ${lifetime} s is too short to measure its end`);
    },
  );
