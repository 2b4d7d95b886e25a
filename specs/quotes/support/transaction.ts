import type { Answer, QuoteCustomer } from '../../../suite/index.ts';
import { failureReasonsIn } from '../../../suite/removed-reasons.ts';

/** A transaction as a read shows it. */
export interface SeenTransaction {
  readonly answer: Answer;
  readonly body: Readonly<Record<string, unknown>>;
  /** Why it failed, wherever it says so. */
  readonly reasons: readonly string[];
}

/** GET /transactions/{id}. The interface shows neither this operation nor a field: undefined where nothing is recognised. */
export async function readTransaction(
  customer: QuoteCustomer,
  transactionId: unknown,
  label = 'reading the transaction',
): Promise<SeenTransaction | undefined> {
  const answer = await customer.call('getTransaction', {
    label,
    path: { transactionId: String(transactionId) },
  });
  const body: unknown = answer.exchange.response && answer.accepted ? answer.body : undefined;
  if (typeof body !== 'object' || body === null) return undefined;
  return {
    answer,
    body: body as Readonly<Record<string, unknown>>,
    reasons: failureReasonsIn({ transaction: body }).map(({ value }) => value),
  };
}
