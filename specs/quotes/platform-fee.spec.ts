import { expect, test, verifies } from '../../suite/index.ts';
import { mustQuote } from '../support/quotes.ts';

/** Fixed fee of the platform, in the smallest unit of the sending currency. */
const FEE = 250;
const NOT_SENT = 'the quote came without platformFeesIncluded, which older payloads may leave out';

for (const platformFee of [0, FEE, 20 * FEE])
  test(
    `with a platform fee of ${platformFee} the platform's part lies within the fees`,
    verifies('QUOTE-PLATFORM-FEE-WITHIN-FEES'),
    async ({ given, check, need }) => {
      const { quote } = await mustQuote(need, await given.quoteSource({ platformFee }));
      need.offered(quote.platformFeesIncluded !== undefined, NOT_SENT);
      await check('QUOTE-PLATFORM-FEE-WITHIN-FEES', () =>
        expect(quote.platformFeesIncluded).toBeLessThanOrEqual(quote.feesIncluded as number),
      );
    },
  );

test(
  "whatever the platform's fee is, its part lies within the fees",
  verifies('QUOTE-PLATFORM-FEE-WITHIN-FEES'),
  async ({ given, check, need }) => {
    const { quote } = await mustQuote(need, await given.customer());
    need.offered(quote.platformFeesIncluded !== undefined, NOT_SENT);
    await check('QUOTE-PLATFORM-FEE-WITHIN-FEES', () =>
      expect(quote.platformFeesIncluded).toBeLessThanOrEqual(quote.feesIncluded as number),
    );
  },
);

test(
  'with no platform fee in force none is included',
  verifies('QUOTE-PLATFORM-FEE-ZERO'),
  async ({ given, check, need }) => {
    const { quote } = await mustQuote(need, await given.quoteSource({ platformFee: 0 }));
    need.offered(quote.platformFeesIncluded !== undefined, NOT_SENT);
    await check('QUOTE-PLATFORM-FEE-ZERO', () => expect(quote.platformFeesIncluded).toBe(0));
  },
);

test(
  'a configured platform fee is included in a quote from USD',
  verifies('QUOTE-PLATFORM-FEE-APPLIED'),
  async ({ given, check, need }) => {
    const { quote } = await mustQuote(need, await given.quoteSource({ platformFee: FEE, currency: 'USD' }));
    need.offered(quote.platformFeesIncluded !== undefined, NOT_SENT);
    await check('QUOTE-PLATFORM-FEE-APPLIED', () => expect(quote.platformFeesIncluded).toBeGreaterThan(0));
  },
);

test(
  'a platform fee is not taken of a source in another currency',
  verifies('QUOTE-FEE-USD-SOURCE'),
  async ({ given, check, need }) => {
    const usd = await mustQuote(need, await given.quoteSource({ platformFee: FEE, currency: 'USD' }));
    need.offered(usd.quote.platformFeesIncluded !== undefined, NOT_SENT);
    const params = { platformFee: FEE, currency: 'EUR', destinationCurrency: 'USD' };
    const { quote } = await mustQuote(need, await given.quoteSource(params), {}, 'creating a quote from EUR');
    await check('QUOTE-FEE-USD-SOURCE', () => expect(quote.platformFeesIncluded ?? 0).toBe(0));
  },
);

test(
  'an override is refused or has no effect with a source in another currency',
  verifies('QUOTE-FEE-USD-SOURCE'),
  async ({ given, check, need, observe }) => {
    const configured = await given.configuredPlatform({ platformFee: FEE });
    const platformFeeOverride = configured.state.feeOverride;
    await mustQuote(need, configured, { platformFeeOverride }, 'a quote from USD with a platformFeeOverride');
    const customer = await given.quoteSource({
      platformFee: FEE,
      currency: 'EUR',
      destinationCurrency: 'USD',
    });
    const plain = await mustQuote(need, customer, {}, 'creating a quote from EUR');
    const answer = await customer.create(
      { platformFeeOverride },
      { label: 'a quote from EUR with an override' },
    );
    observe('quote-fee-override-non-usd', answer);
    const seen = customer.sighting(answer);
    need.offered(seen !== undefined || answer.refused, 'no quote could be recognised in the answer');
    await check('QUOTE-FEE-USD-SOURCE', () => {
      if (answer.accepted)
        expect(seen?.quote.platformFeesIncluded ?? 0).toBe(plain.quote.platformFeesIncluded ?? 0);
    });
  },
);
