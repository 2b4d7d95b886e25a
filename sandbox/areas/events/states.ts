import { named, type State, Unpreparable } from '../../server/area.ts';
import type { JsonObject } from '../../server/json.ts';
import { steerCustomer } from '../../steering/steering.ts';
import { leadsTo } from '../../world/table.ts';
import type { World } from '../../world/world.ts';
import { customers } from '../customers/records.ts';
import { configOf, mainPlatform, platforms } from '../platform/records.ts';
import { customerFrom } from '../platform/states.ts';
import { type Refund, REFUND_LIFE, refunds } from './records.ts';
import { webhookKeys } from './delivery.ts';
import { beginRefund, moveRefund } from './refunds.ts';

function setEndpoint(world: World, params: JsonObject, webhookEndpoint: string | null): void {
  const { clientId } = params;
  const platform =
    clientId === undefined ? mainPlatform(world) : named(world, platforms, 'platform', clientId);
  world.behaviour.updateConfig(configOf(world, platform.id), { webhookEndpoint });
}

/** Refunds of incoming and of outgoing payments: one state change, now. */
const refundStates: readonly State[] = (['INCOMING', 'OUTGOING'] as const).map((direction) => ({
  name: `${direction.toLowerCase()}-refund`,
  setup(world, params) {
    const to = (params['to'] ?? 'PENDING') as Refund['status'];
    const refund =
      params['refundId'] === undefined
        ? beginRefund(world, customerFrom(world, params), direction)
        : named(world, refunds, 'refund', params['refundId']);
    if (refund.status !== to && !leadsTo(REFUND_LIFE, refund.status, to))
      throw new Unpreparable(`the refund is ${refund.status} already.`);
    moveRefund(world, refund, to);
    const { id, customerId, transactionId, reference, status } = refund;
    return { customerId, transactionId, refundId: id, reference, status };
  },
}));

/** States that prepare this area. */
export const eventStates: readonly State[] = [
  // Where events go: those about one customer, or all of a platform.
  {
    name: 'webhook',
    setup(world, params) {
      const url = (params['url'] ?? null) as string | null;
      const customerId = params['customerId'] as string | undefined;
      if (customerId === undefined) setEndpoint(world, params, url);
      else steerCustomer(world, named(world, customers, 'customer', customerId), { webhookEndpoint: url });
      const { publicKey } = webhookKeys(world);
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
        steerCustomer(world, named(world, customers, 'customer', values['customerId']), {
          webhookEndpoint: 'platform',
        });
      else setEndpoint(world, values, null);
    },
  },
  ...refundStates,
];
