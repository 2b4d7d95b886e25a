import fc from 'fast-check';
import { isObject } from '../../schemas/json.ts';
import { listOf } from '../../schemas/openapi.ts';
import {
  eventually,
  expect,
  inTime,
  movesClock,
  succeeded,
  survey,
  takenBetween,
  test,
  verifies,
  WAITING,
  type Answer,
  type Check,
  type Given,
  type QuoteCustomer,
  type QuoteSighting,
  type SeenQuote,
} from '../../suite/index.ts';
import type { Clock } from '../../suite/clock.ts';
import { raced } from '../../suite/concurrent-calls.ts';
import {
  accountsBeside,
  balanceOf,
  executedByAgent,
  executedByPlatform,
  lifetimeOf,
  needSide,
  openingBalanceOf,
  readTransaction,
  RECEIVED_IS_LOCKED,
  watchedAccount,
} from '../support/quotes.ts';
import { needAwait, needGoing } from '../support/sca.ts';

/** How long to look for money that must not leave, in milliseconds. */
const WATCH_MS = 300;
/** What an account that holds little can pay, in the smallest unit of its currency. */
const PAID_AMOUNT = 10_000;
/** A fixed platform fee, in the smallest unit. */
const FEE = 250;
/** Races of one kind at standard depth. */
const RACES = 3;
const REASONS = listOf('TransactionFailureReason', 'x-known-values');
const SETTLED = new Set<unknown>(['COMPLETED', 'FAILED', 'EXPIRED']);
/** Seconds after expiresAt. */
const AFTER_SECONDS = 5;
const NO_MOVEMENT = 'the balance shows no movement for an executed quote';
const SHARED = 'prepared accounts are shared between tests';
const NO_TOTAL = 'the quote tells no totalSendingAmount';

test('what becomes of a quote that is executed', verifies('QUOTE-STATUS'), async ({ given, observe }) => {
  const customer = await given.customer();
  const { quote } = await customer.needCreate();
  const executed = await customer.needExecute(quote.id);
  observe('quote-read-and-execute-operations', 'GET /quotes/{id}, POST /quotes/{id}/execute', executed);
  const during = customer.sighting(executed);
  const last = await customer.until(quote.id, ({ status }) => SETTLED.has(status));
  const statuses = new Set([quote.status, during?.quote.status, last?.quote.status]);
  statuses.delete(undefined);
  observe('quote-transitions', [...statuses].join(' → '), executed);
  observe('quote-executed-twice', await customer.execute(quote.id, 'executing the quote once more'));
  const transaction = await readTransaction(customer, quote.transactionId);
  if (!transaction) return;
  observe('transaction-fields', Object.keys(transaction.body).sort(), transaction.answer);
  observe('transaction-statuses', transaction.body['status'] ?? 'none', transaction.answer);
});

test(
  'what becomes of a quote whose execution fails',
  verifies('QUOTE-STATUS', 'TRANSACTION-FAILURE-REASONS'),
  async ({ given, check, observe }) => {
    const customer = await given.customer({ executionFails: true });
    const { quote } = await customer.needCreate();
    await customer.needExecute(quote.id, 'executing a quote that will fail');
    const last = await customer.until(quote.id, ({ status }) => SETTLED.has(status));
    if (last) observe('quote-transitions', `PENDING → ${String(last.quote.status)}`, last.answer);
    const transaction = await readTransaction(customer, quote.transactionId);
    if (!transaction) return;
    const { failureReason, refund } = transaction.body;
    observe('failure-reasons-seen', failureReason ?? 'none', transaction.answer);
    // Which field tells it is not shown: another one, or a sentence in words, is held to nothing.
    if (typeof failureReason === 'string' && /^[A-Z][A-Z_]+$/.test(failureReason))
      await check('TRANSACTION-FAILURE-REASONS', () => expect(failureReason).toBeOneOf(REASONS), [
        transaction.answer,
      ]);
    const isShown = typeof refund === 'object' && refund !== null;
    observe('refund-fields', isShown ? Object.keys(refund).sort() : 'no refund object', transaction.answer);
  },
);

