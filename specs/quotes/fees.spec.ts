import {
  eventually,
  expect,
  inTime,
  test,
  verifies,
  type Answer,
  type Given,
  type QuoteCustomer,
  type QuoteSighting,
  type SeenQuote,
} from '../../suite/index.ts';
import { cameAtOnce } from '../../suite/eventually.ts';
import { needSide, RECEIVED_IS_LOCKED } from '../support/quotes.ts';

/** Two fixed fees that a platform may have configured, in the smallest unit of the sending currency. */
const [FEE, OTHER_FEE] = [250, 400];
/** Of this amount, in the smallest unit, one basis point is more than one unit, and fees are a small part. */
const LARGE = 100_000;

const WITHIN = 'QUOTE-PLATFORM-FEE-WITHIN-FEES';

/** A quote, and what holds for the platform's part of its fees beside that it lies within them. */
interface Shown {
  readonly says: string;
  readonly quote: (given: Given) => Promise<QuoteSighting>;
  readonly also?: readonly [rule: string, holds: (quote: SeenQuote) => void];
}

/** How a quote may be paid or asked for otherwise, and what asks for it. */
const OTHERWISE = [
  [' to a UMA address', { destinationKind: 'UMA_ADDRESS' }, {}],
  [' that is paid in real time', { kind: 'REALTIME_FUNDING' }, {}],
  [' that locks the amount received', {}, RECEIVED_IS_LOCKED],
] as const;

const FEES_SHOWN: readonly Shown[] = [
  {
    says: `a platform fee of ${20 * FEE} lies within the fees`,
    quote: async (given: Given) => (await given.quoteSource({ platformFee: 20 * FEE })).needCreate(),
  },
  {
    says: "a fee of the quote's own lies within the fees",
    quote: async (given) => {
      const customer = await given.configuredPlatform({ platformFee: FEE });
      const answer = await withOverride(customer);
      customer.need.offered(!answer.refused, 'this target takes no platformFeeOverride');
      return customer.needSee(answer);
    },
  },
  {
    says: "whatever the platform's fee is, its part lies within the fees",
    quote: async (given) => (await given.customer()).needCreate(),
  },
  {
    says: 'with no platform fee in force none is included',
    quote: async (given) => (await given.quoteSource({ platformFee: 0 })).needCreate(),
    also: ['QUOTE-PLATFORM-FEE-ZERO', ({ platformFeesIncluded }) => expect(platformFeesIncluded).toBe(0)],
  },
  ...([['', {}, {}], ...OTHERWISE] as const).map(([which, asked, side]): Shown => ({
    says: `a configured platform fee is included in a quote from USD${which}`,
    quote: async (given) => {
      const params = { platformFee: FEE, currency: 'USD', ...asked };
      const customer = await given.quoteSource(params);
      await needSide(customer, side);
      return customer.needCreate(side);
    },
    also: [
      'QUOTE-PLATFORM-FEE-APPLIED',
      ({ platformFeesIncluded }) => expectAbout(platformFeesIncluded, FEE),
    ],
  })),
  {
    says: 'a platform fee is not taken of a source in another currency',
    quote: async (given) => {
      const usd = await given.quoteSource({ platformFee: FEE, currency: 'USD' });
      needShowFee(usd, await usd.needCreate());
      return (await fromEuro(given)).needCreate({}, 'creating a quote from EUR');
    },
    also: ['QUOTE-FEE-USD-SOURCE', ({ platformFeesIncluded }) => expect(platformFeesIncluded).toBe(0)],
  },
];

for (const { says, quote: seen, also } of FEES_SHOWN)
  test(says, verifies(WITHIN, ...(also ? [also[0]] : [])), async ({ given, check, need }) => {
    const sighting = await seen(given);
    needShowFee({ need }, sighting);
    await check(WITHIN, () => {
      const { platformFeesIncluded, feesIncluded } = sighting.quote;
      expect(platformFeesIncluded).toBeLessThanOrEqual(feesIncluded as number);
    });
    if (also) await check(also[0], () => also[1](sighting.quote));
  });

