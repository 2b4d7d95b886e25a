import { type State, Unpreparable } from '../../server/area.ts';
import type { JsonObject } from '../../server/json.ts';
import { leadsTo } from '../../world/table.ts';
import type { World } from '../../world/world.ts';
import { customerFrom } from '../platform/states.ts';
import { findConfig, findCustomer, findRefund, steerCustomer } from '../sandbox/steering.ts';
import { type Refund, REFUND_LIFE } from './records.ts';

/** Where events go: those about one customer, or all of a platform. */
export const webhookState: State = {
  name: 'webhook',
  params: {
    url: { type: ['string', 'null'], pattern: '^https?://' },
    customerId: { type: 'string' },
    clientId: { type: 'string' },
  },
  setup(world, params) {
    const url = (params['url'] ?? null) as string | null;
    const customerId = params['customerId'] as string | undefined;
    if (customerId === undefined) setEndpoint(world, params, url);
    else steerCustomer(world, findCustomer(world, customerId), { webhookEndpoint: url });
    const { publicKey } = world.behaviour.webhookKeys();
    const { x, y } = publicKey.export({ format: 'jwk' });
    const point = Buffer.concat([
      Buffer.from([4]),
      Buffer.from(x!, 'base64url'),
      Buffer.from(y!, 'base64url'),
    ]);
    const query = customerId === undefined ? '' : `?customerId=${customerId}`;
    return {
      url,
      ...(customerId === undefined ? {} : { customerId }),
      ...(params['clientId'] === undefined ? {} : { clientId: params['clientId'] }),
      publicKey: publicKey.export({ format: 'pem', type: 'spki' }) as string,
      publicKeyHex: point.toString('hex'),
      test: { method: 'POST', path: `/sandbox/webhooks/test${query}` },
    };
  },
  teardown(world, values) {
    if (typeof values['customerId'] === 'string')
      steerCustomer(world, findCustomer(world, values['customerId']), { webhookEndpoint: 'platform' });
    else setEndpoint(world, values, null);
  },
};

function setEndpoint(world: World, params: JsonObject, webhookEndpoint: string | null): void {
  world.behaviour.updateConfig(findConfig(world, params['clientId']), { webhookEndpoint });
}

/** Refunds of incoming and of outgoing payments: one state change, now. */
export const refundStates: readonly State[] = (['INCOMING', 'OUTGOING'] as const).map((direction) => ({
  name: `${direction.toLowerCase()}-refund`,
  params: {
    customerId: { type: 'string' },
    refundId: { type: 'string' },
    to: { enum: ['PENDING', 'COMPLETED', 'FAILED'] },
  },
  setup(world, params) {
    const to = (params['to'] ?? 'PENDING') as Refund['status'];
    const refund =
      params['refundId'] === undefined
        ? world.behaviour.beginRefund(customerFrom(world, params), direction)
        : findRefund(world, params['refundId']);
    if (refund.status !== to && !leadsTo(REFUND_LIFE, refund.status, to))
      throw new Unpreparable(`the refund is ${refund.status} already.`);
    world.behaviour.moveRefund(refund, to);
    const { id, customerId, transactionId, reference, status } = refund;
    return { customerId, transactionId, refundId: id, reference, status };
  },
}));