for (const [lockedCurrencyAmount, whose, side, params] of [
  [10_000, ' to a UMA address', {}, { destinationKind: 'UMA_ADDRESS' }],
  [123_457, '', {}],
  // Whose fees come on top of the amount that was named, and are within the total all the same.
  [12_345, ' to be received', RECEIVED_IS_LOCKED],
] as const)
  test(
    `the execution of a quote of ${lockedCurrencyAmount}${whose} takes its totalSendingAmount`,
    verifies('QUOTE-DEBIT-IS-TOTAL'),
    async ({ given, check }) => {
      const customer = await ownCustomer(given, params);
      const account = await watchedAccount(customer);
      const changes = { lockedCurrencyAmount, ...side };
      await needSide(customer, side);
      const created = await customer.needCreate(changes);
      const executed = await customer.needExecute(created.quote.id);
      await expectTotalTaken(check, customer, { created, executed, account });
    },
  );

for (const [what, params] of [
  ['from an account in euros', { currency: 'EUR' }],
  ['with a platform fee', { platformFee: FEE }],
] as const)
  test(
    `the execution of a quote ${what} takes its totalSendingAmount`,
    verifies('QUOTE-DEBIT-IS-TOTAL'),
    async ({ given, need, check }) => {
      given.unshared(SHARED);
      const customer = await given.quoteSource(params);
      const account = await watchedAccount(customer);
      const answer = await customer.create({}, `a quote ${what}`);
      need(answer).available();
      const created = customer.needSee(answer);
      const executed = await customer.execute(created.quote.id);
      need(executed).available();
      await expectTotalTaken(check, customer, { created, executed, account });
    },
  );

for (const [to, params] of [
  ['', {}],
  [' to a UMA address', { destinationKind: 'UMA_ADDRESS' }],
] as const)
  test(
    `a quote${to} that is executed once more takes no more money`,
    verifies('QUOTE-DEBIT-IS-TOTAL'),
    async ({ given, check, need }) => {
      const customer = await ownCustomer(given, params);
      const account = await watchedAccount(customer);
      const { quote } = await customer.needCreate();
      const total = need.that(quote.totalSendingAmount, NO_TOTAL);
      await customer.needExecute(quote.id);
      const once = await account.untilTaken(total);
      need.that(once.amount === total, 'the first execution did not take the total');
      const again = await customer.execute(quote.id, 'executing the quote once more');
      const twice = await account.takenAfter(WATCH_MS);
      await check('QUOTE-DEBIT-IS-TOTAL', () => expect(twice).toHaveTaken({ exactly: total }), [
        again,
        twice.answer,
      ]);
    },
  );

for (const [whose, side] of [
  ['', {}],
  [' of an amount to be received', RECEIVED_IS_LOCKED],
] as const)
  test(
    `a quote${whose} to another account of its customer brings its totalReceivingAmount there`,
    verifies('QUOTE-DEBIT-IS-TOTAL'),
    async ({ given, check, need }) => {
      const customer = await ownCustomer(given);
      await needSide(customer, side);
      const account = await watchedAccount(customer);
      const { to, quote, answer } = await quotedToOwnAccount(customer, side);
      const total = need.that(quote.totalReceivingAmount, 'the quote tells no totalReceivingAmount');
      const before = await balanceOf(customer, need, to);
      const executed = await customer.needExecute(quote.id);
      const { outcome } = await customer.outcome(executed, quote.id);
      need.that(outcome === 'executed', 'the quote was not seen to be executed');
      // The money may move at the end alone, however late that comes.
      const isOver = await isCompleted(customer, quote.id);
      const now = await eventually(
        () => balanceOf(customer, need, to),
        ({ amount }) => amount - before.amount >= total,
        customer.patienceMs,
      );
      const isMissing = now.amount - before.amount < total;
      await check(
        'QUOTE-DEBIT-IS-TOTAL',
        () => expect(takenBetween(before, now)).toHaveTaken({ exactly: -total }),
        { evidence: [answer, executed, now.answer], assumes: isMissing && !isOver ? ['effectSeconds'] : [] },
      );
      await expectTotalTaken(check, customer, { created: { quote, answer }, executed, account });
    },
  );

