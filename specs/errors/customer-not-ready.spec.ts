import { expect, pay, test, verifies } from '../../suite/index.ts';

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
