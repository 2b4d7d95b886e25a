import { expect, pay, test, verifies } from '../../suite/index.ts';
import { mustPay } from '../support/quotes.ts';

const AMOUNT = 10_000;

test(
  'a payment of a customer that is not ready is refused with 403',
  verifies('ERROR-CUSTOMER-NOT-READY'),
  async ({ given, need, check, observe }) => {
    const control = await pay(
      await given.customer({ ready: true }),
      AMOUNT,
      'a payment of a customer that is ready',
    );
    need(control.quoted).accepted();
    if (control.executed) need(control.executed).available();
    const payment = await pay(
      await given.customer({ ready: false }),
      AMOUNT,
      'a payment of a customer that is not ready',
    );
    const failedLater =
      payment.executed?.exchange.response !== undefined &&
      payment.executed.accepted &&
      payment.outcome === 'not executed';
    need.offered(!failedLater, 'the payment was taken and failed afterwards, which no answer tells');
    await check('ERROR-CUSTOMER-NOT-READY', () => {
      expect(payment.last).toBeRefused(403);
      expect(payment.last).toHaveCode('USER_NOT_READY');
    });
    observe(
      'quote-customer-not-ready-answer',
      { [payment.executed ? 'execution' : 'creation']: payment.last.outcome },
      payment.last,
    );
  },
);

test(
  'a payment to a counterparty that is not enabled for the account is refused with 403',
  verifies('ERROR-COUNTERPARTY-NOT-ALLOWED'),
  async ({ given, need, check }) => {
    mustPay(await pay(await given.customer(), AMOUNT, 'a payment to a counterparty that is enabled'));
    const customer = await given.customer({ counterpartyEnabled: false });
    const payment = await pay(customer, AMOUNT, 'a payment to a counterparty that is not enabled');
    const failedLater = payment.last.accepted && payment.outcome === 'not executed';
    need.offered(!failedLater, 'the payment was taken and failed afterwards, which no answer tells');
    await check('ERROR-COUNTERPARTY-NOT-ALLOWED', () => {
      expect(payment.last).toBeRefused(403);
      expect(payment.last).toHaveCode('COUNTERPARTY_NOT_ALLOWED');
    });
  },
);
