import { sequences } from '../../generators/steps.ts';
import { survey, test, verifies } from '../../suite/index.ts';
import { balanceOf } from '../support/quotes.ts';
import { QuoteModel, QUOTE_RULES, QUOTE_STEPS, SCA_QUOTE_RULES } from './models/quote-model.ts';

const RUNS = 6;

test(
  'whatever is done in whatever order, quotes keep their terms and are paid once',
  verifies(...QUOTE_RULES),
  async ({ given, need, check, profile }) => {
    need.offered(profile.preparation !== 'fixtures', 'prepared accounts are shared between tests');
    await survey(
      check,
      sequences(QUOTE_STEPS),
      async (steps, on) => {
        const customer = await given.customer();
        const { amount: opening } = await balanceOf(customer, need);
        const model = new QuoteModel({ customer, opening, need }, on);
        for (const step of steps) await model.take(step);
      },
      { runs: RUNS },
    );
  },
);

test(
  'whatever is done in whatever order, no quote is executed before it is authorized',
  verifies(...SCA_QUOTE_RULES),
  async ({ given, need, check, profile }) => {
    need.offered(profile.preparation !== 'fixtures', 'prepared customers are shared between tests');
    await survey(
      check,
      sequences(QUOTE_STEPS),
      async (steps, on) => {
        const sca = await given.scaCustomer({ challenges: 2 });
        const model = new QuoteModel({ customer: sca, sca, need }, on);
        for (const step of steps) await model.take(step);
      },
      { runs: RUNS },
    );
  },
);