/** The fee that is configured, in its own unit. A part that is set in another currency may move. */
function expectAbout(shown: unknown, fee: number): void {
  expect(shown, `a fee of ${fee}`).toBeGreaterThan(fee / 2);
  expect(shown, `a fee of ${fee}`).toBeLessThan(2 * fee);
}

/**
 * What a fee may come to that somebody has written in a form of their own: its one number is basis points or a fixed amount, and
 * of two the one is this and the other that. Empty where there is no telling.
 *
 * @param amount sent, in the smallest unit; of what exactly the basis points are taken is not shown
 * @param kind where it is known
 */
function feesMeant(body: unknown, amount: number, kind?: keyof typeof GROWS): readonly number[] {
  const [one, other, ...more] = positivesIn(body);
  if (one === undefined || more.length > 0) return [];
  const share = (basisPoints: number) => (amount * basisPoints) / 10_000;
  const meant =
    other === undefined
      ? { fixed: [one], variable: [share(one)], both: [] }
      : { fixed: [], variable: [], both: [one + share(other), other + share(one)] };
  return kind === undefined ? Object.values(meant).flat() : meant[kind];
}

function positivesIn(value: unknown): readonly number[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(positivesIn);
  return Number.isInteger(value) && Number(value) > 0 ? [Number(value)] : [];
}

function expectOneOf(fee: unknown, meant: readonly number[]): void {
  const isMeant = meant.some((one) => Number(fee) > one / 2 && Number(fee) < 2 * one);
  expect(isMeant, `${String(fee)}, where ${meant.join(' or ')} was asked for`).toBe(true);
}

const isCharged = ({ quote }: QuoteSighting): boolean => Number(quote.platformFeesIncluded) > 0;

/** Whether a fee of this kind can be as much for twice the amount. A part that is set in another currency may move a little. */
const GROWS = {
  fixed: (once: number, twice: number) => twice < 1.5 * once,
  variable: (once: number, twice: number) => twice > once,
  both: (once: number, twice: number) => twice > once && twice < 2 * once,
} as const;

for (const kind of ['fixed', 'variable', 'both'] as const)
  test(
    `a fee that the platform configures (${kind}) is in its quotes from then on, and gone when it is taken away`,
    verifies('QUOTE-PLATFORM-FEE-APPLIED', 'QUOTE-PLATFORM-FEE-ZERO'),
    async ({ given, check, need }) => {
      const customer = await given.configuredPlatform({ platformFee: 0 });
      const before = await customer.needCreate({ lockedCurrencyAmount: LARGE }, 'a quote without a fee');
      need.offered((before.quote.sendingCurrency?.code ?? 'USD') === 'USD', 'the quote is not from USD');
      needShowFee(customer, before);
      const configured = await quotedWith(given, customer, kind, (fee) => fee > 0);
      const comesAtOnce = cameAtOnce();
      // Where a fee of another kind comes at once, time is not why this one does not come.
      const other = kind === 'variable' ? 'fixed' : 'variable';
      const isNever =
        !isCharged(configured) &&
        customer.state[other] !== undefined &&
        isCharged(await quotedWith(given, customer, other, (fee) => fee > 0)) &&
        cameAtOnce();
      const isApplied = await check(
        'QUOTE-PLATFORM-FEE-APPLIED',
        () => expect(configured.quote.platformFeesIncluded).toBeGreaterThan(0),
        isNever ? [configured.answer] : inTime(configured.answer),
      );
      if (!isApplied) return;
      const { platformFeesIncluded: fee, totalSendingAmount: sent } = configured.quote;
      const meant = feesMeant(customer.state[kind], Number(sent), kind);
      if (meant.length > 0)
        await check('QUOTE-PLATFORM-FEE-APPLIED', () => expectOneOf(fee, meant), [configured.answer]);
      const large = await customer.create({ lockedCurrencyAmount: 2 * LARGE }, 'a quote of twice the amount');
      const twice = customer.sighting(large)?.quote.platformFeesIncluded;
      if (twice !== undefined)
        await check(
          'QUOTE-PLATFORM-FEE-APPLIED',
          () =>
            expect(
              GROWS[kind](Number(configured.quote.platformFeesIncluded), twice),
              `${kind}, for twice the amount`,
            ).toBe(true),
          [configured.answer, large],
        );
      const after = await quotedWith(given, customer, 'none', (fee) => fee === 0);
      await check(
        'QUOTE-PLATFORM-FEE-ZERO',
        () => expect(after.quote.platformFeesIncluded).toBe(0),
        comesAtOnce ? [after.answer] : inTime(after.answer),
      );
    },
  );