test(
  'a quote that was authorized takes its totalSendingAmount, and no more when it is authorized and executed again',
  verifies('QUOTE-DEBIT-IS-TOTAL'),
  async ({ given, check }) => {
    given.unshared(SHARED);
    const customer = await given.scaCustomer({ challenges: 1 });
    const account = await watchedAccount(customer);
    const created = await needAwait(customer);
    const { id } = created.quote;
    const { last } = await customer.needAuthorizeAll(created);
    const executed = await needGoing(customer, last);
    // Reads may follow later than the authorization.
    await customer.until(id, ({ status }) => status !== WAITING);
    const total = await expectTotalTaken(check, customer, { created, executed, account });
    const proof = customer.needProve(created.challenge);
    const again = [
      await customer.authorize(id, proof, 'authorizing the quote once more'),
      await customer.execute(id, 'executing the quote once more'),
    ];
    const twice = await account.takenAfter(WATCH_MS);
    await check('QUOTE-DEBIT-IS-TOTAL', () => expect(twice).toHaveTaken({ exactly: total }), [
      ...again,
      twice.answer,
    ]);
  },
);

test(
  'each of three quotes, one after the other, takes its own total',
  verifies('QUOTE-DEBIT-IS-TOTAL'),
  async ({ given, check, need }) => {
    const customer = await ownCustomer(given);
    const account = await watchedAccount(customer);
    let due = 0;
    for (const lockedCurrencyAmount of [10_000, 12_345, 11_000]) {
      const { quote } = await customer.needCreate({ lockedCurrencyAmount });
      due += need.that(quote.totalSendingAmount, NO_TOTAL);
      const executed = await customer.needExecute(quote.id);
      const taken = await account.untilTaken(due);
      need.that(taken.amount !== 0, NO_MOVEMENT);
      const isTaken = await check(
        'QUOTE-DEBIT-IS-TOTAL',
        () => expect(taken).toHaveTaken({ exactly: due }),
        inTime(executed, taken.answer),
      );
      if (!isTaken) return;
      // What was taken is not given back in part when the quote is completed.
      const completed = await customer.until(quote.id, ({ status }) => SETTLED.has(status));
      if (completed?.quote.status !== 'COMPLETED') continue;
      const last = await account.taken();
      await check('QUOTE-DEBIT-IS-TOTAL', () => expect(last).toHaveTaken({ exactly: due }), [
        completed.answer,
        last.answer,
      ]);
    }
  },
);

/** An execution that was refused, the balance that shows what it took, and an execution that is to follow. */
interface RefusedExecution {
  readonly customer: QuoteCustomer;
  readonly account: Awaited<ReturnType<typeof watchedAccount>>;
  readonly answer: Answer;
  readonly control: () => Promise<SeenQuote>;
}

