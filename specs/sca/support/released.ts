import type { Answer, Need, QuoteSighting, ScaCustomer } from '../../../suite/index.ts';

/** Statuses of a quote that runs, so that its last authorization was taken. */
const RUNS = new Set<unknown>(['PROCESSING', 'COMPLETED']);

/** Whether a quote was released, and the answers that show it. */
export interface Release {
  readonly released: boolean;
  readonly answers: readonly Answer[];
}

/**
 * Whether the last authorization of a quote was taken. What a wrong or late proof does to a quote is not shown: where the
 * waiting begins with the execution, it may be PENDING again and wait anew as soon as it is executed. So of a PENDING quote
 * its execution tells.
 */
export async function releaseOf(
  need: Need,
  customer: ScaCustomer,
  { quote, answer }: QuoteSighting,
): Promise<Release> {
  if (quote.status !== 'PENDING') return { released: RUNS.has(quote.status), answers: [answer] };
  const executed = await customer.execute(quote.id, {
    label: 'executing the quote, for which no right proof was given',
  });
  const { outcome, answers } = await customer.outcome(executed, quote.id);
  need.that(outcome !== 'unknown', 'what the quote came to could not be seen');
  return { released: outcome === 'executed', answers: [answer, ...answers] };
}
