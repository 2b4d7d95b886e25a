import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { branded } from '../../schemas/brand.ts';
import { enumOf } from '../../schemas/openapi.ts';
import {
  eventually,
  expect,
  lower,
  survey,
  test,
  verifies,
  type QuoteCustomer,
  type QuoteSighting,
  type Walk,
} from '../../suite/index.ts';
import { sameId } from '../../suite/same-id.ts';
import { balanceOf, bodyOf } from '../support/quotes.ts';

/** A quote that may be asked for. */
interface Wanted {
  readonly kind: 'ACCOUNT' | 'REALTIME_FUNDING';
  readonly destinationKind: 'ACCOUNT' | 'UMA_ADDRESS';
  readonly currency: 'USD' | 'EUR';
  readonly platformFee: number;
  readonly amount: number;
  readonly accountType: string;
}

const WANTED: fc.Arbitrary<Wanted> = fc.record({
  kind: fc.constantFrom('ACCOUNT', 'REALTIME_FUNDING'),
  destinationKind: fc.constantFrom('ACCOUNT', 'UMA_ADDRESS'),
  currency: fc.constantFrom('USD', 'USD', 'EUR'),
  platformFee: fc.constantFrom(0, 1, 250, 999),
  amount: fc.integer({ min: 20_000, max: 900_000 }),
  accountType: fc.constantFrom(...enumOf('PaymentAccountType')),
});
/** Rounding is open: up or down by less than one unit. */
const UNIT = 1;

const READ_AGAIN = [
  'QUOTE-ID-STABLE',
  'QUOTE-TRANSACTION-ID-STABLE',
  'QUOTE-RATE-LOCKED',
  'QUOTE-FEES-LOCKED',
] as const;

test(
  'whatever quote is asked for, it says what was asked, keeps its terms, and its fees add up',
  verifies(
    'QUOTE-CREATE-ACCEPTED',
    'QUOTE-SOURCE-KIND',
    'QUOTE-DESTINATION-KIND',
    'QUOTE-EXPIRES-AFTER-CREATION',
    'QUOTE-PLATFORM-FEE-WITHIN-FEES',
    'QUOTE-PLATFORM-FEE-ZERO',
    'QUOTE-PLATFORM-FEE-APPLIED',
    'QUOTE-FEE-USD-SOURCE',
    'RATE-VARIABLE-FEE-EQUATION',
    ...READ_AGAIN,
  ),
  async ({ given, check, profile }) => {
    await survey(
      check,
      WANTED,
      async ({ kind, destinationKind, currency, platformFee, amount, accountType }, on) => {
        const customer = await given.quoteSource({
          kind,
          destinationKind,
          currency,
          platformFee,
          destinationCurrency: currency === 'USD' ? 'EUR' : 'USD',
          balance: 10 * amount,
          ...(kind === 'REALTIME_FUNDING' ? { accountType } : {}),
        });
        const label = `a quote of ${amount} from ${kind} to ${destinationKind}`;
        const answer = on.told(await customer.create({ lockedCurrencyAmount: amount }, { label }));
        on.must(answer.exchange.response, 'the request got no answer');
        // An amount may be out of a range that nobody tells; the prepared body is not.
        const judged = answer.accepted
          ? answer
          : on.told(await customer.create({}, { label: 'the same with the prepared amount' }));
        await on.hold('QUOTE-CREATE-ACCEPTED', () => expect(judged).toBeAccepted(), bodyOf(customer));
        const seen = on.must(customer.sighting(answer), 'no quote could be recognised');
        await terms(on, customer, seen, { currency, platformFee });
        await equation(on, seen, profile.brand);
        const read = customer.sighting(on.told(await customer.read(seen.quote.id)));
        if (read) await same(on, seen, read);
      },
      { runs: 20 },
    );
  },
);

/** What the request says is said again, and the platform's part lies within the fees. */
async function terms(
  on: Walk,
  customer: QuoteCustomer,
  { quote, answer }: QuoteSighting,
  { currency, platformFee }: Pick<Wanted, 'currency' | 'platformFee'>,
): Promise<void> {
  const { source, destination } = customer.state.body as {
    readonly source?: { readonly sourceType?: unknown };
    readonly destination?: { readonly destinationType?: unknown };
  };
  await on.hold('QUOTE-SOURCE-KIND', () => expect(quote.source?.sourceType).toBe(source?.sourceType), [
    answer,
  ]);
  await on.hold(
    'QUOTE-DESTINATION-KIND',
    () => expect(quote.destination?.destinationType).toBe(destination?.destinationType),
    [answer],
  );
  const [created, expires] = [Date.parse(String(quote.createdAt)), Date.parse(String(quote.expiresAt))];
  if (!Number.isNaN(created) && !Number.isNaN(expires))
    await on.hold('QUOTE-EXPIRES-AFTER-CREATION', () => expect(expires).toBeGreaterThan(created), [answer]);
  const part = quote.platformFeesIncluded;
  // Older payloads may leave it out.
  if (part === undefined) return;
  await on.hold(
    'QUOTE-PLATFORM-FEE-WITHIN-FEES',
    () => expect(part).toBeLessThanOrEqual(quote.feesIncluded as number),
    [answer],
  );
  // Instructions such as EUR_ACCOUNT may bring a currency of their own, whichever was wished for the source.
  if (platformFee > 0 && lower(quote.sendingCurrency?.code) !== lower(currency)) return;
  if (platformFee === 0) await on.hold('QUOTE-PLATFORM-FEE-ZERO', () => expect(part).toBe(0), [answer]);
  else if (currency === 'USD')
    await on.hold('QUOTE-PLATFORM-FEE-APPLIED', () => expect(part).toBeGreaterThan(0), [answer]);
  else await on.hold('QUOTE-FEE-USD-SOURCE', () => expect(part).toBe(0), [answer]);
}

