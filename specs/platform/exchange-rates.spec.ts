import { expect, sendRequest, test, verifies, type Answer, type StateRequest } from '../../suite/index.ts';
import { everyObjectIn, fieldsOf } from '../support/customers.ts';

interface Rate {
  readonly read: StateRequest;
}

test(
  'two reads of a rate close together are equal',
  verifies('RATES-CACHED'),
  async ({ given, need, check, platform, observe }) => {
    const { read } = await given.state<Rate>(
      'exchange-rate',
      { sourceCurrency: 'USD', destinationCurrency: 'EUR' },
      ['read'],
    );
    const look = () => sendRequest(platform, read, 'reading an exchange rate');
    const pair = async () => [await look(), await look(), await look()] as const;
    let answers = await pair();
    need(answers[0]).available();
    need.offered(rateIn(answers[0]), 'no rate could be recognised in the answer');
    // The cache may have ended in between. It does not end twice within a moment.
    if (new Set(answers.map(rateIn)).size > 1) answers = await pair();
    const [first, ...others] = answers;
    for (const other of others)
      await check('RATES-CACHED', () => expect(rateIn(other), 'the rate read again').toBe(rateIn(first)), [
        first,
        other,
      ]);
    observe(
      'exchange-rate-operation',
      {
        request: `${read.method} ${read.path}`,
        shown: fieldsOf(first),
        rate: everyObjectIn(first)
          .map((one) => Object.keys(one))
          .at(-1),
      },
      first,
    );
  },
);

test('how long a rate is said to hold', async ({ given, need, platform, observe }) => {
  const { read } = await given.state<Rate>(
    'exchange-rate',
    { sourceCurrency: 'USD', destinationCurrency: 'EUR' },
    ['read'],
  );
  const answer = await sendRequest(platform, read, 'reading an exchange rate');
  need(answer).available();
  // The market has no customer whose time alone could be moved: what the answer tells is taken.
  const [, until] =
    everyObjectIn(answer)
      .flatMap((one) => Object.entries(one))
      .find(([name]) => /expires|validUntil/i.test(name)) ?? [];
  const seconds =
    typeof until === 'string' ? Math.round((Date.parse(until) - answer.exchange.at) / 1_000) : undefined;
  observe(
    'exchange-rate-cache-time',
    seconds === undefined || Number.isNaN(seconds)
      ? 'not told'
      : `at most ${Math.ceil(seconds / 60)} minutes`,
    answer,
  );
});

/** The rate in an answer of unknown shape: a number or text of numbers in a field that is called so. */
function rateIn(answer: Answer): string | undefined {
  for (const object of everyObjectIn(answer))
    for (const [name, value] of Object.entries(object))
      if (
        /rate$/i.test(name) &&
        (typeof value === 'number' || (typeof value === 'string' && /^[\d.]+$/.test(value)))
      )
        return String(value);
  return undefined;
}
