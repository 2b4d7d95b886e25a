import { branded } from '../../schemas/brand.ts';
import {
  expect,
  quoteIn,
  test,
  verifies,
  type Given,
  type QuoteCustomer,
  type QuoteSighting,
  type SeenQuote,
} from '../../suite/index.ts';
import { needSide, RECEIVED_IS_LOCKED } from '../support/quotes.ts';

/** Amounts whose fees are not all whole, and one whose fee is large; in each way to ask for a quote. */
const ASKED = [
  [10_000, '', {}, {}],
  [12_345, ' to a UMA address', { destinationKind: 'UMA_ADDRESS' }, {}],
  [23_456, ' in real time', { kind: 'REALTIME_FUNDING' }, {}],
  [34_567, ' to be received', {}, RECEIVED_IS_LOCKED],
  [987_654, '', {}, {}],
] as const;
/** Rounding is open: up or down by less than one unit. */
const UNIT = 1;
/** Of this amount, fees are a small part. */
const LARGE = 100_000;
/** Room for fees that stand nowhere, and for a rate that is shown in few digits. */
const LENIENCY = 2;

for (const [lockedCurrencyAmount, whose, params, side] of ASKED)
  test(
    `the variable fee of ${lockedCurrencyAmount}${whose} is the sending amount times its rate`,
    verifies('RATE-VARIABLE-FEE-EQUATION'),
    async ({ given, check, need, observe, profile }) => {
      const customer = await ('kind' in params
        ? given.quoteSource(params)
        : given.customer({ ...params, balance: 10 * lockedCurrencyAmount }));
      const created = await customer.create({ lockedCurrencyAmount, ...side });
      // That this side can be locked is not shown.
      if (side === RECEIVED_IS_LOCKED) need(created).available();
      need(created).accepted();
      const { quote, answer } = customer.needSee(created);
      const told = detailsOf(customer, quote);
      const rateName = branded('serviceApiVariableFeeRate', profile.brand);
      const amountName = branded('serviceApiVariableFeeAmount', profile.brand);
      const fixed = Number(told[branded('serviceApiFixedFee', profile.brand)] ?? 0);
      need.offered(
        typeof told[rateName] === 'number' && typeof told[amountName] === 'number',
        'the details tell no rate or no amount',
      );
      const read = () => {
        const [rate, fee] = [Number(told[rateName]), Number(told[amountName])];
        const readings = readingsOf(rate, { fee, fixed }, quote);
        const fits = readings.filter(({ value }) => Math.abs(value - fee) <= UNIT);
        return { fee, fits, values: [...new Set(readings.map(({ value }) => value))] };
      };
      await check('RATE-VARIABLE-FEE-EQUATION', () => {
        const { fee, fits, values } = read();
        const message = `${amountName} is ${fee}; ${rateName} gives ${values.join(' or ')}`;
        expect(fits.length > 0, message).toBe(true);
      });
      const scales = [...new Set(read().fits.map(({ scale }) => scale))];
      observe('variable-fee-rate-scale', scales.join(' or ') || 'neither', answer);
    },
  );

const BEYOND_32_BITS = 5_000_000_000;

/** Each way to ask for a quote: a rate may be right in one and wrong in another. */
const PRICED: readonly (readonly [which: string, quote: (given: Given) => Promise<QuoteSighting>])[] = [
  ...(['EUR', 'USD'] as const).map(
    (destinationCurrency) =>
      [`from USD to ${destinationCurrency}`, ofSource({ currency: 'USD', destinationCurrency })] as const,
  ),
  [
    'over an amount of more than 32 bits',
    async (given) => {
      const customer = await given.quoteSource({ currency: 'USD', destinationCurrency: 'EUR' });
      const answer = await customer.create({ lockedCurrencyAmount: BEYOND_32_BITS }, 'a very large quote');
      // The most that is quoted is not shown.
      customer.need(answer).available();
      return customer.needSee(answer);
    },
  ],
  ['to a UMA address', ofSource({ destinationKind: 'UMA_ADDRESS' })],
  ['in real time', ofSource({ kind: 'REALTIME_FUNDING' })],
  [
    'whose amount received is locked',
    ofSource({ currency: 'USD', destinationCurrency: 'EUR' }, RECEIVED_IS_LOCKED),
  ],
  [
    'of an agent',
    async (given) => {
      const agent = await given.agentWithQuotes();
      const answer = await agent.createQuote();
      agent.need(answer).available();
      return { answer, quote: agent.need.offered(quoteIn(answer), 'no quote could be recognised') };
    },
  ],
];

