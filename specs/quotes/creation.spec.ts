import { expect, test, verifies } from '../../suite/index.ts';
import { bodyOf, mustQuote } from '../support/quotes.ts';

type Side = Readonly<Record<string, unknown>> | undefined;

const KINDS = ['ACCOUNT', 'REALTIME_FUNDING'] as const;
const DESTINATIONS = ['ACCOUNT', 'UMA_ADDRESS'] as const;

test(
  'a well-formed request for a quote is accepted',
  verifies('QUOTE-CREATE-ACCEPTED'),
  async ({ given, check, observe, profile }) => {
    const customer = await given.customer();
    const answer = await customer.create();
    await check('QUOTE-CREATE-ACCEPTED', () => expect(answer).toBeAccepted(), bodyOf(profile));
    observe('quote-create-status', answer);
    if (answer.exchange.response && answer.accepted)
      observe('quote-request-body', Object.keys(customer.state.body).sort().join(', '), answer);
  },
);

for (const kind of KINDS)
  for (const destinationKind of DESTINATIONS)
    test(
      `a quote from ${kind} to ${destinationKind} is accepted and says so`,
      verifies('QUOTE-CREATE-ACCEPTED', 'QUOTE-SOURCE-KIND', 'QUOTE-DESTINATION-KIND'),
      async ({ given, check, need, observe, profile }) => {
        const customer = await given.quoteSource({ kind, destinationKind });
        const answer = await customer.create({}, { label: `a quote from ${kind} to ${destinationKind}` });
        await check('QUOTE-CREATE-ACCEPTED', () => expect(answer).toBeAccepted(), bodyOf(profile));
        need(answer).accepted();
        const { quote } = need.offered(
          customer.sighting(answer),
          'no quote could be recognised in the answer',
        );
        const { source, destination } = customer.state.body as { source?: Side; destination?: Side };
        await check('QUOTE-SOURCE-KIND', () => expect(quote.source?.sourceType).toBe(source?.['sourceType']));
        await check('QUOTE-DESTINATION-KIND', () =>
          expect(quote.destination?.destinationType).toBe(destination?.['destinationType']),
        );
        observe('quote-source-fields', { [kind]: keysOf(quote.source) }, answer);
        observe('quote-destination-fields', { [destinationKind]: keysOf(quote.destination) }, answer);
      },
    );

test(
  'what becomes of a quote that locks the amount received',
  verifies('QUOTE-CREATE-ACCEPTED'),
  async ({ given, need, observe }) => {
    const customer = await given.customer();
    need(await customer.create({}, { label: 'a quote that locks the amount sent' })).accepted();
    const receiving = await customer.create(
      { lockedCurrencySide: 'RECEIVING' },
      { label: 'a quote that locks the amount received' },
    );
    // The interface does not show that a side can be chosen.
    observe('quote-locked-side', receiving);
  },
);

test(
  'what a quote shows about the counterparty',
  verifies('QUOTE-COUNTERPARTY-INFORMATION-FORM'),
  async ({ given, need, observe }) => {
    for (const destinationKind of DESTINATIONS) {
      const customer = await given.quoteSource({ destinationKind });
      const { quote, answer } = await mustQuote(need, customer);
      const keys =
        quote.counterpartyInformation === undefined ? 'absent' : keysOf(quote.counterpartyInformation);
      observe('counterparty-information-keys', { [destinationKind]: keys }, answer);
    }
  },
);

function keysOf(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value).sort() : [];
}
