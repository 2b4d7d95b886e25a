import type { Need, Profile, QuoteCustomer, QuoteSighting } from '../../../suite/index.ts';
import type { DialectAssumption } from '../../../target/dialect/keys.ts';

/** A state promises a legal body of POST /quotes; with public calls it is the usual one, as the interface shows none. */
export function bodyOf({ preparation }: Profile): { readonly assumes: readonly DialectAssumption[] } {
  return { assumes: preparation === 'public-calls' ? ['bodies.createQuote'] : [] };
}

/** A quote that was created as preparation. What fails here accuses nobody. */
export async function mustQuote(
  need: Need,
  customer: QuoteCustomer,
  changes: Readonly<Record<string, unknown>> = {},
  label = 'creating a quote',
): Promise<QuoteSighting> {
  const answer = await customer.create(changes, { label });
  need(answer).accepted();
  return need.offered(
    customer.sighting(answer),
    'no quote could be recognised in the answer to its creation',
  );
}

/** A read of the quote, which the interface does not give an operation for. */
export async function mustRead(
  need: Need,
  customer: QuoteCustomer,
  quoteId: unknown,
): Promise<QuoteSighting> {
  const answer = await customer.read(quoteId);
  need(answer).available();
  return need.offered(customer.sighting(answer), 'no quote could be recognised in the read');
}
