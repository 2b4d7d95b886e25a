import {
  eventually,
  expect,
  test,
  verifies,
  type Given,
  type QuoteSighting,
  type SeenQuote,
} from '../../suite/index.ts';

/** Fixed fee of the platform, in the smallest unit of the sending currency. */
const FEE = 250;
const NOT_SENT = 'the quote came without platformFeesIncluded, which older payloads may leave out';

/** Two fixed fees that a platform may have configured, in the smallest unit of the sending currency. */
const FEES = [FEE, 400] as const;
const NOT_SENT_IN_EITHER = 'the quotes came without platformFeesIncluded, which older payloads may leave out';

/** A quote, and what holds for the platform's part of its fees. */
const FEES_SHOWN: readonly {
  readonly rule: string;
  readonly says: string;
  readonly quote: (given: Given) => Promise<QuoteSighting>;
  readonly holds: (quote: SeenQuote) => void;
}[] = [
  ...[0, FEE, 20 * FEE].map((platformFee) => ({
    rule: 'QUOTE-PLATFORM-FEE-WITHIN-FEES',
    says: `with a platform fee of ${platformFee} the platform's part lies within the fees`,
    quote: async (given: Given) => (await given.quoteSource({ platformFee })).mustCreate(),
    holds: expectWithinFees,
  })),
  {
    rule: 'QUOTE-PLATFORM-FEE-WITHIN-FEES',
    says: "with a fee of the quote's own the platform's part lies within the fees",
    quote: async (given) => {
      const customer = await given.configuredPlatform({ platformFee: FEE });
      const { feeOverride: platformFeeOverride } = customer.state;
      const answer = await customer.create({ platformFeeOverride }, 'a quote with a platformFeeOverride');
      customer.need.offered(!answer.refused, 'this target takes no platformFeeOverride');
      customer.need(answer).accepted();
      return customer.need.offered(customer.sighting(answer), 'no quote could be recognised');
    },
    holds: expectWithinFees,
  },
  {
    rule: 'QUOTE-PLATFORM-FEE-WITHIN-FEES',
    says: "whatever the platform's fee is, its part lies within the fees",
    quote: async (given) => (await given.customer()).mustCreate(),
    holds: expectWithinFees,
  },
  {
    rule: 'QUOTE-PLATFORM-FEE-ZERO',
    says: 'with no platform fee in force none is included',
    quote: async (given) => (await given.quoteSource({ platformFee: 0 })).mustCreate(),
    holds: ({ platformFeesIncluded }) => expect(platformFeesIncluded).toBe(0),
  },
  {
    rule: 'QUOTE-PLATFORM-FEE-APPLIED',
    says: 'a configured platform fee is included in a quote from USD',
    quote: async (given) => (await given.quoteSource({ platformFee: FEE, currency: 'USD' })).mustCreate(),
    holds: ({ platformFeesIncluded }) => expect(platformFeesIncluded).toBeGreaterThan(0),
  },
];

for (const { rule, says, quote: seen, holds } of FEES_SHOWN)
  test(says, verifies(rule), async ({ given, check, need }) => {
    const { quote } = await seen(given);
    need.offered(quote.platformFeesIncluded !== undefined, NOT_SENT);
    await check(rule, () => holds(quote));
  });

/** Of this amount, in the smallest unit, one basis point is more than one unit. */
const LARGE = 100_000;

for (const kind of ['fixed', 'variable', 'both'] as const)
  test(
    `a fee that the platform configures (${kind}) is in its quotes from then on, and gone when it is taken away`,
    verifies('QUOTE-PLATFORM-FEE-APPLIED', 'QUOTE-PLATFORM-FEE-ZERO'),
    async ({ given, check, need }) => {
      const customer = await given.configuredPlatform({ platformFee: 0 });
      const platform = given.ownPlatform(customer.state);
      const quote = (label: string) => customer.mustCreate({ lockedCurrencyAmount: LARGE }, label);
      const feesOnce = async (name: typeof kind | 'none', awaited: (fee: number) => boolean) => {
        const body = need.offered(customer.state[name], `the state gives no body called ${name}`);
        need(await platform.call('updateConfig', { label: `configuring ${name}`, body })).available();
        return eventually(
          () => quote(`a quote after configuring ${name}`),
          (seen) => awaited(Number(seen.quote.platformFeesIncluded)),
          customer.patienceMs,
        );
      };
      const before = await quote('a quote without a fee');
      const { code = 'USD' } = before.quote.sendingCurrency ?? {};
      need.offered(code === 'USD', 'the quote is not from USD');
      need.offered(before.quote.platformFeesIncluded !== undefined, NOT_SENT);
      const configured = await feesOnce(kind, (fee) => fee > 0);
      const isApplied = await check(
        'QUOTE-PLATFORM-FEE-APPLIED',
        () => expect(configured.quote.platformFeesIncluded).toBeGreaterThan(0),
        { assumes: ['effectSeconds'] },
      );
      if (!isApplied) return;
      const after = await feesOnce('none', (fee) => fee === 0);
      await check('QUOTE-PLATFORM-FEE-ZERO', () => expect(after.quote.platformFeesIncluded).toBe(0), {
        assumes: ['effectSeconds'],
      });
    },
  );

function expectWithinFees({ platformFeesIncluded, feesIncluded }: SeenQuote): void {
  expect(platformFeesIncluded).toBeLessThanOrEqual(feesIncluded as number);
}

