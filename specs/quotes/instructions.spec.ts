import { enumOf } from '../../schemas/values.ts';
import { ruleOf } from '../../schemas/rules.ts';
import { shapeRules } from '../../schemas/shape-rules.ts';
import { expect, test, verifies } from '../../suite/index.ts';
import { mustQuote } from './support/must-quote.ts';

/** Every answer is held against its object wherever it comes up; here each account type comes up once. */
const RULES = [
  'QUOTE-PAYMENT-INSTRUCTIONS',
  ...shapeRules('PaymentInstructions').filter((id) => ruleOf(id).area === 'quotes'),
];
const TYPES = enumOf('PaymentAccountType');
/** Types of one test: few enough for a slow target, many enough to be quick on a fast one. */
const GROUP = 7;

for (let start = 0; start < TYPES.length; start += GROUP) {
  const group = TYPES.slice(start, start + GROUP);
  test(
    `payment instructions of ${group.join(', ')}`,
    verifies(...RULES),
    async ({ given, check, need, observe }) => {
      for (const accountType of group) {
        const customer = await given.quoteSource({ kind: 'REALTIME_FUNDING', accountType });
        const { quote, answer } = await mustQuote(
          need,
          customer,
          {},
          `a quote funded through ${accountType}`,
        );
        const infos = (quote.paymentInstructions ?? []).map((one) => one.accountOrWalletInfo);
        need.offered(
          infos.length > 0,
          `the quote funded through ${accountType} came without payment instructions`,
        );
        await check('INSTRUCTIONS-ACCOUNT-TYPE', () => {
          for (const info of infos) expect(TYPES).toContain(info?.accountType);
        });
        const fields = infos.flatMap((info) => (typeof info === 'object' ? Object.keys(info) : []));
        observe('account-info-variant-fields', { [accountType]: [...new Set(fields)].sort() }, answer);
      }
    },
  );
}
