import {
  expect,
  movesClock,
  pay,
  succeeded,
  test,
  verifies,
  type Answer,
  type Given,
  type Payment,
  type QuoteCustomer,
  type SeenQuote,
} from '../../suite/index.ts';
import { race } from '../../suite/concurrent-calls.ts';
import {
  expectNotRefused,
  needAsAsked,
  needCount,
  needPay,
  needSend,
  RECEIVED_IS_LOCKED,
} from '../support/quotes.ts';

/** Maximum of a single transaction in this file, in the smallest unit of the sending currency. */
const MAXIMUM = 40_000;
const SIZE_CODE = 'TRANSACTION_SIZE_LIMIT_EXCEEDED';

/** Daily volume in this file, in the smallest unit of the sending currency. */
const VOLUME = 60_000;
const FIRST = VOLUME * 0.6;
const VOLUME_CODE = 'DAILY_VOLUME_LIMIT_EXCEEDED';
const HOUR_SECONDS = 3_600;

/** Payments to one counterparty in a day, in this file. */
const PAYMENTS = 2;
const AMOUNT = 10_000;
const VELOCITY_CODE = 'VELOCITY_LIMIT_EXCEEDED';

type Fields = Readonly<Record<string, unknown>>;

/** Ways to pay: to whom, and which amount is locked. */
const WAYS = [
  ['', {}, {}],
  [' to a UMA address', { destinationKind: 'UMA_ADDRESS' }, {}],
  [' whose amount received is locked', {}, RECEIVED_IS_LOCKED],
] as const;

for (const [much, amount, to, destination] of [
  ['one unit', MAXIMUM + 1, '', {}],
  ['far', MAXIMUM * 4, '', {}],
  ['one unit', MAXIMUM + 1, ' to a UMA address', { destinationKind: 'UMA_ADDRESS' }],
] as const)
  test(
    `a payment${to} ${much} above the maximum of a single transaction is refused`,
    verifies('LIMIT-TRANSACTION-SIZE'),
    async ({ given, check }) => {
      const customer = await given.customer({ ...destination, limits: { transactionSize: MAXIMUM } });
      const within = await pay(customer, MAXIMUM / 2, 'half of the maximum');
      needPay(within);
      const free = await given.customer(destination);
      needPay(await pay(free, amount, 'the same amount, where this maximum is not configured'));
      for (const time of ['', ', once more']) {
        const over = await pay(customer, amount, `an amount ${much} above the maximum${time}`);
        needAnswered(over);
        await check('LIMIT-TRANSACTION-SIZE', () => expectRefusal(over.last));
      }
    },
  );

test(
  'a payment above the maximum is refused where the amount received is locked, too',
  verifies('LIMIT-TRANSACTION-SIZE'),
  async ({ given, check }) => {
    const customer = await given.customer({ limits: { transactionSize: MAXIMUM } });
    needSend(await pay(customer, MAXIMUM / 8, 'a small amount to be received', RECEIVED_IS_LOCKED), 0);
    const free = await given.customer();
    const what = 'an amount to be received that sends far more than the maximum';
    needSend(await pay(free, MAXIMUM * 4, `${what}, without it`, RECEIVED_IS_LOCKED), MAXIMUM * 2);
    const over = await pay(customer, MAXIMUM * 4, what, RECEIVED_IS_LOCKED);
    needAnswered(over);
    await check('LIMIT-TRANSACTION-SIZE', () => expectRefusal(over.last));
  },
);

test(
  'a payment above the maximum is refused where it is funded at its execution, too',
  verifies('LIMIT-TRANSACTION-SIZE'),
  async ({ given, need, check }) => {
    const funded = { kind: 'REALTIME_FUNDING' } as const;
    const limited = { ...funded, limits: { transactionSize: MAXIMUM } };
    const [customer, free] = [await given.quoteSource(limited), await given.quoteSource(funded)];
    const within = await pay(customer, MAXIMUM / 2, 'half of the maximum, with realtime funding');
    const control = await pay(free, MAXIMUM * 2, 'twice the maximum, where none is configured');
    // What the payer has not funded yet is not executed.
    for (const { last } of [within, control]) need(last).available();
    needAsAsked(control);
    const over = await pay(customer, MAXIMUM * 2, 'twice the maximum, with realtime funding');
    needAnswered(over);
    await check('LIMIT-TRANSACTION-SIZE', () => expectRefusal(over.last));
  },
);

