import { test, verifies } from '../../suite/index.ts';
import { mustQuote } from './support/must-quote.ts';
import { readTransaction } from './support/transaction.ts';

const SETTLED = new Set<unknown>(['COMPLETED', 'FAILED', 'EXPIRED']);

test(
  'what becomes of a quote that is executed',
  verifies('QUOTE-STATUS'),
  async ({ given, need, observe }) => {
    const customer = await given.customer();
    const { quote } = await mustQuote(need, customer);
    const executed = await customer.execute(quote.id);
    need(executed).available();
    observe('quote-read-and-execute-operations', 'GET /quotes/{id}, POST /quotes/{id}/execute', executed);
    const during = customer.sighting(executed);
    const last = await customer.until(quote.id, ({ status }) => SETTLED.has(status));
    const statuses = [quote.status, during?.quote.status, last?.quote.status].filter(
      (one) => one !== undefined,
    );
    observe('quote-transitions', [...new Set(statuses)].join(' → '), executed);
    observe(
      'quote-executed-twice',
      await customer.execute(quote.id, { label: 'executing the quote once more' }),
    );
    const transaction = await readTransaction(customer, quote.transactionId);
    if (!transaction) return;
    observe('transaction-fields', Object.keys(transaction.body).sort(), transaction.answer);
    observe('transaction-statuses', transaction.body['status'] ?? 'none', transaction.answer);
  },
);

test(
  'what becomes of a quote whose execution fails',
  verifies('QUOTE-STATUS'),
  async ({ given, need, observe }) => {
    const customer = await given.customer({ executionFails: true });
    const { quote } = await mustQuote(need, customer);
    const executed = await customer.execute(quote.id, { label: 'executing a quote that will fail' });
    need(executed).available();
    const last = await customer.until(quote.id, ({ status }) => SETTLED.has(status));
    if (last) observe('quote-transitions', `PENDING → ${String(last.quote.status)}`, last.answer);
    const transaction = await readTransaction(customer, quote.transactionId);
    if (!transaction) return;
    observe('failure-reasons-seen', transaction.body['failureReason'] ?? 'none', transaction.answer);
    const refund = transaction.body['refund'];
    const fields =
      typeof refund === 'object' && refund !== null ? Object.keys(refund).sort() : 'no refund object';
    observe('refund-fields', fields, transaction.answer);
  },
);