/** "The sending amount times the rate, as a percentage", in every way to read it. */
async function equation(on: Walk, { quote, answer }: QuoteSighting, brand: string): Promise<void> {
  const details = quote.rateDetails as Readonly<Record<string, unknown>> | undefined;
  const rate = details?.[branded('serviceApiVariableFeeRate', brand)];
  const fee = details?.[branded('serviceApiVariableFeeAmount', brand)];
  if (typeof rate !== 'number' || typeof fee !== 'number') return;
  const { totalSendingAmount: total = 0, feesIncluded: fees = 0 } = quote as Readonly<Record<string, number>>;
  const readings = [total, total - fees, total - fee].flatMap((sent) => [(sent * rate) / 100, sent * rate]);
  await on.hold(
    'RATE-VARIABLE-FEE-EQUATION',
    () =>
      expect(
        readings.some((value) => Math.abs(value - fee) <= UNIT),
        `the variable fee is ${fee}; the rate gives ${[...new Set(readings)].join(' or ')}`,
      ).toBe(true),
    [answer],
  );
}

/** A read of a quote that lives agrees with the answer to its creation. */
async function same(on: Walk, { quote }: QuoteSighting, read: QuoteSighting): Promise<void> {
  const now = read.quote;
  await on.hold('QUOTE-ID-STABLE', () => expect(sameId(now.id, quote.id)).toBe(true), [read.answer]);
  await on.hold(
    'QUOTE-TRANSACTION-ID-STABLE',
    () => expect(sameId(now.transactionId, quote.transactionId)).toBe(true),
    [read.answer],
  );
  await on.hold(
    'QUOTE-RATE-LOCKED',
    () => {
      for (const name of ['exchangeRate', 'totalSendingAmount', 'totalReceivingAmount'] as const)
        expect(now[name], name).toEqual(quote[name]);
    },
    [read.answer],
  );
  await on.hold('QUOTE-FEES-LOCKED', () => expect(now.feesIncluded).toBe(quote.feesIncluded), [read.answer]);
}

test(
  'an override of the fee holds for its own quote, wherever it stands among others',
  verifies('QUOTE-FEE-OVERRIDE-ACCEPTED', 'QUOTE-FEE-OVERRIDE-APPLIED'),
  async ({ given, check }) => {
    await survey(
      check,
      fc.array(fc.boolean(), { minLength: 2, maxLength: 5 }).filter((all) => new Set(all).size === 2),
      async (overrides, on) => {
        const customer = await given.configuredPlatform({ platformFee: 250 });
        const { feeOverride: platformFeeOverride } = customer.state;
        const parts = new Map<boolean, number>();
        for (const isOverridden of overrides) {
          const label = isOverridden ? 'a quote with a platformFeeOverride' : 'a quote without one';
          const answer = on.told(
            await customer.create(isOverridden ? { platformFeeOverride } : {}, { label }),
          );
          on.must(answer.exchange.response && (isOverridden || answer.accepted), 'a quote was refused');
          if (isOverridden) await on.hold('QUOTE-FEE-OVERRIDE-ACCEPTED', () => expect(answer).toBeAccepted());
          const { quote } = on.must(customer.sighting(answer), 'no quote could be recognised');
          const part = on.must(quote.platformFeesIncluded !== undefined, 'older payloads leave it out')
            ? (quote.platformFeesIncluded as number)
            : 0;
          const [before, other] = [parts.get(isOverridden), parts.get(!isOverridden)];
          if (before !== undefined)
            await on.hold('QUOTE-FEE-OVERRIDE-APPLIED', () => expect(part, label).toBe(before), [answer]);
          if (other !== undefined)
            await on.hold('QUOTE-FEE-OVERRIDE-APPLIED', () => expect(part, label).not.toBe(other), [answer]);
          parts.set(isOverridden, part);
        }
      },
      { runs: 5 },
    );
  },
);