/** Executions that are refused, each with the control that follows it: an execution that shows in the balance. */
const REFUSED: readonly {
  readonly says: string;
  readonly rule: string;
  readonly waits?: true;
  readonly refused: (given: Given, clock: Clock) => Promise<RefusedExecution>;
}[] = [
  {
    says: 'after expiresAt',
    rule: 'QUOTE-EXPIRED-NOT-EXECUTABLE',
    waits: true,
    refused: async (given, clock) => {
      const customer = await ownCustomer(given);
      const account = await watchedAccount(customer);
      const { quote } = await customer.needCreate();
      const { customerId } = customer.state;
      await clock.advance(Math.ceil(lifetimeOf(quote, customer.need)) + AFTER_SECONDS, customerId);
      const answer = await customer.execute(quote.id, 'executing after expiresAt');
      const control = async () => (await customer.needCreate()).quote;
      return { customer, account, answer, control };
    },
  },
  {
    says: 'for want of funds',
    rule: 'QUOTE-DEBIT-IS-TOTAL',
    refused: async (given) => {
      const customer = await ownCustomer(given, { balance: 3 * PAID_AMOUNT });
      const account = await watchedAccount(customer);
      const { quote } = await sent(customer, 4 * PAID_AMOUNT);
      const answer = await customer.execute(quote.id, 'executing what the balance does not cover');
      // An account may be overdrawn, and an execution may fail later.
      customer.need.offered(!succeeded(answer), 'such an execution is not refused');
      const control = async () => (await sent(customer, PAID_AMOUNT)).quote;
      return { customer, account, answer, control };
    },
  },
  {
    says: 'before its authorization',
    rule: 'QUOTE-AUTHORIZATION-BEFORE-EXECUTION',
    refused: async (given) => {
      given.unshared('prepared accounts are shared between tests');
      const customer = await given.scaCustomer({ challenges: 1 });
      const account = await watchedAccount(customer);
      const waiting = await needAwait(customer);
      const answer = await customer.execute(waiting.quote.id, 'executing before the authorization');
      const control = async () => (await customer.needAuthorizeAll(waiting)).last.quote;
      return { customer, account, answer, control };
    },
  },
];

for (const { says, rule, waits, refused } of REFUSED)
  test(
    `an execution that is refused ${says} takes no money`,
    waits ? movesClock(verifies(rule)) : verifies(rule),
    async ({ given, check, clock, need }) => {
      const { customer, account, answer, control } = await refused(given, clock);
      need(answer).refused();
      const taken = await account.taken();
      // What has left shows by itself that the balance moves.
      if (taken.amount <= 0) {
        const { id, status } = await control();
        if (status === 'PENDING') await customer.execute(id, 'the control, which is executed');
        need.that((await account.untilTaken(taken.amount + 1)).amount > taken.amount, NO_MOVEMENT);
      }
      await check(rule, () => expect(taken).toHaveTaken({ below: 1 }), [answer, taken.answer]);
    },
  );

test(
  'the last money is spent once, also by quotes',
  verifies('TRANSFER-FUNDS-SPENT-ONCE'),
  async ({ given, check, need }) => {
    const twoQuoted = async () => {
      const customer = await ownCustomer(given, { balance: 3 * PAID_AMOUNT });
      const ids = [await sent(customer, 2 * PAID_AMOUNT), await sent(customer, 2 * PAID_AMOUNT)].map(
        ({ quote }) => quote.id,
      );
      return ids.map(
        (id) => async (label: string) => customer.outcome(await customer.execute(id, label), id),
      );
    };
    // The control: one after the other the second finds no money, so the target knows no overdraft.
    const outcomes = [];
    for (const execute of await twoQuoted()) outcomes.push((await execute('executing alone')).outcome);
    need.offered(outcomes[0] === 'executed', 'a quote that the balance covers is not executed');
    need.offered(outcomes[1] === 'not executed', 'this target executes what the balance does not cover');
    for (let race = 1; race <= RACES; race++) {
      const label = `executing two quotes at once, race ${race}`;
      const raced = await Promise.all((await twoQuoted()).map((execute) => execute(label)));
      const executed = raced.filter(({ outcome }) => outcome === 'executed');
      need.that(executed.length > 0, 'no execution was taken');
      await check(
        'TRANSFER-FUNDS-SPENT-ONCE',
        () => expect(executed.length, 'quotes executed of which the balance covers one').toBe(1),
        {
          evidence: raced.flatMap(({ answers }) => answers),
          assumes: raced.flatMap(({ assumes }) => assumes ?? []),
        },
      );
    }
  },
);