for (const [which, quoted] of PRICED)
  test(
    `the totals of a quote ${which} fit its rate`,
    verifies('QUOTE-AMOUNTS-FIT-RATE'),
    async ({ given, need, check }) => {
      const { quote, answer } = await quoted(given);
      const { rate, sent, received, fees } = numbersOf(quote);
      const places = decimalsOf(quote.receivingCurrency) - decimalsOf(quote.sendingCurrency);
      need.offered(!Number.isNaN(places), 'the currencies of the quote tell no decimals');
      // In which direction the rate counts, in which units, and where fees are taken, is read in several ways.
      const fits = [received, received / 10 ** places]
        .flatMap((amount) => [amount * rate, amount / rate])
        .some((value) => (sent - fees) / LENIENCY <= value && value <= LENIENCY * sent);
      const message = `at the rate of ${rate}, ${received} are received for ${sent}`;
      await check('QUOTE-AMOUNTS-FIT-RATE', () => expect(fits, message).toBe(true), [answer]);
    },
  );

test(
  'how the rate and the fees of a quote are computed',
  verifies('QUOTE-RATE-DETAILS'),
  async ({ given, observe, profile }) => {
    const customer = await given.customer();
    const { quote, answer } = await customer.needCreate();
    const { rate, sent, received, fees } = numbersOf(quote);
    const places =
      Number(quote.receivingCurrency?.decimals ?? 0) - Number(quote.sendingCurrency?.decimals ?? 0);
    const perReceiving = (amount: number) => (amount / received) * 10 ** places;
    const near = (a: number, b: number) => Math.abs(a / b - 1) < 0.001;
    const rates: readonly (readonly [string, number])[] = [
      ['sending per receiving, without the fees', perReceiving(sent - fees)],
      ['sending per receiving, on the totals', perReceiving(sent)],
      ['receiving per sending, without the fees', 1 / perReceiving(sent - fees)],
      ['receiving per sending, on the totals', 1 / perReceiving(sent)],
    ];
    const fits = rates.filter(([, value]) => near(value, rate)).map(([name]) => name);
    observe('exchange-rate-arithmetic', fits.join('; ') || 'none of the usual ways', answer);

    const details = detailsOf(customer, quote);
    const named = (name: string) => Number(details[branded(name, profile.brand)]);
    const own = named('serviceApiFixedFee') + named('serviceApiVariableFeeAmount');
    const sum = own + named('counterpartyFixedFee') * rate + Number(quote.platformFeesIncluded ?? 0);
    observe('fee-arithmetic', `the components give ${sum.toFixed(2)}, feesIncluded is ${fees}`, answer);

    const through = 1 / (named('serviceApiMultiplier') * named('counterpartyMultiplier'));
    const shown = `through mSATs ${through.toPrecision(8)}, exchangeRate is ${rate}`;
    observe('multiplier-arithmetic', shown, answer);
  },
);

/** Asks for a large quote of such a customer. @param side changes of the body */
function ofSource(
  params: Parameters<Given['quoteSource']>[0],
  side: Readonly<Record<string, unknown>> = {},
): (given: Given) => Promise<QuoteSighting> {
  return async (given) => {
    const customer = await given.quoteSource(params);
    await needSide(customer, side);
    return customer.needCreate({ lockedCurrencyAmount: LARGE, ...side });
  };
}

/** Those of dollars and euros are known: "cents for USD and EUR". */
function decimalsOf(currency: SeenQuote['sendingCurrency']): number {
  return Number(currency?.decimals ?? (['USD', 'EUR'].includes(String(currency?.code)) ? 2 : undefined));
}

function detailsOf({ need }: QuoteCustomer, { rateDetails }: SeenQuote) {
  return need.offered(rateDetails, 'the quote came without rateDetails, which are not required');
}

function numbersOf(quote: SeenQuote) {
  return {
    rate: Number(quote.exchangeRate),
    sent: Number(quote.totalSendingAmount),
    received: Number(quote.totalReceivingAmount),
    fees: Number(quote.feesIncluded),
  };
}

/** Every way to read "the sending amount times the rate, as a percentage": with or without fees (all, our own, the platform's), percent or factor. */
function readingsOf(
  rate: number,
  { fee, fixed }: { readonly fee: number; readonly fixed: number },
  quote: SeenQuote,
): readonly { scale: string; value: number }[] {
  const { sent: total, fees } = numbersOf(quote);
  const own = fee + fixed;
  const platform = Number(quote.platformFeesIncluded ?? 0);
  return [total, total - fees, total - fee, total - own, total - own - platform].flatMap((amount) => [
    { scale: 'percentage', value: (amount * rate) / 100 },
    { scale: 'factor', value: amount * rate },
  ]);
}
