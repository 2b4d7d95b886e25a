import type { JsonObject } from '../../server/json.ts';
import { held } from '../../world/ledger.ts';
import type { World } from '../../world/world.ts';
import type { Customer } from '../customers/records.ts';
import { type Refund, REFUND_LIFE } from './records.ts';
import { presentRefund, receivePayment, refundIncoming, refundReturned } from './refunds.ts';

/** A payment of a customer comes to be refunded: one that came in, or one that went out and was returned. */
export function beginRefund(world: World, customer: Customer, direction: Refund['direction']): Refund {
  return direction === 'INCOMING'
    ? refundIncoming(world, receivePayment(world, customer))
    : refundReturned(world, customer);
}

/** Moves a refund, and with it its money. @throws IllegalMove */
export function moveRefund(world: World, refund: Refund, to: Refund['status']): void {
  if (refund.status === to) return;
  world.behaviour.changeStatus(REFUND_LIFE, refund, to);
  const { id, amount, currency } = refund;
  const receiver = to === 'COMPLETED' ? refund.to : refund.otherwise;
  world.ledger.post({ from: held(id), to: receiver, amount, currency, reason: id });
  refund.updatedAt = world.clock.now(refund.customerId);
  world.behaviour.tellRefund(refund);
}

/** interface.md > Events: a refund that is pending, one that has completed and one that has failed are each told. */
export function tellRefund(world: World, refund: Refund): void {
  const type = world.behaviour.refundEventType(refund);
  world.behaviour.tell(refund.customerId, type, world.behaviour.presentRefundEvent(refund));
}

/** Those of incoming payments are shown. Outgoing refunds produce theirs in the same manner, so they are spelled alike. */
export function refundEventType(_world: World, refund: Refund): string {
  return `${refund.direction}_PAYMENT.REFUND_${refund.status}`;
}

/** Refund information. */
export function presentRefundEvent(world: World, refund: Refund): JsonObject {
  return {
    transactionId: refund.transactionId,
    customerId: refund.customerId,
    refund: presentRefund(world, refund),
  };
}