test(
  'a payment of exactly the maximum is not refused for it',
  verifies('LIMIT-TRANSACTION-SIZE-EQUAL'),
  async ({ given, check, observe }) => {
    const customer = await given.customer({ limits: { transactionSize: MAXIMUM } });
    const within = await pay(customer, MAXIMUM / 2, 'half of the maximum');
    needPay(within);
    needCount(within);
    needPay(await pay(await given.customer(), MAXIMUM, 'the same amount, where no maximum is configured'));
    const equal = await pay(customer, MAXIMUM, 'exactly the maximum');
    await check('LIMIT-TRANSACTION-SIZE-EQUAL', () => expectNotRefused(equal), [equal.quoted, equal.last]);
    observe('limit-values', { maximum: MAXIMUM, exactly: equal.outcome }, equal.last);
  },
);

for (const [to, destination, side] of WAYS)
  test(
    `the payment${to} that takes the day over its volume is refused with 429`,
    verifies('LIMIT-DAILY-VOLUME'),
    async ({ given, need, check, observe }) => {
      const free = await given.customer(destination);
      needPaid(await pay(free, FIRST, 'a payment without this limit', side), side, VOLUME / 2);
      needPaid(await pay(free, FIRST, 'a second payment without this limit', side), side, VOLUME / 2);

      let day = await spendTooMuch(given, destination, side);
      // The day may have ended between the two, wherever the target's days end. It does not end twice in a row.
      if (day.over.outcome === 'executed') day = await spendTooMuch(given, destination, side);
      needAnswered(day.over);
      const { last } = day.over;
      observe(
        'daily-volume-body',
        {
          code: last.exchange.response ? (last.code ?? 'none') : 'no answer',
          retryAfter: last.header('retry-after') ?? 'absent',
        },
        last,
      );

      // A 429 may also be a limit on requests: one that ends while the day's sum stays what it is.
      const small = await pay(day.customer, 1_000, 'a small payment that stays within the volume', side);
      need(small.quoted).accepted();
      const { status, code } = last;
      // The body of a 429 is not shown: a code is looked at where there is one.
      const named = status !== 429 || code === undefined || code === VOLUME_CODE;
      await check('LIMIT-DAILY-VOLUME', () => expect(last).toBeRefused(429));
      const again = await pay(day.customer, FIRST, 'the payment that is too much, once more', side);
      await check('LIMIT-DAILY-VOLUME', () => expect(again.last).toBeRefused(429));
      await check(
        'LIMIT-DAILY-VOLUME',
        () => expect(named, `the code of the 429: ${code} in place of ${VOLUME_CODE}`).toBe(true),
        [small.quoted],
      );
    },
  );

for (const [says, rule, limits, amounts] of [
  ['the daily volume', 'LIMIT-DAILY-VOLUME-BELOW', { dailyVolume: VOLUME }, [FIRST, VOLUME * 0.4 - 1_000]],
  // "Daily volume limit reached" may be said of exactly the volume, and of nothing below it.
  [
    'the daily volume by one unit',
    'LIMIT-DAILY-VOLUME-BELOW',
    { dailyVolume: VOLUME },
    [FIRST, VOLUME * 0.4 - 1],
  ],
  [
    'the velocity limit of the counterparty',
    'LIMIT-VELOCITY-BELOW',
    { velocity: PAYMENTS },
    Array.from({ length: PAYMENTS }, () => AMOUNT),
  ],
] as const)
  test(`payments within ${says} are not refused for it`, verifies(rule), async ({ given, check }) => {
    const free = await given.customer();
    for (const amount of amounts) {
      const control = await pay(free, amount, 'a payment without this limit');
      needPay(control);
      if ('dailyVolume' in limits) needCount(control);
    }
    const customer = await given.customer({ limits });
    for (const amount of amounts) {
      const within = await pay(customer, amount, `a payment within ${says}`);
      await check(rule, () => expectNotRefused(within), [within.quoted, within.last]);
    }
  });

