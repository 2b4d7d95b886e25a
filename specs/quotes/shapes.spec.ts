import { ruleOf } from '../../schemas/rules.ts';
import { enumOf, shapeRules } from '../../schemas/openapi.ts';
import { movesClock, test, verifies } from '../../suite/index.ts';
import { lifetimeOf } from '../support/quotes.ts';
import { mustAwait } from '../support/sca.ts';

/**
 * Every answer is held against its object wherever it comes up; these tests see to it that a quote comes up in each of its
 * states. They prove nothing by themselves, so they hold no check.
 */
const OF_QUOTES = shapeRules('Quote').filter((id) => ruleOf(id).area === 'quotes');
/** Rules of quotes that wait for authorization, and of those that are funded at execution. */
const WHILE_WAITING = ['QUOTE-SCA-CHALLENGE', 'QUOTE-SCA-CHALLENGE-WHILE-PENDING'];
const FUNDED = (id: string) => /^INSTRUCTIONS-|^QUOTE-(PAYMENT-INSTRUCTIONS|INSTRUCTIONS-)/.test(id);
const PLAIN = OF_QUOTES.filter((id) => !WHILE_WAITING.includes(id) && !FUNDED(id));

/** Rules of payment instructions, of which each account type has a form of its own. */
const OF_INSTRUCTIONS = [
  'QUOTE-PAYMENT-INSTRUCTIONS',
  ...shapeRules('PaymentInstructions').filter((id) => ruleOf(id).area === 'quotes'),
];
const ACCOUNT_TYPES = enumOf('PaymentAccountType');

test('a quote that may be executed', verifies(...PLAIN), async ({ given }) => {
  const customer = await given.customer();
  const { quote } = await customer.mustCreate();
  await customer.mustRead(quote.id);
});

for (const [executionFails, status] of [
  [false, 'COMPLETED'],
  [true, 'FAILED'],
] as const)
  test(`a quote that is executed until it is ${status}`, verifies(...PLAIN), async ({ given, need }) => {
    const customer = await given.customer({ executionFails });
    const { quote } = await customer.mustCreate();
    need(await customer.execute(quote.id)).available();
    await customer.until(quote.id, (seen) => seen.status === status);
  });

test('a quote that expired', movesClock(verifies(...PLAIN)), async ({ given, clock, need }) => {
  const customer = await given.customer();
  const { quote } = await customer.mustCreate();
  await customer.mustRead(quote.id);
  await clock.advance(Math.ceil(lifetimeOf(quote, need)) + 1, customer.state.customerId);
  await customer.read(quote.id, 'reading the quote after expiresAt');
});

test('a quote that needs no rate', verifies(...PLAIN), async ({ given }) => {
  await (await given.quoteSource({ currency: 'USD', destinationCurrency: 'USD' })).mustCreate();
});

for (const kind of ['ACCOUNT', 'REALTIME_FUNDING'] as const)
  test(
    `a quote from ${kind} that waits for authorization, and then does not`,
    verifies(...OF_QUOTES.filter((id) => kind === 'REALTIME_FUNDING' || !FUNDED(id))),
    async ({ given, need }) => {
      const customer = await given.scaCustomer({ kind, challenges: 2 });
      const created = await mustAwait(customer);
      await customer.mustRead(created.quote.id);
      const { end, says } = await customer.authorizeAll(created);
      need.that(end === 'left', says);
      await customer.mustRead(created.quote.id);
    },
  );

test('a quote that the payer funds', verifies(...OF_QUOTES.filter(FUNDED)), async ({ given }) => {
  const customer = await given.quoteSource({ kind: 'REALTIME_FUNDING' });
  const { quote } = await customer.mustCreate();
  await customer.mustRead(quote.id);
});

// One test for each: a type that cannot be prepared leaves none of the others out.
for (const accountType of ACCOUNT_TYPES)
  test(
    `payment instructions of ${accountType}`,
    verifies(...OF_INSTRUCTIONS),
    async ({ given, need, observe }) => {
      const customer = await given.quoteSource({ kind: 'REALTIME_FUNDING', accountType });
      const label = `a quote funded through ${accountType}`;
      const { quote, answer } = await customer.mustCreate({}, label);
      // What is no list is the shape's own rule.
      const told = Array.isArray(quote.paymentInstructions) ? quote.paymentInstructions : [];
      const infos = told.map((one) => one.accountOrWalletInfo);
      need.offered(infos.length > 0, 'the quote came without payment instructions');
      const fields = infos.flatMap((info) => (typeof info === 'object' ? Object.keys(info) : []));
      observe('account-info-variant-fields', { [accountType]: [...new Set(fields)].sort() }, answer);
    },
  );
