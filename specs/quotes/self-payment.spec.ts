import { expect, test, verifies } from '../../suite/index.ts';
import { mustQuote } from '../support/quotes.ts';

test(
  'a payment of an account to itself does not come about',
  verifies('QUOTE-SELF-PAYMENT'),
  async ({ given, check, need, observe }) => {
    const customer = await given.customer();
    const control = await mustQuote(need, customer, {}, 'a quote to another account');
    need(await customer.execute(control.quote.id)).available();
    const accountId = need.offered(
      customer.state.sourceAccountId,
      'the state does not tell the source account, so nothing can be paid to it',
    );
    const answer = await customer.create(
      { destination: { destinationType: 'ACCOUNT', accountId } },
      { label: 'a quote from an account to itself' },
    );
    observe('self-payment-answer', answer.code ?? answer.outcome, answer);
    const seen = customer.sighting(answer);
    if (!seen) {
      await check('QUOTE-SELF-PAYMENT', () => expect(answer).toBeRefused());
      return;
    }
    // It may be refused as late as at its execution.
    const executed = await customer.execute(seen.quote.id, { label: 'executing the payment to itself' });
    const { outcome, answers } = await customer.outcome(executed, seen.quote.id);
    need.that(outcome !== 'unknown', 'what the execution came to could not be seen');
    await check('QUOTE-SELF-PAYMENT', () => expect(outcome).toBe('not executed'), answers);
  },
);