for (const [why, limits, amount, first] of [
  ['the daily volume', { dailyVolume: VOLUME }, FIRST, FIRST],
  ['its size', { dailyVolume: VOLUME, transactionSize: MAXIMUM }, VOLUME - 1_000, 0],
] as const)
  test(
    `a payment that was refused for ${why} takes nothing of the daily volume`,
    verifies('LIMIT-DAILY-VOLUME-BELOW'),
    async ({ given, need, check }) => {
      const rest = VOLUME * 0.4 - 1_000;
      // What counts is not shown: where a quote that nobody executes does, one whose execution was refused may.
      const free = await given.customer({ limits: { dailyVolume: VOLUME } });
      need(await free.create(locking(amount), 'a quote that is left alone')).accepted();
      const beside = await pay(free, FIRST, 'a payment beside the quote that is left alone');
      need.offered(beside.outcome !== 'not executed', 'a quote that nobody executes counts as well');
      needPay(beside);
      needPay(await pay(free, rest, 'the rest of the day beside it'));

      const customer = await given.customer({ limits });
      if (first > 0) needPay(await pay(customer, first, 'the first payment of the day'));
      const over = await pay(customer, amount, `a payment that is refused for ${why}`);
      need(over.last).refused();
      for (const more of first > 0 ? [rest] : [FIRST, rest]) {
        const within = await pay(customer, more, 'a payment that stays within the volume of the day');
        needFor(within, VOLUME_CODE);
        await check('LIMIT-DAILY-VOLUME-BELOW', () => expectNotRefused(within), [within.quoted, within.last]);
      }
    },
  );

for (const [what, rule, limits, amount, most, status] of [
  ['the daily volume', 'LIMIT-DAILY-VOLUME', { dailyVolume: VOLUME }, FIRST, 1, 429],
  ['the velocity limit', 'LIMIT-VELOCITY', { velocity: PAYMENTS }, AMOUNT, PAYMENTS, 403],
] as const)
  test(
    `payments that come at once do not go beyond ${what} together`,
    verifies(rule),
    async ({ given, need, check }) => {
      const quoted = async () => {
        const customer = await given.customer({ limits });
        const quotes = [];
        for (let turn = 0; turn < most + 2; turn += 1) {
          const created = await customer.create(locking(amount), `a quote of ${amount}, made beforehand`);
          need(created).available();
          quotes.push(customer.needSee(created).quote);
        }
        return { customer, quotes };
      };
      // The control: the limit is looked at when a quote is executed that was made while there was room for it.
      const { customer, quotes } = await quoted();
      const answers = [];
      for (const { id } of quotes)
        answers.push(await customer.execute(id, { label: 'executing one after the other', impatient: true }));
      // Another service may count a quote when it is made.
      need.offered(
        answers.slice(0, most).every(succeeded) &&
          answers.slice(most).every((answer) => answer.exchange.response?.status === status),
        'when a quote is executed that was made before, this limit is not looked at',
      );
      const executed = async () => {
        const found = await race(async () => {
          const made = await quoted();
          const send = ({ id }: SeenQuote) => made.customer.execute(id, 'executing at once');
          return { records: made.customer, calls: made.quotes, send };
        });
        const { records, history } = need.that(found, 'the calls did not overlap');
        const ends = [];
        for (const { call, answer } of history) ends.push(await records.outcome(answer, call.id));
        return ends.filter(({ outcome }) => outcome === 'executed');
      };
      let paid = await executed();
      // The day may have ended in between. It does not end twice in a row.
      if (paid.length > most) paid = await executed();
      await check(rule, () => expect(paid.length, 'payments at once').toBeLessThanOrEqual(most), {
        evidence: [...answers, ...paid.flatMap((one) => one.answers)],
        assumes: paid.flatMap(({ assumes = [] }) => assumes),
      });
    },
  );

test(
  'two days later the daily volume is there again',
  movesClock(verifies('LIMIT-DAILY-VOLUME-BELOW')),
  async ({ given, need, check, clock, observe }) => {
    const { customer, over } = await spendTooMuch(given);
    need(over.last).refused();
    const steps: Record<string, string> = {};
    for (const [hours, forward] of [
      [12, 12],
      [24, 12],
      [48, 24],
    ] as const) {
      await clock.advance(forward * HOUR_SECONDS, customer.state.customerId);
      const later = await pay(customer, FIRST, `the same payment ${hours} hours later`);
      steps[`after ${hours} hours`] = later.outcome === 'executed' ? 'not refused' : later.last.outcome;
      if (later.outcome !== 'executed' && hours < 48) continue;
      observe('daily-volume-day', steps);
      needFor(later, VOLUME_CODE);
      await check('LIMIT-DAILY-VOLUME-BELOW', () => expectNotRefused(later), [later.quoted, later.last]);
      break;
    }
  },
);

test('what exactly the daily volume gets', async ({ given, need, observe }) => {
  const customer = await given.customer({ limits: { dailyVolume: VOLUME } });
  const first = await pay(customer, FIRST, 'the first payment of the day');
  need(first.quoted).available();
  const equal = await pay(customer, VOLUME - FIRST, 'a payment up to exactly the daily volume');
  observe(
    'daily-volume-equal',
    equal.outcome === 'executed' ? 'not refused' : equal.last.outcome,
    equal.last,
  );
});

