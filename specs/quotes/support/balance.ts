import type { Answer, Need, QuoteCustomer } from '../../../suite/index.ts';
import { folded } from '../../../suite/same-id.ts';

/** Balance of a customer's source account, in the smallest unit, and the answer that shows it. */
export interface Balance {
  readonly amount: number;
  readonly answer: Answer;
}

interface Account {
  readonly id?: unknown;
  readonly balance?: { readonly amount?: unknown };
}

/** The interface shows no field of an account: where no balance is recognised, the test is not verified. */
export async function balanceOf(customer: QuoteCustomer, need: Need): Promise<Balance> {
  const { customerId, sourceAccountId } = customer.state;
  const answer = await customer.call('listInternalAccounts', {
    label: "reading the customer's accounts",
    query: { customerId },
  });
  need(answer).available();
  const body = answer.body as { data?: unknown } | readonly unknown[] | undefined;
  const listed = Array.isArray(body) ? body : (body as { data?: unknown } | undefined)?.data;
  const accounts = (Array.isArray(listed) ? listed : []) as readonly Account[];
  const account = accounts.find(({ id }) => folded(id) === folded(sourceAccountId));
  const amount = account?.balance?.amount;
  const seen = typeof amount === 'number' ? { amount, answer } : undefined;
  return need.offered(seen, 'the target shows no balance of the source account that could be recognised');
}