test(
  'a platform fee is not taken of a source in another currency',
  verifies('QUOTE-FEE-USD-SOURCE'),
  async ({ given, check, need }) => {
    const usd = await (await given.quoteSource({ platformFee: FEE, currency: 'USD' })).mustCreate();
    need.offered(usd.quote.platformFeesIncluded !== undefined, NOT_SENT);
    const params = { platformFee: FEE, currency: 'EUR', destinationCurrency: 'USD' };
    const { quote } = await (await given.quoteSource(params)).mustCreate({}, 'creating a quote from EUR');
    need.offered(quote.platformFeesIncluded !== undefined, NOT_SENT);
    await check('QUOTE-FEE-USD-SOURCE', () => expect(quote.platformFeesIncluded).toBe(0));
  },
);

test(
  'an override is refused or has no effect with a source in another currency',
  verifies('QUOTE-FEE-USD-SOURCE'),
  async ({ given, check, need, observe }) => {
    const configured = await given.configuredPlatform({ platformFee: FEE });
    const platformFeeOverride = configured.state.feeOverride;
    await configured.mustCreate({ platformFeeOverride }, 'a quote from USD with a platformFeeOverride');
    const customer = await given.quoteSource({
      platformFee: FEE,
      currency: 'EUR',
      destinationCurrency: 'USD',
    });
    const plain = await customer.mustCreate({}, 'creating a quote from EUR');
    need.offered(plain.quote.platformFeesIncluded !== undefined, NOT_SENT);
    const answer = await customer.create({ platformFeeOverride }, 'a quote from EUR with an override');
    observe('quote-fee-override-non-usd', answer);
    const seen = customer.sighting(answer);
    need.offered(seen !== undefined || answer.refused, 'no quote could be recognised in the answer');
    need.offered(answer.refused || seen?.quote.platformFeesIncluded !== undefined, NOT_SENT);
    await check('QUOTE-FEE-USD-SOURCE', () => {
      if (answer.accepted) expect(seen?.quote.platformFeesIncluded).toBe(plain.quote.platformFeesIncluded);
    });
  },
);

for (const platformFee of [0, FEES[0]])
  test(
    `a quote from USD may override a configured platform fee of ${platformFee}`,
    verifies('QUOTE-FEE-OVERRIDE-ACCEPTED'),
    async ({ given, check, need, observe }) => {
      const customer = await given.configuredPlatform({ platformFee });
      need(await customer.create({}, 'a quote without a platformFeeOverride')).accepted();
      const { feeOverride: platformFeeOverride } = customer.state;
      const answer = await customer.create({ platformFeeOverride }, 'a quote with a platformFeeOverride');
      await check('QUOTE-FEE-OVERRIDE-ACCEPTED', () => expect(answer).toBeAccepted());
      if (answer.exchange.response && answer.accepted)
        observe('quote-fee-override-body', platformFeeOverride, answer);
    },
  );

test(
  'an override stands in for the configured fee, whatever that is',
  verifies('QUOTE-FEE-OVERRIDE-APPLIED'),
  async ({ given, check, need }) => {
    const fees: { plain: SeenQuote; overridden: SeenQuote; override: string }[] = [];
    for (const platformFee of FEES) {
      const customer = await given.configuredPlatform({ platformFee });
      const { feeOverride: platformFeeOverride } = customer.state;
      const plain = await customer.mustCreate({}, 'a quote without a platformFeeOverride');
      const overridden = await customer.mustCreate(
        { platformFeeOverride },
        'a quote with a platformFeeOverride',
      );
      fees.push({
        plain: plain.quote,
        overridden: overridden.quote,
        override: JSON.stringify(platformFeeOverride),
      });
    }
    const sent = fees.every(({ plain, overridden }) =>
      [plain, overridden].every((one) => one.platformFeesIncluded !== undefined),
    );
    need.offered(sent, NOT_SENT_IN_EITHER);
    need.that(
      fees[0]?.plain.platformFeesIncluded !== fees[1]?.plain.platformFeesIncluded,
      'the two configured fees make no difference, so an override cannot be told from them',
    );
    await check('QUOTE-FEE-OVERRIDE-APPLIED', () => {
      for (const { plain, overridden } of fees)
        expect(overridden.platformFeesIncluded).not.toBe(plain.platformFeesIncluded);
      // A state may choose the override by the configured fee.
      if (fees[0]?.override === fees[1]?.override)
        expect(fees[0]?.overridden.platformFeesIncluded, 'with either fee configured').toBe(
          fees[1]?.overridden.platformFeesIncluded,
        );
    });
  },
);

test(
  'an override holds for its own quote and for no other',
  verifies('QUOTE-FEE-OVERRIDE-APPLIED'),
  async ({ given, check, need }) => {
    const customer = await given.configuredPlatform({ platformFee: FEES[0] });
    const { feeOverride: platformFeeOverride } = customer.state;
    const before = await customer.mustCreate({}, 'a quote before the override');
    await customer.mustCreate({ platformFeeOverride }, 'a quote with a platformFeeOverride');
    const after = await customer.mustCreate({}, 'a quote after the override');
    need.offered(before.quote.platformFeesIncluded !== undefined, NOT_SENT_IN_EITHER);
    await check('QUOTE-FEE-OVERRIDE-APPLIED', () =>
      expect(after.quote.platformFeesIncluded).toBe(before.quote.platformFeesIncluded),
    );
  },
);
