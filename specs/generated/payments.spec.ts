import fc from 'fast-check';
import {
  expect,
  pay,
  survey,
  test,
  verifies,
  type Answer,
  type Given,
  type Payment,
  type QuoteCustomer,
  type Walk,
} from '../../suite/index.ts';
import type { CustomerParams } from '../../target/states/types.ts';

/** Half of what a day may see, in the smallest unit of the sending currency. */
const AMOUNT = 20_000;

const isTaken = (answer: Answer | undefined) => answer?.exchange.response !== undefined && answer.accepted;
/** Taken and failed afterwards: no answer tells what a limit says. */
const failedLater = ({ executed, outcome }: Payment) => isTaken(executed) && outcome !== 'executed';

/** Limits of a customer, and what is paid under them, one payment after another. */
interface Case {
  readonly transactionSize: number | undefined;
  readonly dailyVolume: number | undefined;
  readonly velocity: number | undefined;
  readonly payments: readonly number[];
}

const CASES: fc.Arbitrary<Case> = fc
  .record({
    kind: fc.constantFrom('transactionSize' as const, 'dailyVolume' as const, 'velocity' as const),
    limit: fc.integer({ min: 1, max: 3 }),
    beside: fc.constantFrom(-1_000, 0, 1, 1_000, 60_000),
    before: fc.integer({ min: 1, max: 2 }),
  })
  .map(({ kind, limit, beside, before }): Case => {
    const none = { transactionSize: undefined, dailyVolume: undefined, velocity: undefined };
    if (kind === 'transactionSize')
      return { ...none, transactionSize: AMOUNT * limit, payments: [AMOUNT / 2, AMOUNT * limit + beside] };
    if (kind === 'velocity')
      return { ...none, velocity: limit, payments: Array.from({ length: limit + 1 }, () => AMOUNT) };
    const first = Array.from({ length: before }, () => AMOUNT);
    return {
      ...none,
      dailyVolume: AMOUNT * (before + 1),
      payments: [...first, AMOUNT + (beside === 0 ? -1_000 : beside)],
    };
  });

test(
  'whatever limits a customer has, each payment is held to them',
  verifies(
    'LIMIT-TRANSACTION-SIZE',
    'LIMIT-TRANSACTION-SIZE-EQUAL',
    'LIMIT-DAILY-VOLUME',
    'LIMIT-DAILY-VOLUME-BELOW',
    'LIMIT-VELOCITY',
    'LIMIT-VELOCITY-BELOW',
  ),
  async ({ given, check }) => {
    given.unshared('what prepared customers have paid is not known');
    await survey(
      check,
      CASES,
      async (one, on) => {
        const { transactionSize: size, dailyVolume: volume, velocity } = one;
        const limits = Object.fromEntries(
          Object.entries({ transactionSize: size, dailyVolume: volume, velocity }).filter(
            ([, value]) => value !== undefined,
          ),
        );
        // The same payments where nothing limits them are the control, and tell what counts.
        const free = await given.customer();
        for (const amount of one.payments) {
          const control = await pay(free, amount, `a payment of ${amount} without a limit`);
          on.must(control.outcome === 'executed', 'the control was not executed');
          on.must(control.totalSendingAmount === amount, 'fees come on top, so what counts cannot be told');
        }
        const last = one.payments.length - 1;
        let day = await paid(given, limits, one.payments, on);
        const sum = one.payments.reduce((all, amount) => all + amount, 0);
        const over =
          (size !== undefined && (one.payments[last] ?? 0) > size) ||
          (volume !== undefined && sum > volume) ||
          (velocity !== undefined && one.payments.length > velocity);
        // The period may have ended in between, wherever it does. It does not end twice in a row.
        if (over && size === undefined && day.payments[last]?.outcome === 'executed')
          day = await paid(given, limits, one.payments, on);
        for (const [at, payment] of day.payments.entries()) {
          for (const answer of new Set([payment.quoted, payment.last])) on.told(answer);
          const isOver = over && at === last;
          if (isOver) await refused(on, payment, one, day.customer);
          else await within(on, payment, one);
        }
      },
      { runs: 12 },
    );
  },
);

