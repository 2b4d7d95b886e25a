import { expect, pay, test, verifies, type Given, type Need, type Payment } from '../../suite/index.ts';
import { mustBeAnswered, mustCountAs, mustPay } from '../support/quotes.ts';

/** Daily volume in this file, in the smallest unit of the sending currency. */
const VOLUME = 60_000;
const FIRST = VOLUME * 0.6;
const CODE = 'DAILY_VOLUME_LIMIT_EXCEEDED';

test(
  'the payment that takes the day over its volume is refused with 429',
  verifies('LIMIT-DAILY-VOLUME'),
  async ({ given, need, check, observe }) => {
    const free = await given.customer();
    mustPay(need, await pay(free, FIRST, 'a payment without this limit'));
    mustPay(need, await pay(free, FIRST, 'a second payment without this limit'));

    let day = await spendTooMuch(given, need);
    // The day may have ended between the two, wherever the target's days end. It does not end twice in a row.
    if (day.over.outcome === 'executed') day = await spendTooMuch(given, need);
    mustBeAnswered(need, day.over);
    const { last } = day.over;
    observe(
      'daily-volume-body',
      {
        code: last.exchange.response ? (last.code ?? 'none') : 'no answer',
        retryAfter: last.header('retry-after') ?? 'absent',
      },
      last,
    );

    // A 429 may also be a limit on requests: one that ends while the day's sum stays what it is.
    const small = await pay(day.customer, 1_000, 'a small payment that stays within the volume');
    need(small.quoted).accepted();
    const { status, code } = last;
    // The body of a 429 is not shown: a code is looked at where there is one.
    const named = status !== 429 || code === undefined || code === CODE;
    await check('LIMIT-DAILY-VOLUME', () => expect(last).toBeRefused(429));
    await check(
      'LIMIT-DAILY-VOLUME',
      () => expect(named, `the code of the 429: ${code} in place of ${CODE}`).toBe(true),
      [small.quoted],
    );
  },
);

test(
  'payments within the daily volume are not refused for it',
  verifies('LIMIT-DAILY-VOLUME-BELOW'),
  async ({ given, need, check }) => {
    const free = await given.customer();
    const amounts = [FIRST, VOLUME * 0.4 - 1_000];
    for (const amount of amounts) {
      const control = await pay(free, amount, 'a payment without this limit');
      mustPay(need, control);
      mustCountAs(need, control, amount);
    }
    const customer = await given.customer({ limits: { dailyVolume: VOLUME } });
    for (const amount of amounts) {
      const payment = await pay(customer, amount, 'a payment that stays within the volume of the day');
      await check(
        'LIMIT-DAILY-VOLUME-BELOW',
        () => {
          for (const answer of new Set([payment.quoted, payment.last])) expect(answer).toBeAccepted();
          expect(payment.outcome, 'what the payment came to').not.toBe('not executed');
        },
        [payment.quoted, payment.last],
      );
    }
  },
);

test('what exactly the daily volume gets', async ({ given, need, observe }) => {
  const customer = await given.customer({ limits: { dailyVolume: VOLUME } });
  const first = await pay(customer, FIRST, 'the first payment of the day');
  need(first.quoted).available();
  const equal = await pay(customer, VOLUME - FIRST, 'a payment up to exactly the daily volume');
  observe(
    'daily-volume-equal',
    equal.outcome === 'executed' ? 'not refused' : equal.last.outcome,
    equal.last,
  );
});

async function spendTooMuch(
  given: Given,
  need: Need,
): Promise<{ customer: Awaited<ReturnType<Given['customer']>>; over: Payment }> {
  const customer = await given.customer({ limits: { dailyVolume: VOLUME } });
  mustPay(need, await pay(customer, FIRST, 'the first payment of the day'));
  return { customer, over: await pay(customer, FIRST, 'a payment beyond the daily volume') };
}
