import type { Answer } from '../../answer.ts';
import type { Execution, QuoteCustomer } from './quote-customer.ts';

/** A payment: a quote and its execution. */
export interface Payment {
  readonly quoted: Answer;
  /** Absent where the quote was refused already. */
  readonly executed?: Answer;
  /** The last answer: the refusal, where there is one. */
  readonly last: Answer;
  readonly outcome: Execution['outcome'];
  /** Smallest unit of the sending currency; undefined where no quote can be recognised. */
  readonly totalSendingAmount: number | undefined;
}

/** Pays an amount, in the smallest unit of the sending currency. A limit may refuse the quote or its execution. */
export async function pay(customer: QuoteCustomer, amount: number, what: string): Promise<Payment> {
  const quoted = await customer.create(
    { lockedCurrencySide: 'SENDING', lockedCurrencyAmount: amount },
    { label: `a quote for ${what}` },
  );
  const quote = customer.sighting(quoted)?.quote;
  const totalSendingAmount =
    typeof quote?.totalSendingAmount === 'number' ? quote.totalSendingAmount : undefined;
  if (quote === undefined) {
    const outcome = quoted.exchange.response && quoted.refused ? 'not executed' : 'unknown';
    return { quoted, last: quoted, outcome, totalSendingAmount };
  }
  const executed = await customer.execute(quote.id, { label: `executing ${what}` });
  const { outcome } = await customer.outcome(executed, quote.id);
  return { quoted, executed, last: executed, outcome, totalSendingAmount };
}
