import { expect, pay, test, verifies, type Answer } from '../../suite/index.ts';
import { mustBeAnswered, mustCountAs, mustPay } from '../support/quotes.ts';

/** Maximum of a single transaction in this file, in the smallest unit of the sending currency. */
const MAXIMUM = 40_000;
const CODE = 'TRANSACTION_SIZE_LIMIT_EXCEEDED';

for (const [much, amount] of [
  ['one unit', MAXIMUM + 1],
  ['far', MAXIMUM * 4],
] as const)
  test(
    `a payment ${much} above the maximum of a single transaction is refused`,
    verifies('LIMIT-TRANSACTION-SIZE'),
    async ({ given, need, check }) => {
      const customer = await given.customer({ limits: { transactionSize: MAXIMUM } });
      const within = await pay(customer, MAXIMUM / 2, 'half of the maximum');
      mustPay(need, within);
      const free = await given.customer();
      mustPay(need, await pay(free, amount, 'the same amount, where this maximum is not configured'));
      const over = await pay(customer, amount, `an amount ${much} above the maximum`);
      mustBeAnswered(need, over);
      await check('LIMIT-TRANSACTION-SIZE', () => expectRefusal(over.last));
    },
  );

test(
  'a payment of exactly the maximum is not refused for it',
  verifies('LIMIT-TRANSACTION-SIZE-EQUAL'),
  async ({ given, need, check, observe }) => {
    const customer = await given.customer({ limits: { transactionSize: MAXIMUM } });
    const within = await pay(customer, MAXIMUM / 2, 'half of the maximum');
    mustPay(need, within);
    mustCountAs(need, within, MAXIMUM / 2);
    mustPay(
      need,
      await pay(await given.customer(), MAXIMUM, 'the same amount, where no maximum is configured'),
    );
    const equal = await pay(customer, MAXIMUM, 'exactly the maximum');
    await check(
      'LIMIT-TRANSACTION-SIZE-EQUAL',
      () => {
        for (const answer of new Set([equal.quoted, equal.last])) expect(answer).toBeAccepted();
        expect(equal.outcome, 'what the payment came to').not.toBe('not executed');
      },
      [equal.quoted, equal.last],
    );
    observe('limit-values', { maximum: MAXIMUM, exactly: equal.outcome }, equal.last);
  },
);

function expectRefusal(answer: Answer): void {
  expect(answer).toBeRefused(400);
  expect(answer).toHaveCode(CODE);
}