test(
  'an execution that fails gives back what it took, whatever the amount',
  verifies('TRANSACTION-FAILED-REFUNDED', 'QUOTE-DEBIT-IS-TOTAL'),
  async ({ given, check }) => {
    given.unshared('prepared accounts are shared between tests');
    await survey(
      check,
      fc.record({ amount: fc.integer({ min: 5_000, max: 300_000 }), fails: fc.boolean() }),
      async ({ amount, fails }, on) => {
        const customer = await given.customer(fails ? { executionFails: true } : {});
        const before = await balanceOf(customer, on.need);
        const created = on.told(await customer.create({ lockedCurrencyAmount: amount }));
        const { quote } = on.must(customer.sighting(created), 'no quote could be recognised');
        const total = on.must(quote.totalSendingAmount, 'the quote tells no totalSendingAmount');
        const executed = on.told(await customer.execute(quote.id));
        on.must(executed.exchange.response && executed.accepted, 'the execution was refused');
        if (!fails) {
          const after = await untilBalance(customer, on, (now) => before.amount - now >= total);
          on.must(before.amount - after.amount >= total, 'the money did not leave in time');
          return on.hold(
            'QUOTE-DEBIT-IS-TOTAL',
            () => expect(before.amount - after.amount, 'what left the account').toBe(total),
            [executed, after.answer],
          );
        }
        const last = await customer.until(quote.id, ({ status }) => status === 'FAILED');
        on.must(last?.quote.status === 'FAILED', 'the execution was not seen to fail');
        const after = await untilBalance(customer, on, (now) => now >= before.amount);
        const transaction = await customer.call('getTransaction', {
          label: 'reading the transaction',
          path: { transactionId: String(quote.transactionId) },
        });
        const refund =
          transaction.exchange.response && transaction.accepted
            ? (transaction.body as { readonly refund?: { readonly status?: unknown } | null }).refund
            : undefined;
        on.must(refund?.status !== 'PENDING', 'the refund is still pending');
        on.must(after.amount !== before.amount || refund, 'nothing shows that the amount was debited');
        return on.hold(
          'TRANSACTION-FAILED-REFUNDED',
          () => expect(after.amount, 'the balance after the refund').toBe(before.amount),
          {
            evidence: [after.answer],
            assumes: after.amount < before.amount ? ['effectSeconds'] : [],
          },
        );
      },
      { runs: 6 },
    );
  },
);

function untilBalance(customer: QuoteCustomer, on: Walk, wanted: (amount: number) => boolean) {
  return eventually(
    () => balanceOf(customer, on.need),
    ({ amount }) => wanted(amount),
    customer.patienceMs,
  );
}

/** Records that are not there, and the code of their 404. */
const NOT_THERE: Readonly<
  Record<
    string,
    {
      readonly rule: string;
      readonly code: string;
      readonly call: (parts: QuoteCustomer, id: string) => ReturnType<QuoteCustomer['call']>;
    }
  >
> = {
  'reading a quote': {
    rule: 'ERROR-QUOTE-NOT-FOUND',
    code: 'QUOTE_NOT_FOUND',
    call: (customer, id) => customer.read(`Quote:${id}`, { label: 'reading a quote' }),
  },
  'executing a quote': {
    rule: 'ERROR-QUOTE-NOT-FOUND',
    code: 'QUOTE_NOT_FOUND',
    call: (customer, id) => customer.execute(`Quote:${id}`, { label: 'executing a quote' }),
  },
  'reading a transaction': {
    rule: 'ERROR-TRANSACTION-NOT-FOUND',
    code: 'TRANSACTION_NOT_FOUND',
    call: (customer, id) =>
      customer.call('getTransaction', {
        label: 'reading a transaction',
        path: { transactionId: `Transaction:${id}` },
      }),
  },
};

test(
  'a quote or a transaction that is not there is not found, whatever its id',
  verifies('ERROR-QUOTE-NOT-FOUND', 'ERROR-TRANSACTION-NOT-FOUND'),
  async ({ given, check, need }) => {
    const customer = await given.customer();
    const created = await customer.create();
    need(created).accepted();
    const { quote } = need.offered(customer.sighting(created), 'no quote could be recognised in the answer');
    need(await customer.execute(quote.id)).available();
    const own = [String(quote.id), String(quote.transactionId)].map((id) => id.split(':')[1] ?? '');
    const ids = [
      randomUUID(),
      '00000000-0000-0000-0000-000000000000',
      // Of a record of another kind.
      own[0] as string,
      own[1] as string,
    ];
    const inputs = Object.keys(NOT_THERE).flatMap((what) => ids.map((id) => ({ what, id })));
    // The paths are not shown: that known records are found shows that they are there.
    need(await NOT_THERE['reading a quote']!.call(customer, own[0] as string)).available();
    need(await NOT_THERE['reading a transaction']!.call(customer, own[1] as string)).available();

    await survey(check, inputs, async ({ what, id }, on) => {
      const { rule, code, call } = on.must(NOT_THERE[what], 'there is no such call');
      on.must(id !== (what.endsWith('quote') ? own[0] : own[1]), 'this one is there');
      const answer = on.told(await call(customer, id));
      await on.hold(rule, () => {
        expect(answer).toBeRefused(404);
        expect(answer).toHaveCode(code);
      });
    });
  },
);
