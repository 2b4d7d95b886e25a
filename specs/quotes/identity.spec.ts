import { expect, test, verifies, type QuoteSighting } from '../../suite/index.ts';
import { folded } from '../../suite/same-id.ts';
import { mustWait } from '../support/sca.ts';
import { mustQuote, mustRead } from '../support/quotes.ts';

const RULES = verifies('QUOTE-ID-STABLE', 'QUOTE-TRANSACTION-ID-STABLE');

test('a quote keeps its id and its transaction in every read', RULES, async ({ given, check, need }) => {
  const customer = await given.customer();
  const created = await mustQuote(need, customer);
  const read = await mustRead(need, customer, created.quote.id);
  await check('QUOTE-ID-STABLE', () => expect(folded(read.quote.id)).toBe(folded(created.quote.id)));
  await check('QUOTE-TRANSACTION-ID-STABLE', () => expect(transactionOf(read)).toBe(transactionOf(created)));
});

test(
  'a quote keeps its id and its transaction through its execution',
  RULES,
  async ({ given, check, need }) => {
    const customer = await given.customer();
    const created = await mustQuote(need, customer);
    const executed = await customer.execute(created.quote.id);
    need(executed).available();
    const shown = [customer.sighting(executed), customer.sighting(await customer.read(created.quote.id))];
    const sightings = shown.filter((one) => one !== undefined);
    need.offered(sightings.length > 0, 'no quote could be recognised after the execution');
    for (const seen of sightings) {
      await check('QUOTE-ID-STABLE', () => expect(folded(seen.quote.id)).toBe(folded(created.quote.id)));
      await check('QUOTE-TRANSACTION-ID-STABLE', () =>
        expect(transactionOf(seen)).toBe(transactionOf(created)),
      );
    }
  },
);

test(
  'a quote keeps its id and its transaction through its authorization',
  RULES,
  async ({ given, check, need }) => {
    const customer = await given.scaCustomer({ challenges: 2 });
    const created = await mustWait(need, customer);
    const { steps } = await customer.authorizeAll(created);
    const sightings = steps.map(({ after }) => after).filter((one) => one !== undefined);
    need.that(sightings.length > 0, 'nothing was authorized');
    for (const seen of sightings) {
      await check('QUOTE-ID-STABLE', () => expect(folded(seen.quote.id)).toBe(folded(created.quote.id)));
      await check('QUOTE-TRANSACTION-ID-STABLE', () =>
        expect(transactionOf(seen)).toBe(transactionOf(created)),
      );
    }
  },
);

function transactionOf({ quote }: QuoteSighting): unknown {
  return folded(quote.transactionId);
}
