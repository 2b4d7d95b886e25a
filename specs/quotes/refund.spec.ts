import { eventually, expect, test, verifies } from '../../suite/index.ts';
import { balanceOf, mustQuote, readTransaction } from '../support/quotes.ts';

for (const lockedCurrencyAmount of [10_000, 250_000])
  test(
    `${lockedCurrencyAmount} that were debited come back when the execution fails`,
    verifies('TRANSACTION-FAILED-REFUNDED'),
    async ({ given, check, need, profile }) => {
      need.offered(profile.preparation !== 'fixtures', 'prepared accounts are shared between tests');
      // The control: an execution is seen to take money from such an account.
      const sound = await given.customer();
      const full = await balanceOf(sound, need);
      const control = await mustQuote(need, sound, { lockedCurrencyAmount });
      need(
        await sound.execute(control.quote.id, { label: 'executing a quote that will not fail' }),
      ).available();
      const less = await eventually(
        () => balanceOf(sound, need),
        (seen) => seen.amount < full.amount,
        sound.patienceMs,
      );
      need.that(less.amount < full.amount, 'the balance shows no movement for an executed quote');

      const customer = await given.customer({ executionFails: true });
      const before = await balanceOf(customer, need);
      const { quote } = await mustQuote(need, customer, { lockedCurrencyAmount });
      need(await customer.execute(quote.id, { label: 'executing a quote that will fail' })).available();
      const last = await customer.until(quote.id, ({ status }) => status === 'FAILED');
      need.offered(last?.quote.status === 'FAILED', 'the execution was not seen to fail');
      const failing = await balanceOf(customer, need);
      const after = await eventually(
        () => balanceOf(customer, need),
        (seen) => seen.amount >= before.amount,
        customer.patienceMs,
      );
      // The text names no time: a refund that is said to be on its way keeps the rule.
      const transaction = await readTransaction(customer, quote.transactionId);
      const refund = transaction?.body['refund'] as { readonly status?: unknown } | null | undefined;
      if (after.amount < before.amount)
        need.that(refund?.status !== 'PENDING', 'the refund is still pending');
      // "A debited amount is refunded": where none was debited, none comes back, and the rule is not seen to be kept.
      need.offered(
        failing.amount < before.amount ||
          after.amount !== before.amount ||
          (refund ?? undefined) !== undefined,
        'nothing shows that the amount was debited before the execution failed',
      );
      // Less than before may still be on its way.
      await check('TRANSACTION-FAILED-REFUNDED', () => expect(after.amount).toBe(before.amount), {
        evidence: [after.answer],
        assumes: after.amount < before.amount ? ['effectSeconds'] : [],
      });
    },
  );
