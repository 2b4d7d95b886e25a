import { expect, movesClock, test, verifies, type QuoteSighting } from '../../suite/index.ts';
import { lifetimeOf, mustQuote, mustRead } from '../support/quotes.ts';

const LOCKED = ['exchangeRate', 'totalSendingAmount', 'totalReceivingAmount'] as const;
const RULES = ['QUOTE-RATE-LOCKED', 'QUOTE-FEES-LOCKED'] as const;
/** A share of the lifetime that certainly lies before its end. */
const LATE = 0.8;

test(
  'every read of a quote shows its rate, its amounts and its fees',
  verifies(...RULES),
  async ({ given, check, need }) => {
    const customer = await given.customer();
    const created = await mustQuote(need, customer);
    for (let count = 0; count < 3; count += 1) {
      const read = await mustRead(need, customer, created.quote.id);
      await check('QUOTE-RATE-LOCKED', () => expect(termsOf(read)).toEqual(termsOf(created)));
      await check('QUOTE-FEES-LOCKED', () => expect(feesOf(read)).toEqual(feesOf(created)));
    }
  },
);

test(
  'the rate, the amounts and the fees still hold shortly before the quote expires',
  movesClock(verifies(...RULES)),
  async ({ given, check, clock, need }) => {
    const customer = await given.customer();
    const created = await mustQuote(need, customer);
    await mustRead(need, customer, created.quote.id);
    await clock.advance(Math.floor(lifetimeOf(created.quote, need) * LATE), customer.state.customerId);
    // Another quote in between may bring another rate; this one keeps its own.
    await customer.create({}, { label: 'a later quote of the same transfer' });
    const read = await mustRead(need, customer, created.quote.id);
    await check('QUOTE-RATE-LOCKED', () => expect(termsOf(read)).toEqual(termsOf(created)));
    await check('QUOTE-FEES-LOCKED', () => expect(feesOf(read)).toEqual(feesOf(created)));
  },
);

function termsOf({ quote }: QuoteSighting): Readonly<Record<string, unknown>> {
  return Object.fromEntries(LOCKED.map((name) => [name, quote[name]]));
}

function feesOf({ quote }: QuoteSighting): unknown {
  return quote.feesIncluded;
}
