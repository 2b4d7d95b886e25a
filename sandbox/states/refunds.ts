import { Unpreparable, type State } from '../core/state.ts';
import { refunds, type Refund } from '../domain/refund.ts';
import { customerFrom } from './cards.ts';

/** Refunds of incoming and of outgoing payments: one state change, now. */
export const refundStates: readonly State[] = (['INCOMING', 'OUTGOING'] as const).map((direction) => ({
  name: `${direction.toLowerCase()}-refund`,
  params: {
    customerId: { type: 'string' },
    refundId: { type: 'string' },
    to: { enum: ['PENDING', 'COMPLETED', 'FAILED'] },
  },
  setup(world, params) {
    const known = refunds.get(world, String(params['refundId']));
    if (params['refundId'] !== undefined && !known) throw new Unpreparable('there is no such refund.');
    const refund = known ?? world.rules.beginRefund(world, customerFrom(world, params), direction);
    world.rules.moveRefund(world, refund, (params['to'] ?? 'PENDING') as Refund['status']);
    const { id, customerId, transactionId, reference, status } = refund;
    return { customerId, transactionId, refundId: id, reference, status };
  },
}));
