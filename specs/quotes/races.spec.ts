import fc from 'fast-check';
import { eventually, expect, survey, test, verifies, type Answer } from '../../suite/index.ts';
import { race } from '../../suite/concurrent-calls.ts';
import { balanceOf, openingBalanceOf } from '../support/quotes.ts';

/** Races of one kind at standard depth. */
const RACES = 4;
/** How long to look at least for money that must not leave, in milliseconds. */
const WATCH_MS = 200;

test(
  'a quote that is executed several times at once is paid once',
  verifies('QUOTE-DEBIT-IS-TOTAL'),
  async ({ given, check }) => {
    given.unshared('prepared accounts are shared between tests');
    await survey(
      check,
      fc.integer({ min: 2, max: 6 }),
      async (count, on) => {
        const found = await race(async () => {
          const customer = await given.customer();
          const before = await openingBalanceOf(customer);
          const { quote } = await customer.mustCreate();
          return {
            records: { customer, before, quote },
            calls: Array.from({ length: count }, (_, at) => at),
            send: (at: number) =>
              customer.execute(quote.id, { label: `executing the quote, ${at + 1} of ${count}` }),
          };
        });
        const { records, history } = on.must(found, 'the calls did not overlap');
        const answers: Answer[] = history.map(({ answer }) => on.told(answer));
        on.must(
          answers.some((answer) => answer.exchange.response && answer.accepted),
          'no execution was taken',
        );
        const { customer, before, quote } = records;
        const total = on.must(quote.totalSendingAmount, 'the quote tells no totalSendingAmount');
        const taken = (after: { readonly amount: number }) => before.amount - after.amount;
        const until = (least: number, ms: number) =>
          eventually(
            () => balanceOf(customer),
            (after) => taken(after) >= least,
            ms,
          );
        const once = await until(total, customer.patienceMs);
        on.must(taken(once) >= total, 'the money did not leave in time');
        const after = await until(total + 1, WATCH_MS);
        on.told(after.answer);
        await on.hold(
          'QUOTE-DEBIT-IS-TOTAL',
          () => expect(taken(after), `what left the account after ${count} executions at once`).toBe(total),
          [...answers, after.answer],
        );
      },
      { runs: RACES },
    );
  },
);