test(
  'a quote that is executed several times at once is paid once',
  verifies('QUOTE-DEBIT-IS-TOTAL'),
  async ({ given, check }) => {
    await survey(
      check,
      fc.integer({ min: 2, max: 6 }),
      async (count, on) => {
        const { records, answers } = await raced(on, async () => {
          const customer = await ownCustomer(given);
          const account = await watchedAccount(customer);
          const { quote } = await customer.needCreate();
          return {
            records: { customer, account, quote },
            calls: Array.from({ length: count }, (_, at) => at + 1),
            send: (at: number) => customer.execute(quote.id, `executing the quote, ${at} of ${count}`),
          };
        });
        const { quote, account } = records;
        on.need.that(answers.some(succeeded), 'no execution was taken');
        const total = on.need.that(quote.totalSendingAmount, NO_TOTAL);
        on.need.that((await account.untilTaken(total)).amount >= total, 'the money did not leave in time');
        const after = await account.takenAfter(WATCH_MS);
        on.told(after.answer);
        await on.hold(
          'QUOTE-DEBIT-IS-TOTAL',
          () => expect(after.amount, `what left the account after ${count} executions at once`).toBe(total),
          [...answers, after.answer],
        );
      },
      { runs: RACES },
    );
  },
);

/** Quotes whose execution fails: two, as the second failure may be treated otherwise, one of them large; of other kinds one each. */
const FAILING: readonly {
  readonly what: string;
  readonly amounts: readonly number[];
  readonly side?: typeof RECEIVED_IS_LOCKED;
  readonly params?: Parameters<Given['customer']>[0];
  readonly execute?: typeof executedByPlatform;
}[] = [
  { what: 'amounts of 10000 and 250000', amounts: [10_000, 250_000] },
  { what: 'an amount to be received', amounts: [10_000], side: RECEIVED_IS_LOCKED },
  { what: 'an amount to a UMA address', amounts: [10_000], params: { destinationKind: 'UMA_ADDRESS' } },
  { what: 'an amount that an agent pays', amounts: [10_000], execute: executedByAgent },
];

for (const { what, amounts, side = {}, params = {}, execute = executedByPlatform } of FAILING)
  test(
    `${what}: what was debited comes back when the execution fails`,
    verifies('TRANSACTION-FAILED-REFUNDED'),
    async ({ given, check, need }) => {
      // The control: an execution is seen to take money from such an account.
      const sound = await ownCustomer(given);
      const account = await watchedAccount(sound);
      await execute(
        sound,
        { lockedCurrencyAmount: amounts[0] },
        'executing a quote that will not fail',
        given,
      );
      need.that((await account.untilTaken(1)).amount > 0, NO_MOVEMENT);

      const customer = await given.customer({ ...params, executionFails: true });
      await needSide(customer, side);
      for (const lockedCurrencyAmount of amounts) {
        const before = await openingBalanceOf(customer);
        const label = `executing a quote of ${lockedCurrencyAmount} that will fail`;
        const { quote } = await execute(customer, { lockedCurrencyAmount, ...side }, label, given);
        // The refund may come together with the failure.
        const executing = await balanceOf(customer);
        const last = await customer.until(quote.id, ({ status }) => status === 'FAILED');
        need.offered(last?.quote.status === 'FAILED', 'the execution was not seen to fail');
        const failing = await balanceOf(customer);
        const hasLeft = [executing, failing].some(({ amount }) => amount < before.amount);
        const refunded = () => refundOf(customer, quote.transactionId);
        // Reads may follow later: a debit that was back before it was seen still shows as a refund.
        if (!hasLeft) await eventually(refunded, isObject, customer.patienceMs);
        const after = await eventually(
          () => balanceOf(customer),
          // A debit that is booked late may come after its refund.
          (seen) => seen.amount === before.amount,
          customer.patienceMs,
        );
        // The text names no time: a refund that is said to be on its way keeps the rule.
        const refund = await refunded();
        const isLess = after.amount < before.amount;
        need.that(!isLess || refund?.status !== 'PENDING', 'the refund is still pending');
        // "A debited amount is refunded": where none was debited, none comes back, and the rule is not seen to be kept.
        need.offered(
          hasLeft || after.amount !== before.amount || refund,
          'nothing shows that the amount was debited before the execution failed',
        );
        // What is missing may still be on its way, but where a part has come back without the rest.
        const missing = before.amount - after.amount;
        const mayCome =
          missing === 0 || (missing >= Number(quote.totalSendingAmount) && refund?.status !== 'COMPLETED');
        await check(
          'TRANSACTION-FAILED-REFUNDED',
          () => expect(takenBetween(before, after)).toHaveTaken({ exactly: 0 }),
          {
            evidence: [after.answer],
            assumes: mayCome ? ['effectSeconds'] : [],
          },
        );
      }
    },
  );

