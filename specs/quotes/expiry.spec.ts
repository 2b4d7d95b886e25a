import {
  expect,
  movesClock,
  test,
  verifies,
  type Given,
  type Need,
  type QuoteCustomer,
} from '../../suite/index.ts';
import { lifetimeOf, mustQuote } from '../support/quotes.ts';

/** Lifetimes that a target may be asked to give its quotes, in seconds; undefined leaves it the usual one. */
const LIFETIMES = [undefined, 120, 7_200] as const;
/** Seconds before and after expiresAt at which an execution is tried. Both times are the target's own. */
const BEFORE_SECONDS = 20;
const AFTER_SECONDS = 5;

test(
  'a quote expires after its creation, not before',
  verifies('QUOTE-EXPIRES-AFTER-CREATION'),
  async ({ given, check, need }) => {
    const { quote } = await mustQuote(need, await given.customer());
    const at = (text: unknown) => Date.parse(String(text));
    await check('QUOTE-EXPIRES-AFTER-CREATION', () =>
      expect(
        at(quote.expiresAt) - at(quote.createdAt),
        'milliseconds from creation to expiry',
      ).toBeGreaterThan(0),
    );
  },
);

for (const expiresInSeconds of LIFETIMES) {
  const which = expiresInSeconds === undefined ? 'a usual quote' : `a quote of ${expiresInSeconds} s`;

  test(
    `${which} can be executed shortly before expiresAt`,
    movesClock(verifies('QUOTE-EXECUTABLE-UNTIL-EXPIRY')),
    async ({ given, check, clock, need, observe }) => {
      const customer = await customerWhoseQuotesLast(expiresInSeconds, given, need);
      const { customerId } = customer.state;
      const { quote, answer } = await mustQuote(need, customer);
      const lifetime = lifetimeOf(quote, need);
      observe('quote-validity', `${Math.round(lifetime)} s`, answer);
      need.offered(
        lifetime > 2 * BEFORE_SECONDS,
        `a lifetime of ${lifetime} s is too short to measure its end`,
      );
      await clock.advance(Math.floor(lifetime) - BEFORE_SECONDS, customerId);
      const late = await customer.execute(quote.id, {
        label: `executing ${BEFORE_SECONDS} s before expiresAt`,
      });
      const after = customer.sighting(late);
      await check('QUOTE-EXECUTABLE-UNTIL-EXPIRY', () => {
        expect(late).toBeAccepted();
        expect(after?.quote.status).not.toBe('EXPIRED');
      });
    },
  );

  test(
    `${which} cannot be executed after expiresAt`,
    movesClock(verifies('QUOTE-EXPIRED-NOT-EXECUTABLE')),
    async ({ given, check, clock, need, observe }) => {
      const customer = await customerWhoseQuotesLast(expiresInSeconds, given, need);
      const { customerId } = customer.state;
      const { quote } = await mustQuote(need, customer);
      await clock.advance(Math.ceil(lifetimeOf(quote, need)) + AFTER_SECONDS, customerId);
      const read = customer.sighting(await customer.read(quote.id));
      if (read) observe('quote-status-after-expiry', read.quote.status ?? 'none', read.answer);
      const late = await customer.execute(quote.id, {
        label: `executing ${AFTER_SECONDS} s after expiresAt`,
      });
      observe('quote-expired-execute-answer', late);
      const { outcome, answers } = await customer.outcome(late, quote.id);
      need.that(outcome !== 'unknown', 'what the execution came to could not be seen');
      await check('QUOTE-EXPIRED-NOT-EXECUTABLE', () => expect(outcome).toBe('not executed'), answers);
    },
  );
}

/** The control: executed at once, a quote of this customer is paid. */
async function customerWhoseQuotesLast(
  expiresInSeconds: number | undefined,
  given: Given,
  need: Need,
): Promise<QuoteCustomer> {
  const customer = await given.customer();
  const { customerId } = customer.state;
  if (expiresInSeconds !== undefined) await given.state('quote-expiry', { customerId, expiresInSeconds });
  const { quote } = await mustQuote(need, customer);
  need(await customer.execute(quote.id, { label: 'executing a quote at once' })).available();
  return customer;
}
