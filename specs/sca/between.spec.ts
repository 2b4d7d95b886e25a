import { expect, test, verifies, WAITING } from '../../suite/index.ts';
import { mustWait } from '../support/sca.ts';

for (const challenges of [2, 3])
  test(
    `the first of ${challenges} authorizations does not release the quote`,
    verifies('SCA-STATUS-KEPT-BETWEEN'),
    async ({ given, check, need }) => {
      const customer = await given.scaCustomer({ challenges });
      const start = await mustWait(need, customer);
      const first = await customer.prove(start.quote.id, start.challenge, {
        label: 'authorizing challenge 1',
      });
      need(need.offered(first, 'the challenge cannot be proved here')).accepted();
      const between = need.offered(
        first && (await customer.look(first, start.quote.id)),
        'the quote could not be seen again',
      );
      // How many there are may change; only a state that says so has promised that more than one is needed.
      const promised = customer.state.challenges;
      const more = promised !== undefined && promised > 1;
      need.offered(more || between.quote.status === WAITING, 'one authorization may have been enough');
      if (more) await check('SCA-STATUS-KEPT-BETWEEN', () => expect(between.quote.status).toBe(WAITING));
      if (between.quote.status !== WAITING) return;
      const early = await customer.execute(start.quote.id, { label: 'executing between two authorizations' });
      const { outcome, answers } = await customer.outcome(early, start.quote.id);
      need.that(outcome !== 'unknown', 'what the execution came to could not be seen');
      await check(
        'SCA-STATUS-KEPT-BETWEEN',
        () => expect(outcome, 'the execution between two authorizations').toBe('not executed'),
        answers,
      );
    },
  );
