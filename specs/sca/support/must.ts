import {
  WAITING,
  type Answer,
  type Need,
  type QuoteSighting,
  type ScaCustomer,
  type SeenChallenge,
} from '../../../suite/index.ts';

/**
 * A quote as far as it goes without a proof. Where the waiting begins is not shown: a quote that does not wait when it is
 * created may come to wait when it is executed.
 *
 * @param created the answer to its creation, or what to call it
 */
export async function goneAsFarAsCan(
  need: Need,
  customer: ScaCustomer,
  created: string | Answer = 'creating a quote',
): Promise<QuoteSighting> {
  const answer = typeof created === 'string' ? await customer.create({}, { label: created }) : created;
  need(answer).accepted();
  const first = need.offered(
    customer.sighting(answer),
    'no quote could be recognised in the answer to its creation',
  );
  if (first.quote.status !== 'PENDING') return first;
  const executed = await customer.execute(first.quote.id, {
    label: 'executing the quote, which may then wait for authorization',
  });
  return (await customer.look(executed, first.quote.id)) ?? first;
}

/** A quote that waits for authorization, created as preparation. What fails here accuses nobody. */
export async function mustWait(
  need: Need,
  customer: ScaCustomer,
  label = 'creating a quote',
): Promise<QuoteSighting & { readonly challenge: SeenChallenge }> {
  const seen = await goneAsFarAsCan(need, customer, label);
  need.that(seen.quote.status === WAITING, 'the quote does not wait for authorization');
  const challenge = need.that(seen.quote.scaChallenge, 'the quote shows no challenge');
  return { ...seen, challenge };
}

/** The control of every refused proof: a quote of the same customer, authorized to its end. */
export async function mustAuthorize(need: Need, customer: ScaCustomer): Promise<QuoteSighting> {
  const { end, says, last } = await customer.authorizeAll(
    await mustWait(need, customer, 'a quote to be authorized'),
  );
  need.that(end === 'left', says);
  return last;
}

/** The quote as it is now: in the answer, where it is there, else in a read. */
export async function nowOf(
  need: Need,
  customer: ScaCustomer,
  answer: Answer,
  quoteId: unknown,
): Promise<QuoteSighting> {
  return need.offered(await customer.look(answer, quoteId), 'the quote could not be seen again');
}
