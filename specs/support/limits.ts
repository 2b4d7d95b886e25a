import type { Need, Payment } from '../../suite/index.ts';

/** The control of a limit: a payment that is far from it goes through, so that the way of paying is a right one. */
export function mustPay(need: Need, payment: Payment): void {
  need(payment.quoted).accepted();
  // How a quote is executed is not shown.
  if (payment.executed) need(payment.executed).available();
  need.that(payment.outcome === 'executed', 'the control was not executed, so what follows proves nothing');
}

/** A payment that was taken and failed afterwards does not show which answer the limit gives. */
export function mustBeAnswered(need: Need, payment: Payment): void {
  const failedLater =
    payment.executed?.exchange.response !== undefined &&
    payment.executed.accepted &&
    payment.outcome !== 'executed';
  need.offered(
    !failedLater,
    'the payment over the limit was taken and failed afterwards, which no answer tells',
  );
}

/**
 * What counts towards a limit is not shown: a fee on top of the amount may take a payment over it.
 *
 * @param payment a control, paid where the limit is not near
 * @param expected the amount that it was asked for, in the smallest unit
 */
export function mustCountAs(need: Need, payment: Payment, expected: number): void {
  need.offered(
    payment.totalSendingAmount === expected,
    'fees come on top of the amount, so what counts towards the limit cannot be told',
  );
}
