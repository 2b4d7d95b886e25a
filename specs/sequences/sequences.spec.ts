import { sequences } from '../../generators/steps.ts';
import { survey, test, verifies } from '../../suite/index.ts';
import { openingBalanceOf } from '../support/quotes.ts';
import { holdsPendingFunds, SourceAccount } from '../support/source-account.ts';
import { ACTION_RULES, ACTION_STEPS, ActionModel } from './models/action-model.ts';
import { CREDENTIAL_RULES, CREDENTIAL_STEPS, CredentialModel } from './models/credential-model.ts';
import { QUOTE_RULES, QUOTE_STEPS, QuoteModel, SCA_QUOTE_RULES } from './models/quote-model.ts';
import { THRESHOLD } from '../support/actions.ts';

const RUNS = 6;

test(
  "whatever is done in whatever order, an agent's actions and money are as the transitions say",
  verifies(...ACTION_RULES),
  async ({ given, check, platform, clock }) => {
    given.unshared('prepared agents and accounts are shared between tests');
    const first = await given.agent({ approvalThreshold: THRESHOLD });
    const holdsPending = await holdsPendingFunds(first);

    await survey(
      check,
      sequences(ACTION_STEPS),
      async (steps, on) => {
        const agent = await given.agent({ approvalThreshold: THRESHOLD });
        const account = await SourceAccount.of(agent);
        const other = await given.agent();
        const offset = await clock.offset(agent.state);
        const model = new ActionModel({ agent, platform, account, other, offset, holdsPending }, on);
        for (const step of steps) await model.take(step);
        await model.end();
      },
      { runs: 6 },
    );
  },
);

test(
  'whatever is done in whatever order, an account has the credentials and sessions that it should',
  verifies(...CREDENTIAL_RULES),
  async ({ given, check, profile }) => {
    given.unshared('prepared wallets are shared between tests');
    given.mustProve('OAUTH');
    const { session: foreign } = await given.signedIn();

    await survey(
      check,
      sequences(CREDENTIAL_STEPS),
      async (steps, on) => {
        const model = new CredentialModel({ ...(await given.signedIn('OAUTH')), foreign, profile }, on);
        // Shows that this target reads our stamps, so that refusing a wrong one says something.
        await model.take({ do: 'register PASSKEY', which: 0, what: 0 });
        for (const step of steps) await model.take(step);
      },
      { runs: 5 },
    );
  },
);

test(
  'whatever is done in whatever order, quotes keep their terms and are paid once',
  verifies(...QUOTE_RULES),
  async ({ given, need, check }) => {
    given.unshared('prepared accounts are shared between tests');
    await survey(
      check,
      sequences(QUOTE_STEPS),
      async (steps, on) => {
        const customer = await given.customer();
        const { amount: opening } = await openingBalanceOf(customer);
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
  async ({ given, need, check }) => {
    given.unshared('prepared customers are shared between tests');
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
