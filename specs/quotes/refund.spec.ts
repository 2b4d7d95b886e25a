import {
  eventually,
  expect,
  test,
  verifies,
  type Answer,
  type Need,
  type QuoteCustomer,
} from '../../suite/index.ts';
import { folded } from '../../suite/same-id.ts';
import { mustQuote } from './support/must-quote.ts';

for (const lockedCurrencyAmount of [10_000, 250_000])
  test(
    `${lockedCurrencyAmount} that were debited come back when the execution fails`,
    verifies('TRANSACTION-FAILED-REFUNDED'),
    async ({ given, check, need, profile }) => {
      need.offered(profile.preparation !== 'fixtures', 'prepared accounts are shared between tests');
      const sound = await given.customer();
      const control = await mustQuote(need, sound);
      need(
        await sound.execute(control.quote.id, { label: 'executing a quote that will not fail' }),
      ).available();

      const customer = await given.customer({ executionFails: true });
      const before = await balance(customer, need);
      const { quote } = await mustQuote(need, customer, { lockedCurrencyAmount });
      need(await customer.execute(quote.id, { label: 'executing a quote that will fail' })).available();
      const last = await customer.until(quote.id, ({ status }) => status === 'FAILED');
      need.offered(last?.quote.status === 'FAILED', 'the execution was not seen to fail');
      const after = await eventually(
        () => balance(customer, need),
        (seen) => seen.amount >= before.amount,
        customer.patienceMs,
      );
      // The text names no time: a refund that is said to be on its way keeps the rule.
      if (after.amount < before.amount)
        need.that(!(await refundPending(customer, quote.transactionId)), 'the refund is still pending');
      await check('TRANSACTION-FAILED-REFUNDED', () => expect(after.amount).toBe(before.amount), [
        after.answer,
      ]);
    },
  );

/** Balance of the source account, in the smallest unit. The interface shows no field of an account. */
async function balance(customer: QuoteCustomer, need: Need): Promise<{ amount: number; answer: Answer }> {
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

interface Account {
  readonly id?: unknown;
  readonly balance?: { readonly amount?: unknown };
}

async function refundPending(customer: QuoteCustomer, transactionId: unknown): Promise<boolean> {
  const answer = await customer.call(
    { method: 'GET', path: '/transactions/{transactionId}' },
    { label: 'reading the transaction', path: { transactionId: String(transactionId) } },
  );
  if (!answer.exchange.response || !answer.accepted) return false;
  const { refund } = (answer.body ?? {}) as { refund?: { status?: unknown } | null };
  return refund?.status === 'PENDING';
}
