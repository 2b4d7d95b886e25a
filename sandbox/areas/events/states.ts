import { type State, Unpreparable } from '../../server/area.ts';
import type { JsonObject } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import { mainPlatform, platforms } from '../auth/records.ts';
import { customerFrom } from '../cards/states.ts';
import { customers } from '../customers/records.ts';
import { configOf } from '../platform/records.ts';
import { customerWebhooks, type Refund, refunds } from './records.ts';

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
    if (customerId === undefined) platformConfig(world, params).webhookEndpoint = url;
    else if (customers.get(world, customerId)) customerWebhooks.put(world, customerId, { url });
    else throw new Unpreparable('there is no such customer.');
    const { publicKey } = world.rules.webhookKeys();
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
    if (typeof values['customerId'] === 'string') customerWebhooks.delete(world, values['customerId']);
    else platformConfig(world, values).webhookEndpoint = null;
  },
};

function platformConfig(world: World, params: JsonObject) {
  const platform =
    params['clientId'] === undefined ? mainPlatform(world) : platforms.get(world, String(params['clientId']));
  if (!platform) throw new Unpreparable('there is no such platform.');
  return configOf(world, platform.id);
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
    const known = refunds.get(world, String(params['refundId']));
    if (params['refundId'] !== undefined && !known) throw new Unpreparable('there is no such refund.');
    if (known && known.status !== 'PENDING' && known.status !== (params['to'] ?? 'PENDING'))
      throw new Unpreparable(`the refund is ${known.status} already.`);
    const refund = known ?? world.rules.beginRefund(customerFrom(world, params), direction);
    world.rules.moveRefund(refund, (params['to'] ?? 'PENDING') as Refund['status']);
    const { id, customerId, transactionId, reference, status } = refund;
    return { customerId, transactionId, refundId: id, reference, status };
  },
}));
