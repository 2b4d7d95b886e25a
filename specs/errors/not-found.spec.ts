import { randomUUID } from 'node:crypto';
import { expect, newEmail, test, verifies, type Answer } from '../../suite/index.ts';
import { readTransaction } from '../support/quotes.ts';
import { mustAuthorize } from '../support/sca.ts';

test(
  'an unknown customer is not found',
  verifies('ERROR-CUSTOMER-NOT-FOUND'),
  async ({ given, need, check, platform }) => {
    const { state } = await given.customer();
    const update = (customerId: string, label: string) =>
      platform.call('updateCustomer', {
        label,
        path: { customerId },
        body: { customerType: 'INDIVIDUAL', email: newEmail() },
      });
    need(await update(state.customerId, 'updating a known customer')).accepted();
    const unknown = await update(`Customer:${randomUUID()}`, 'updating an unknown customer');
    await check('ERROR-CUSTOMER-NOT-FOUND', () => expectNotFound(unknown, 'USER_NOT_FOUND'));
  },
);

test(
  'an unknown quote is not found when it is read',
  verifies('ERROR-QUOTE-NOT-FOUND'),
  async ({ given, need, check }) => {
    const customer = await given.customer();
    const { quote } = await customer.mustCreate();
    // The path is not shown: that a known quote is found shows that it is there.
    need(await customer.read(quote.id)).available();
    const unknown = await customer.read(`Quote:${randomUUID()}`, { label: 'reading an unknown quote' });
    await check('ERROR-QUOTE-NOT-FOUND', () => expectNotFound(unknown, 'QUOTE_NOT_FOUND'));
  },
);

test(
  'an unknown quote is not found when it is executed',
  verifies('ERROR-QUOTE-NOT-FOUND'),
  async ({ given, need, check }) => {
    const customer = await given.customer();
    const { quote } = await customer.mustCreate();
    need(await customer.execute(quote.id)).available();
    const unknown = await customer.execute(`Quote:${randomUUID()}`, { label: 'executing an unknown quote' });
    await check('ERROR-QUOTE-NOT-FOUND', () => expectNotFound(unknown, 'QUOTE_NOT_FOUND'));
  },
);

test(
  'a well-formed UMA address without a receiver is not found',
  verifies('ERROR-UMA-NOT-FOUND'),
  async ({ given, need, check }) => {
    const customer = await given.customer({ destinationKind: 'UMA_ADDRESS' });
    need(await customer.create({}, 'a quote to a UMA address with a receiver')).accepted();
    const umaAddress = need.offered(
      customer.state.unknownUmaAddress,
      'the state gives no UMA address without a receiver',
    );
    const { destination: usual } = customer.body() as { destination?: { umaAddress?: unknown } };
    need.offered(usual?.umaAddress, 'how a request for a quote names a UMA address is not known');
    const destination = { ...usual, umaAddress };
    const unknown = await customer.create({ destination }, 'a quote to a UMA address without a receiver');
    await check('ERROR-UMA-NOT-FOUND', () => expectNotFound(unknown, 'UMA_NOT_FOUND'));
  },
);

test(
  'an unknown transaction is not found when it is read',
  verifies('ERROR-TRANSACTION-NOT-FOUND'),
  async ({ given, need, check }) => {
    const customer = await given.customer();
    const { quote } = await customer.mustCreate();
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
    await mustAuthorize(customer);
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
