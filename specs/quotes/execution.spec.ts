import { listOf } from '../../schemas/openapi.ts';
import { eventually, expect, test, verifies } from '../../suite/index.ts';
import { balanceOf, openingBalanceOf, readTransaction, RECEIVED_IS_LOCKED } from '../support/quotes.ts';

/** How long to look for money that must not leave, in milliseconds. */
const WATCH_MS = 300;
const REASONS = listOf('TransactionFailureReason', 'x-known-values');
const SETTLED = new Set<unknown>(['COMPLETED', 'FAILED', 'EXPIRED']);

test(
  'what becomes of a quote that is executed',
  verifies('QUOTE-STATUS'),
  async ({ given, need, observe }) => {
    const customer = await given.customer();
    const { quote } = await customer.mustCreate();
    const executed = await customer.execute(quote.id);
    need(executed).available();
    observe('quote-read-and-execute-operations', 'GET /quotes/{id}, POST /quotes/{id}/execute', executed);
    const during = customer.sighting(executed);
    const last = await customer.until(quote.id, ({ status }) => SETTLED.has(status));
    const statuses = [quote.status, during?.quote.status, last?.quote.status].filter(
      (one) => one !== undefined,
    );
    observe('quote-transitions', [...new Set(statuses)].join(' → '), executed);
    observe('quote-executed-twice', await customer.execute(quote.id, 'executing the quote once more'));
    const transaction = await readTransaction(customer, quote.transactionId);
    if (!transaction) return;
    observe('transaction-fields', Object.keys(transaction.body).sort(), transaction.answer);
    observe('transaction-statuses', transaction.body['status'] ?? 'none', transaction.answer);
  },
);

test(
  'what becomes of a quote whose execution fails',
  verifies('QUOTE-STATUS', 'TRANSACTION-FAILURE-REASONS'),
  async ({ given, need, check, observe }) => {
    const customer = await given.customer({ executionFails: true });
    const { quote } = await customer.mustCreate();
    const executed = await customer.execute(quote.id, 'executing a quote that will fail');
    need(executed).available();
    const last = await customer.until(quote.id, ({ status }) => SETTLED.has(status));
    if (last) observe('quote-transitions', `PENDING → ${String(last.quote.status)}`, last.answer);
    const transaction = await readTransaction(customer, quote.transactionId);
    if (!transaction) return;
    const { failureReason } = transaction.body;
    observe('failure-reasons-seen', failureReason ?? 'none', transaction.answer);
    // Which field tells it is not shown: another one, or a sentence in words, is held to nothing.
    if (typeof failureReason === 'string' && /^[A-Z][A-Z_]+$/.test(failureReason))
      await check('TRANSACTION-FAILURE-REASONS', () => expect(failureReason).toBeOneOf(REASONS), [
        transaction.answer,
      ]);
    const refund = transaction.body['refund'];
    const fields =
      typeof refund === 'object' && refund !== null ? Object.keys(refund).sort() : 'no refund object';
    observe('refund-fields', fields, transaction.answer);
  },
);

for (const [lockedCurrencyAmount, whose, side, destinationKind] of [
  [10_000, '', {}],
  [10_000, ' to a UMA address', {}, 'UMA_ADDRESS'],
  [123_457, '', {}],
  // Whose fees come on top of the amount that was named, and are within the total all the same.
  [12_345, ' to be received', RECEIVED_IS_LOCKED],
] as const)
  test(
    `the execution of a quote of ${lockedCurrencyAmount}${whose} takes its totalSendingAmount`,
    verifies('QUOTE-DEBIT-IS-TOTAL'),
    async ({ given, check, need }) => {
      given.unshared('prepared accounts are shared between tests');
      const customer = await given.customer(destinationKind ? { destinationKind } : {});
      const before = await openingBalanceOf(customer);
      const changes = { lockedCurrencyAmount, ...side };
      // That this side can be locked is not shown.
      if (side === RECEIVED_IS_LOCKED) need(await customer.create(changes)).available();
      const { quote, answer } = await customer.mustCreate(changes);
      const total = need.that(quote.totalSendingAmount, 'the quote tells no totalSendingAmount');
      const executed = await customer.execute(quote.id);
      need(executed).available();
      const { outcome } = await customer.outcome(executed, quote.id);
      need.that(outcome === 'executed', 'the quote was not seen to be executed');
      const after = await eventually(
        () => balanceOf(customer),
        (seen) => before.amount - seen.amount >= total,
        customer.patienceMs,
      );
      const taken = before.amount - after.amount;
      // The text names no time: only an execution that is over must have taken the whole. More is too much at any time.
      const isMissing = taken < total;
      const last = isMissing && (await customer.until(quote.id, ({ status }) => status === 'COMPLETED'));
      const isOver = last && last.quote.status === 'COMPLETED';
      need.that(
        isOver || taken !== 0,
        'the balance shows no movement, and nothing shows that the execution is over',
      );
      await check('QUOTE-DEBIT-IS-TOTAL', () => expect(taken, 'what left the account').toBe(total), {
        evidence: [answer, executed, after.answer],
        assumes: isMissing && !isOver ? ['effectSeconds'] : [],
      });
    },
  );

test(
  'a quote that is executed once more takes no more money',
  verifies('QUOTE-DEBIT-IS-TOTAL'),
  async ({ given, check, need }) => {
    given.unshared('prepared accounts are shared between tests');
    const customer = await given.customer();
    const before = await openingBalanceOf(customer);
    const { quote } = await customer.mustCreate();
    const total = need.that(quote.totalSendingAmount, 'the quote tells no totalSendingAmount');
    need(await customer.execute(quote.id)).available();
    const taken = async (least: number, ms: number) => {
      const { amount, answer } = await eventually(
        () => balanceOf(customer),
        (seen) => before.amount - seen.amount >= least,
        ms,
      );
      return { amount: before.amount - amount, answer };
    };
    const once = await taken(total, customer.patienceMs);
    need.that(once.amount === total, 'the first execution did not take the total');
    const again = await customer.execute(quote.id, 'executing the quote once more');
    const twice = await taken(total + 1, WATCH_MS);
    await check('QUOTE-DEBIT-IS-TOTAL', () => expect(twice.amount, 'what left the account').toBe(total), [
      again,
      twice.answer,
    ]);
  },
);

for (const lockedCurrencyAmount of [10_000, 250_000])
  test(
    `${lockedCurrencyAmount} that were debited come back when the execution fails`,
    verifies('TRANSACTION-FAILED-REFUNDED'),
    async ({ given, check, need }) => {
      given.unshared('prepared accounts are shared between tests');
      // The control: an execution is seen to take money from such an account.
      const sound = await given.customer();
      const full = await openingBalanceOf(sound);
      const control = await sound.mustCreate({ lockedCurrencyAmount });
      need(await sound.execute(control.quote.id, 'executing a quote that will not fail')).available();
      const less = await eventually(
        () => balanceOf(sound),
        (seen) => seen.amount < full.amount,
        sound.patienceMs,
      );
      need.that(less.amount < full.amount, 'the balance shows no movement for an executed quote');

      const customer = await given.customer({ executionFails: true });
      const before = await openingBalanceOf(customer);
      const { quote } = await customer.mustCreate({ lockedCurrencyAmount });
      need(await customer.execute(quote.id, 'executing a quote that will fail')).available();
      const last = await customer.until(quote.id, ({ status }) => status === 'FAILED');
      need.offered(last?.quote.status === 'FAILED', 'the execution was not seen to fail');
      const failing = await balanceOf(customer);
      const after = await eventually(
        () => balanceOf(customer),
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
