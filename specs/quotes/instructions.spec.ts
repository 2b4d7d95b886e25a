import { enumOf } from '../../schemas/values.ts';
import { ruleOf } from '../../schemas/rules.ts';
import { shapeRules } from '../../schemas/shape-rules.ts';
import { test, verifies } from '../../suite/index.ts';
import { mustQuote } from '../support/quotes.ts';

/** Every answer is held against its object wherever it comes up; here each account type comes up once, without a check. */
const RULES = [
  'QUOTE-PAYMENT-INSTRUCTIONS',
  ...shapeRules('PaymentInstructions').filter((id) => ruleOf(id).area === 'quotes'),
];
const TYPES = enumOf('PaymentAccountType');

// One test for each: a type that cannot be prepared leaves none of the others out.
for (const accountType of TYPES)
  test(`payment instructions of ${accountType}`, verifies(...RULES), async ({ given, need, observe }) => {
    const customer = await given.quoteSource({ kind: 'REALTIME_FUNDING', accountType });
    const label = `a quote funded through ${accountType}`;
    const { quote, answer } = await mustQuote(need, customer, {}, label);
    // What is no list is the shape's own rule.
    const told = Array.isArray(quote.paymentInstructions) ? quote.paymentInstructions : [];
    const infos = told.map((one) => one.accountOrWalletInfo);
    need.offered(infos.length > 0, 'the quote came without payment instructions');
    const fields = infos.flatMap((info) => (typeof info === 'object' ? Object.keys(info) : []));
    observe('account-info-variant-fields', { [accountType]: [...new Set(fields)].sort() }, answer);
  });
