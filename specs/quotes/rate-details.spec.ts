import { branded } from '../../schemas/brand.ts';
import { expect, test, verifies, type SeenQuote } from '../../suite/index.ts';

/** Amounts whose fees are not all whole, and one whose fee is large. */
const AMOUNTS = [10_000, 12_345, 987_654] as const;
/** Rounding is open: up or down by less than one unit. */
const UNIT = 1;
/** Of this amount, fees are a small part. */
const LARGE = 100_000;
/** Room for fees that stand nowhere, and for a rate that is shown in few digits. */
const LENIENCY = 2;
const NO_DETAILS = 'the quote came without rateDetails, which are not required';

for (const lockedCurrencyAmount of AMOUNTS)
  test(
    `the variable fee of ${lockedCurrencyAmount} is the sending amount times its rate`,
    verifies('RATE-VARIABLE-FEE-EQUATION'),
    async ({ given, check, need, observe, profile }) => {
      const customer = await given.customer({ balance: 10 * lockedCurrencyAmount });
      const { quote, answer } = await customer.mustCreate({ lockedCurrencyAmount });
      const details = need.offered(quote.rateDetails as Details | undefined, NO_DETAILS);
      const rateName = branded('serviceApiVariableFeeRate', profile.brand);
      const amountName = branded('serviceApiVariableFeeAmount', profile.brand);
      const [rate, fee] = [details[rateName], details[amountName]];
      const fixed = Number(details[branded('serviceApiFixedFee', profile.brand)] ?? 0);
      need.offered(
        typeof rate === 'number' && typeof fee === 'number',
        'the details tell no rate or no amount',
      );
      await check('RATE-VARIABLE-FEE-EQUATION', () => {
        const seen = Number(details[amountName]);
        const expected = readingsOf(Number(details[rateName]), { fee: seen, fixed }, quote).map(
          ({ value }) => value,
        );
        expect(
          expected.some((value) => Math.abs(value - seen) <= UNIT),
          `${amountName} is ${seen}; ${rateName} gives ${[...new Set(expected)].join(' or ')}`,
        ).toBe(true);
      });
      const fits = readingsOf(Number(rate), { fee: Number(fee), fixed }, quote).filter(
        ({ value }) => Math.abs(value - Number(fee)) <= UNIT,
      );
      observe(
        'variable-fee-rate-scale',
        [...new Set(fits.map(({ scale }) => scale))].join(' or ') || 'neither',
        answer,
      );
    },
  );

for (const destinationCurrency of ['EUR', 'USD'])
  test(
    `the totals of a quote from USD to ${destinationCurrency} fit its rate`,
    verifies('QUOTE-AMOUNTS-FIT-RATE'),
    async ({ given, check }) => {
      const customer = await given.quoteSource({ currency: 'USD', destinationCurrency });
      const { quote, answer } = await customer.mustCreate({ lockedCurrencyAmount: LARGE });
      const { exchangeRate, totalSendingAmount, totalReceivingAmount, feesIncluded } = quote as Record<
        string,
        number
      >;
      // Both currencies have cents. In which direction the rate counts, and where fees are taken, is read in several ways.
      const most = LENIENCY * Number(totalSendingAmount);
      const least = (Number(totalSendingAmount) - Number(feesIncluded)) / LENIENCY;
      const readings = [exchangeRate, 1 / Number(exchangeRate)];
      await check(
        'QUOTE-AMOUNTS-FIT-RATE',
        () =>
          expect(
            readings.some((rate) => within(Number(totalReceivingAmount) * Number(rate), least, most)),
            `at the rate of ${exchangeRate}, ${totalReceivingAmount} are received for ${totalSendingAmount}`,
          ).toBe(true),
        [answer],
      );
    },
  );

test(
  'how the rate and the fees of a quote are computed',
  verifies('QUOTE-RATE-DETAILS'),
  async ({ given, need, observe, profile }) => {
    const { quote, answer } = await (await given.customer()).mustCreate();
    const { exchangeRate, totalSendingAmount, totalReceivingAmount, feesIncluded } = quote as Record<
      string,
      number
    >;
    const net = Number(totalSendingAmount) - Number(feesIncluded);
    const scale =
      10 ** (Number(quote.receivingCurrency?.decimals ?? 0) - Number(quote.sendingCurrency?.decimals ?? 0));
    const perReceiving = (sent: number) => (sent / Number(totalReceivingAmount)) * scale;
    const near = (a: number, b: number) => Math.abs(a / b - 1) < 0.001;
    const rates: readonly (readonly [string, number])[] = [
      ['sending per receiving, without the fees', perReceiving(net)],
      ['sending per receiving, on the totals', perReceiving(Number(totalSendingAmount))],
      ['receiving per sending, without the fees', 1 / perReceiving(net)],
      ['receiving per sending, on the totals', 1 / perReceiving(Number(totalSendingAmount))],
    ];
    const fits = rates.filter(([, rate]) => near(rate, Number(exchangeRate))).map(([name]) => name);
    observe('exchange-rate-arithmetic', fits.join('; ') || 'none of the usual ways', answer);

    const details = need.offered(quote.rateDetails as Details | undefined, NO_DETAILS);
    const named = (name: string) => Number(details[branded(name, profile.brand)]);
    const own = named('serviceApiFixedFee') + named('serviceApiVariableFeeAmount');
    const counterparty = named('counterpartyFixedFee') * Number(exchangeRate);
    const sum = own + counterparty + Number(quote.platformFeesIncluded ?? 0);
    observe(
      'fee-arithmetic',
      `the components give ${sum.toFixed(2)}, feesIncluded is ${feesIncluded}`,
      answer,
    );

    const through = 1 / (named('serviceApiMultiplier') * named('counterpartyMultiplier'));
    observe(
      'multiplier-arithmetic',
      `through mSATs ${through.toPrecision(8)}, exchangeRate is ${exchangeRate}`,
      answer,
    );
  },
);

function within(value: number, least: number, most: number): boolean {
  return least <= value && value <= most;
}

type Details = Readonly<Record<string, unknown>>;

/** Every way to read "the sending amount times the rate, as a percentage": with or without fees (all, our own, the platform's), percent or factor. */
function readingsOf(
  rate: number,
  { fee, fixed }: { readonly fee: number; readonly fixed: number },
  quote: SeenQuote,
): readonly { scale: string; value: number }[] {
  const { totalSendingAmount, feesIncluded, platformFeesIncluded } = quote as Record<string, number>;
  const total = Number(totalSendingAmount);
  const own = fee + fixed;
  const amounts = [total, total - Number(feesIncluded), total - fee, total - own];
  amounts.push(total - own - Number(platformFeesIncluded ?? 0));
  return amounts.flatMap((amount) => [
    { scale: 'percentage', value: (amount * rate) / 100 },
    { scale: 'factor', value: amount * rate },
  ]);
}