test(
  "a fee that another platform configures is not in this one's quotes",
  verifies('QUOTE-PLATFORM-FEE-ZERO'),
  async ({ given, check, need }) => {
    const customer = await given.configuredPlatform({ platformFee: 0 });
    const other = await given.configuredPlatform({ platformFee: 0 });
    need.offered(
      customer.state.clientId !== other.state.clientId,
      'the state gives no second platform to configure',
    );
    await quotedWith(given, other, 'fixed', (fee) => fee > 0);
    const seen = await customer.needCreate({}, 'a quote of the platform that configures no fee');
    needShowFee(customer, seen);
    await check('QUOTE-PLATFORM-FEE-ZERO', () => expect(seen.quote.platformFeesIncluded).toBe(0));
  },
);

// ---------------------------------------------------------------------------------------------- platformFeeOverride

test(
  'an override is refused or has no effect with a source in another currency',
  verifies('QUOTE-FEE-USD-SOURCE'),
  async ({ given, check, need, observe }) => {
    const configured = await given.configuredPlatform({ platformFee: FEE });
    const { feeOverride: platformFeeOverride } = configured.state;
    await needOverride(configured);
    const customer = await fromEuro(given);
    const plain = await customer.needCreate({}, 'creating a quote from EUR');
    needShowFee(customer, plain);
    const answer = await customer.create({ platformFeeOverride }, 'a quote from EUR with an override');
    observe('quote-fee-override-non-usd', answer);
    const seen = customer.sighting(answer);
    need.offered(seen !== undefined || answer.refused, 'no quote could be recognised in the answer');
    if (seen) needShowFee(customer, seen);
    await check('QUOTE-FEE-USD-SOURCE', () => {
      if (answer.accepted) expect(seen?.quote.platformFeesIncluded).toBe(plain.quote.platformFeesIncluded);
    });
  },
);

for (const platformFee of [0, FEE])
  test(
    `a quote from USD may override a configured platform fee of ${platformFee}`,
    verifies('QUOTE-FEE-OVERRIDE-ACCEPTED'),
    async ({ given, check, need, observe }) => {
      const customer = await given.configuredPlatform({ platformFee });
      need(await customer.create({}, 'a quote without a platformFeeOverride')).accepted();
      const answer = await withOverride(customer);
      await check('QUOTE-FEE-OVERRIDE-ACCEPTED', () => expect(answer).toBeAccepted());
      if (answer.exchange.response && answer.accepted)
        observe('quote-fee-override-body', customer.state.feeOverride, answer);
    },
  );

