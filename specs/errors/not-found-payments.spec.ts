import { randomUUID } from 'node:crypto';
import { expect, test, verifies, type Answer } from '../../suite/index.ts';
import { mustQuote, readTransaction } from '../support/quotes.ts';
import { mustAuthorize } from '../support/sca.ts';

test(
  'an unknown transaction is not found when it is read',
  verifies('ERROR-TRANSACTION-NOT-FOUND'),
  async ({ given, need, check }) => {
    const customer = await given.customer();
    const { quote } = await mustQuote(need, customer);
    need(await customer.execute(quote.id)).available();
    // The path is not shown: that a known transaction is found shows that it is there.
    need.offered(
      await readTransaction(customer, quote.transactionId, 'reading a known transaction'),
      'this target offers no read of a transaction',
    );
    const unknown = await customer.call('getTransaction', {
      label: 'reading an unknown transaction',
      path: { transactionId: `Transaction:${randomUUID()}` },
    });
    await check('ERROR-TRANSACTION-NOT-FOUND', () => expectNotFound(unknown, 'TRANSACTION_NOT_FOUND'));
  },
);

test(
  'an unknown quote is not found when it is authorized',
  verifies('ERROR-QUOTE-NOT-FOUND'),
  async ({ given, need, check }) => {
    const customer = await given.scaCustomer({ challenges: 1, factor: 'SMS_OTP' });
    await mustAuthorize(need, customer);
    const proof = need.offered(
      customer.prover.proof({ factor: 'SMS_OTP' }),
      'a challenge by SMS_OTP cannot be proved here',
    );
    const unknown = await customer.authorize(`Quote:${randomUUID()}`, proof, {
      label: 'authorizing an unknown quote',
    });
    await check('ERROR-QUOTE-NOT-FOUND', () => expectNotFound(unknown, 'QUOTE_NOT_FOUND'));
  },
);

function expectNotFound(answer: Answer, code: string): void {
  expect(answer).toBeRefused(404);
  expect(answer).toHaveCode(code);
}
