import { expect, pay, test, verifies, type Given, type Need, type QuoteCustomer } from '../../suite/index.ts';
import { mustBeAnswered, mustPay } from '../support/quotes.ts';

/** Payments to one counterparty in a day, in this file. */
const PAYMENTS = 2;
const AMOUNT = 10_000;
const CODE = 'VELOCITY_LIMIT_EXCEEDED';

test(
  'a counterparty beyond its velocity limit is refused with 403',
  verifies('LIMIT-VELOCITY'),
  async ({ given, need, check }) => {
    const free = await given.customer();
    for (let turn = 0; turn <= PAYMENTS; turn += 1)
      mustPay(need, await pay(free, AMOUNT, 'a payment without this limit'));
    const pastIt = async () => {
      const customer = await upToTheLimit(given, need);
      return pay(customer, AMOUNT, 'one payment more than the counterparty may get');
    };
    let over = await pastIt();
    // The period may have ended in between. It does not end twice in a row.
    if (over.outcome === 'executed') over = await pastIt();
    mustBeAnswered(need, over);
    await check('LIMIT-VELOCITY', () => {
      expect(over.last).toBeRefused(403);
      expect(over.last).toHaveCode(CODE);
    });
  },
);

test(
  'a counterparty within its velocity limit is not refused for it',
  verifies('LIMIT-VELOCITY-BELOW'),
  async ({ given, need, check }) => {
    const free = await given.customer();
    for (let turn = 1; turn <= PAYMENTS; turn += 1)
      mustPay(need, await pay(free, AMOUNT, 'a payment without this limit'));
    const customer = await given.customer({ limits: { velocity: PAYMENTS } });
    for (let turn = 1; turn <= PAYMENTS; turn += 1) {
      const within = await pay(
        customer,
        AMOUNT,
        `payment ${turn} of ${PAYMENTS} that the counterparty may get`,
      );
      await check(
        'LIMIT-VELOCITY-BELOW',
        () => {
          for (const answer of new Set([within.quoted, within.last])) expect(answer).toBeAccepted();
          expect(within.outcome, 'what the payment came to').not.toBe('not executed');
        },
        [within.quoted, within.last],
      );
    }
  },
);

async function upToTheLimit(given: Given, need: Need): Promise<QuoteCustomer> {
  const customer = await given.customer({ limits: { velocity: PAYMENTS } });
  for (let turn = 1; turn <= PAYMENTS; turn += 1)
    mustPay(
      need,
      await pay(customer, AMOUNT, `payment ${turn} of ${PAYMENTS} that the counterparty may get`),
    );
  return customer;
}
