import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../server/json.ts';
import { mintId, type World } from '../../world/world.ts';
import type { Customer } from '../customers/records.ts';
import { type Refund, refunds } from './records.ts';

/** A refund begins, pending. */
export function beginRefund(world: World, customer: Customer, direction: Refund['direction']): Refund {
  const id = mintId(world, 'Refund');
  const now = world.clock.now(customer.id);
  const refund: Refund = {
    id,
    direction,
    customerId: customer.id,
    transactionId: mintId(world, 'Transaction'),
    reference: randomUUID().slice(0, 8).toUpperCase(),
    status: 'PENDING',
    amount: 2_500n,
    currency: 'USD',
    initiatedAt: now,
    updatedAt: now,
  };
  refunds.put(world, id, refund);
  world.rules.tellRefund(refund);
  return refund;
}

export function moveRefund(world: World, refund: Refund, to: Refund['status']): void {
  if (refund.status === to) return;
  refund.status = to;
  refund.updatedAt = world.clock.now(refund.customerId);
  world.rules.tellRefund(refund);
}

export function tellRefund(world: World, refund: Refund): void {
  const type = world.rules.refundEventType(refund);
  world.rules.tell(refund.customerId, type, world.rules.presentRefundEvent(refund));
}

export function refundEventType(_world: World, refund: Refund): string {
  return `${refund.direction}_PAYMENT.REFUND_${refund.status}`;
}

/** Refund information. */
export function presentRefundEvent(world: World, refund: Refund): JsonObject {
  const { rules } = world;
  return {
    transactionId: refund.transactionId,
    customerId: refund.customerId,
    refund: {
      id: refund.id,
      reference: refund.reference,
      status: refund.status,
      amount: {
        amount: rules.presentAmount(refund.amount),
        currency: rules.presentCurrency(refund.currency),
      },
      initiatedAt: rules.presentTime(refund.initiatedAt),
    },
  };
}