for (const [to, destination, side] of WAYS)
  test(
    `the payment${to} that takes a counterparty over its velocity limit is refused with 403`,
    verifies('LIMIT-VELOCITY'),
    async ({ given, check }) => {
      const free = await given.customer(destination);
      for (let turn = 0; turn <= PAYMENTS; turn += 1)
        needPaid(await pay(free, AMOUNT, 'a payment without this limit', side), side);
      const pastIt = async () => {
        const customer = await upToTheLimit(given, destination, side);
        const pays = (time: string) =>
          pay(customer, AMOUNT, `one payment more than the counterparty may get${time}`, side);
        return [await pays(''), await pays(', once more')] as const;
      };
      let over = await pastIt();
      // The period may have ended in between. It does not end twice in a row.
      if (over.some(({ outcome }) => outcome === 'executed')) over = await pastIt();
      for (const one of over) {
        needAnswered(one);
        await check('LIMIT-VELOCITY', () => {
          expect(one.last).toBeRefused(403);
          expect(one.last).toHaveCode(VELOCITY_CODE);
        });
      }
    },
  );

test(
  'a counterparty is not refused for the payments that another one has had',
  verifies('LIMIT-VELOCITY-BELOW'),
  async ({ given, need, check }) => {
    const other = async (customer: QuoteCustomer, what: string) => {
      // Accounts of one bank or person may be one counterparty; somebody with an address elsewhere is another.
      const { umaAddress } = customer.state;
      need.offered(
        umaAddress,
        'the state names no UMA address with a receiver, so there is one counterparty',
      );
      return pay(customer, AMOUNT, what, { destination: { destinationType: 'UMA_ADDRESS', umaAddress } });
    };
    const control = await other(
      await given.customer(),
      'a payment to another counterparty, without this limit',
    );
    need(control.quoted).available();
    needPay(control);
    const within = await other(await upToTheLimit(given), 'the first payment to another counterparty');
    needFor(within, VELOCITY_CODE);
    await check('LIMIT-VELOCITY-BELOW', () => expectNotRefused(within), [within.quoted, within.last]);
  },
);

/** Changes of a body of POST /quotes. @param amount smallest unit of the sending currency */
function locking(amount: number): Readonly<Record<string, unknown>> {
  return { lockedCurrencySide: 'SENDING', lockedCurrencyAmount: amount };
}

function expectRefusal(answer: Answer): void {
  expect(answer).toBeRefused(400);
  expect(answer).toHaveCode(SIZE_CODE);
}

async function spendTooMuch(
  given: Given,
  destination: { readonly destinationKind?: 'UMA_ADDRESS' } = {},
  side: Fields = {},
): Promise<{ customer: Awaited<ReturnType<Given['customer']>>; over: Payment }> {
  const customer = await given.customer({ ...destination, limits: { dailyVolume: VOLUME } });
  needPaid(await pay(customer, FIRST, 'the first payment of the day', side), side, VOLUME / 2);
  return { customer, over: await pay(customer, FIRST, 'a payment beyond the daily volume', side) };
}

async function upToTheLimit(
  given: Given,
  destination: { readonly destinationKind?: 'UMA_ADDRESS' } = {},
  side: Fields = {},
): Promise<QuoteCustomer> {
  const customer = await given.customer({ ...destination, limits: { velocity: PAYMENTS } });
  for (let turn = 1; turn <= PAYMENTS; turn += 1) {
    const what = `payment ${turn} of ${PAYMENTS} that the counterparty may get`;
    needPaid(await pay(customer, AMOUNT, what, side), side);
  }
  return customer;
}

/** The control of a limit: a payment that is far from it goes through. @param least that it sends where this is not what is locked */
function needPaid(payment: Payment, side: Fields, least = 0): void {
  if (side === RECEIVED_IS_LOCKED) needSend(payment, least);
  else needPay(payment);
}

/** A payment that is refused for something else says nothing of the limit. */
function needFor({ need, last }: Payment, code: string): void {
  need.that(
    last.exchange.response === undefined || last.accepted || last.code === code,
    `the payment was refused, and not with ${code}`,
  );
}

/** A payment that was taken and failed afterwards does not show which answer the limit gives. */
function needAnswered(payment: Payment): void {
  const failedLater =
    payment.executed?.exchange.response !== undefined &&
    payment.executed.accepted &&
    payment.outcome !== 'executed';
  payment.need.offered(
    !failedLater,
    'the payment over the limit was taken and failed afterwards, which no answer tells',
  );
}