/** The refund that a transaction shows by now. */
async function refundOf(
  customer: QuoteCustomer,
  transactionId: unknown,
): Promise<{ readonly status?: unknown } | undefined> {
  const refund = (await readTransaction(customer, transactionId))?.body['refund'];
  return isObject(refund) ? refund : undefined;
}

interface Execution {
  readonly created: QuoteSighting;
  /** The answer that began it. */
  readonly executed: Answer;
  readonly account: Awaited<ReturnType<typeof watchedAccount>>;
}

/** Holds that an execution takes the total of its quote. @returns that total */
async function expectTotalTaken(
  check: Check,
  customer: QuoteCustomer,
  { created: { quote, answer }, executed, account }: Execution,
): Promise<number> {
  const { need } = customer;
  const total = need.that(quote.totalSendingAmount, NO_TOTAL);
  const { outcome } = await customer.outcome(executed, quote.id);
  need.that(outcome === 'executed', 'the quote was not seen to be executed');
  let taken = await account.untilTaken(total);
  // The text names no time: only an execution that is over must have taken the whole. More is too much at any time.
  const isOver = taken.amount < total && (await isCompleted(customer, quote.id));
  // The money may move at the end alone.
  if (isOver) taken = await account.untilTaken(total);
  const isMissing = taken.amount < total;
  need.that(
    isOver || taken.amount !== 0,
    'the balance shows no movement, and nothing shows that the execution is over',
  );
  await check('QUOTE-DEBIT-IS-TOTAL', () => expect(taken).toHaveTaken({ exactly: total }), {
    evidence: [answer, executed, taken.answer],
    assumes: isMissing && !isOver ? ['effectSeconds'] : [],
  });
  return total;
}

/** @returns whether the quote is seen to be completed, in time */
async function isCompleted(customer: QuoteCustomer, quoteId: QuoteSighting['quote']['id']): Promise<boolean> {
  const last = await customer.until(quoteId, ({ status }) => status === 'COMPLETED');
  return last?.quote.status === 'COMPLETED';
}

/** That quotes may go to an account of the same customer is not shown: the first account that takes one. */
async function quotedToOwnAccount(
  customer: QuoteCustomer,
  side: Readonly<Record<string, unknown>>,
): Promise<QuoteSighting & { to: unknown }> {
  for (const to of await accountsBeside(customer)) {
    const destination = { destinationType: 'ACCOUNT', accountId: to };
    const created = await customer.create(
      { ...side, destination },
      'a quote to another account of the customer',
    );
    if (succeeded(created)) return { to, ...customer.needSee(created) };
  }
  return customer.need.offered(undefined, 'no other account of the customer takes a quote');
}

/** A quote over an amount that is sent. What the balance does not cover may be refused already. */
async function sent(customer: QuoteCustomer, amount: number): Promise<QuoteSighting> {
  const side = { lockedCurrencySide: 'SENDING', lockedCurrencyAmount: amount };
  const created = await customer.create(side, `a quote over ${amount}`);
  customer.need(created).available();
  return customer.needSee(created);
}

/** A customer whose money nobody else moves. */
function ownCustomer(given: Given, params: Parameters<Given['customer']>[0] = {}) {
  given.unshared(SHARED);
  return given.customer(params);
}