async function paid(
  given: Given,
  limits: NonNullable<CustomerParams['limits']>,
  amounts: readonly number[],
  on: Walk,
): Promise<{ customer: QuoteCustomer; payments: readonly Payment[] }> {
  const customer = await given.customer({ limits });
  const payments: Payment[] = [];
  for (const amount of amounts) {
    const payment = await pay(customer, amount, `a payment of ${amount}`);
    payments.push(payment);
    on.must(payment.last.exchange.response, 'a payment got no answer');
    if (payment.outcome !== 'executed') break;
  }
  return { customer, payments };
}

async function refused(on: Walk, payment: Payment, one: Case, customer: QuoteCustomer): Promise<void> {
  on.must(!failedLater(payment), 'it was taken and failed afterwards, which no answer tells');
  const { last } = payment;
  if (one.transactionSize !== undefined)
    return on.hold('LIMIT-TRANSACTION-SIZE', () => {
      expect(last).toBeRefused(400);
      expect(last).toHaveCode('TRANSACTION_SIZE_LIMIT_EXCEEDED');
    });
  if (one.velocity !== undefined)
    return on.hold('LIMIT-VELOCITY', () => {
      expect(last).toBeRefused(403);
      expect(last).toHaveCode('VELOCITY_LIMIT_EXCEEDED');
    });
  // A 429 may also be a limit on requests: one that ends while the day's sum stays what it is.
  const small = await customer.create(
    { lockedCurrencyAmount: 500 },
    { label: 'a small quote, within the volume' },
  );
  on.must(isTaken(small), 'small payments are refused as well');
  return on.hold('LIMIT-DAILY-VOLUME', () => {
    expect(last).toBeRefused(429);
    // The body of a 429 is not shown: a code is looked at where there is one.
    if (last.status === 429 && last.code !== undefined)
      expect(last).toHaveCode('DAILY_VOLUME_LIMIT_EXCEEDED');
  });
}

async function within(on: Walk, payment: Payment, one: Case): Promise<void> {
  const rule =
    one.transactionSize !== undefined
      ? 'LIMIT-TRANSACTION-SIZE-EQUAL'
      : one.velocity !== undefined
        ? 'LIMIT-VELOCITY-BELOW'
        : 'LIMIT-DAILY-VOLUME-BELOW';
  await on.hold(rule, () => {
    for (const answer of new Set([payment.quoted, payment.last])) expect(answer).toBeAccepted();
    expect(payment.outcome, 'what the payment came to').not.toBe('not executed');
  }, [payment.quoted, payment.last]);
}

/** One thing that stands against a payment, and how it is refused. */
const OBSTACLES: Readonly<
  Record<string, { readonly params: CustomerParams; readonly rule: string; readonly code: string }>
> = {
  'the terms are not accepted': {
    params: { termsAccepted: false },
    rule: 'QUOTE-TERMS-NOT-ACCEPTED',
    code: 'END_USER_TERMS_NOT_ACCEPTED',
  },
  'the customer is not ready': {
    params: { ready: false },
    rule: 'ERROR-CUSTOMER-NOT-READY',
    code: 'USER_NOT_READY',
  },
  'the counterparty is not enabled': {
    params: { counterpartyEnabled: false },
    rule: 'ERROR-COUNTERPARTY-NOT-ALLOWED',
    code: 'COUNTERPARTY_NOT_ALLOWED',
  },
};

test(
  'a payment that one thing stands against is refused for it, whatever its amount',
  verifies(...Object.values(OBSTACLES).map(({ rule }) => rule)),
  async ({ given, check }) => {
    await survey(
      check,
      fc.record({
        obstacle: fc.constantFrom(...Object.keys(OBSTACLES)),
        amount: fc.integer({ min: 1_000, max: 500_000 }),
      }),
      async ({ obstacle, amount }, on) => {
        const { params, rule, code } = on.must(OBSTACLES[obstacle], 'there is no such obstacle');
        const control = await pay(await given.customer(), amount, 'a payment that nothing stands against');
        on.must(control.outcome === 'executed', 'the control was not executed');
        const payment = await pay(await given.customer(params), amount, `a payment where ${obstacle}`);
        on.told(payment.last);
        on.must(!failedLater(payment), 'it was taken and failed afterwards, which no answer tells');
        // "Quotes fail with this": the quote itself, and not its execution.
        const answer = rule === 'QUOTE-TERMS-NOT-ACCEPTED' ? payment.quoted : payment.last;
        await on.hold(rule, () => {
          expect(answer).toBeRefused(403);
          expect(answer).toHaveCode(code);
        });
      },
      { runs: 9 },
    );
  },
);