test(
  'an override stands in for the configured fee, whatever that is, in its own quote alone',
  verifies('QUOTE-FEE-OVERRIDE-APPLIED'),
  async ({ given, check, need }) => {
    const feesWith = async (platformFee: number) => {
      const customer = await given.configuredPlatform({ platformFee });
      const plain = await customer.needCreate({}, 'a quote without a platformFeeOverride');
      const overridden = await needOverride(customer);
      const after = await customer.needCreate({}, 'a quote after the override');
      for (const seen of [plain, overridden]) needShowFee(customer, seen);
      const { feeOverride: sent } = customer.state;
      return { plain: plain.quote, overridden: overridden.quote, after: after.quote, sent };
    };
    const [one, other] = [await feesWith(FEE), await feesWith(OTHER_FEE)];
    need.that(
      one.plain.platformFeesIncluded !== other.plain.platformFeesIncluded,
      'the two configured fees make no difference, so an override cannot be told from them',
    );
    await check('QUOTE-FEE-OVERRIDE-APPLIED', () => {
      for (const { plain, overridden, after, sent } of [one, other]) {
        const meant = feesMeant(sent, Number(overridden.totalSendingAmount));
        if (meant.length > 0) expectOneOf(overridden.platformFeesIncluded, meant);
        expect(overridden.platformFeesIncluded).not.toBe(plain.platformFeesIncluded);
        expect(after.platformFeesIncluded, 'of the next quote').toBe(plain.platformFeesIncluded);
      }
      // A state may choose the override by the configured fee.
      if (JSON.stringify(one.sent) === JSON.stringify(other.sent))
        expect(one.overridden.platformFeesIncluded, 'with either fee configured').toBe(
          other.overridden.platformFeesIncluded,
        );
    });
  },
);

for (const [which, asked, side] of OTHERWISE)
  test(
    `an override stands in for the configured fee of a quote${which}, too`,
    verifies('QUOTE-FEE-OVERRIDE-APPLIED'),
    async ({ given, check }) => {
      const { feeOverride: platformFeeOverride } = (await given.configuredPlatform({ platformFee: FEE }))
        .state;
      const customer = await given.quoteSource({ platformFee: FEE, currency: 'USD', ...asked });
      await needSide(customer, side);
      const plain = await customer.needCreate(side, 'a quote without a platformFeeOverride');
      const overridden = await customer.needCreate({ ...side, platformFeeOverride }, 'a quote with one');
      for (const seen of [plain, overridden]) needShowFee(customer, seen);
      await check('QUOTE-FEE-OVERRIDE-APPLIED', () =>
        expect(overridden.quote.platformFeesIncluded).not.toBe(plain.quote.platformFeesIncluded),
      );
    },
  );

type Configured = Awaited<ReturnType<Given['configuredPlatform']>>;

/** A quote with the fee of its own that the state gives. */
function withOverride(customer: Configured): Promise<Answer> {
  const { feeOverride: platformFeeOverride } = customer.state;
  return customer.create({ platformFeeOverride }, 'a quote with a platformFeeOverride');
}

async function needOverride(customer: Configured): Promise<QuoteSighting> {
  return customer.needSee(await withOverride(customer));
}

/** A quote once the platform has configured what the state gives by this name. */
async function quotedWith(
  given: Given,
  customer: Configured,
  name: 'fixed' | 'variable' | 'both' | 'none',
  awaited: (fee: number) => boolean,
): Promise<QuoteSighting> {
  const { need, state } = customer;
  const body = need.offered(state[name], `the state gives no body called ${name}`);
  const label = `configuring ${name}`;
  need(await given.ownPlatform(state).call('updateConfig', { label, body })).available();
  return eventually(
    () => customer.needCreate({ lockedCurrencyAmount: LARGE }, `a quote after ${label}`),
    (seen) => awaited(Number(seen.quote.platformFeesIncluded)),
    customer.patienceMs,
  );
}

/** A platform with a fee, and a quote from another currency than USD. */
function fromEuro(given: Given): Promise<QuoteCustomer> {
  return given.quoteSource({ platformFee: FEE, currency: 'EUR', destinationCurrency: 'USD' });
}

function needShowFee({ need }: Pick<QuoteCustomer, 'need'>, { quote }: QuoteSighting): void {
  need.offered(
    quote.platformFeesIncluded !== undefined,
    'the quote came without platformFeesIncluded, which older payloads may leave out',
  );
}
