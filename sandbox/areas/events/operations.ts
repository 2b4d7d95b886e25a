import { type Call, ok, operation, type Route } from '../../server/area.ts';
import {
  allOwned,
  type Filters,
  list,
  listQuery,
  ownedBy,
  ownedCustomer,
  platformOf,
} from '../conventions/operations.ts';
import { configOf } from '../platform/records.ts';
import { deliver, endpointFor, presentDelivery } from './delivery.ts';
import { deliveries, type Delivery } from './records.ts';

/** Sends an event on demand, to the endpoint of the platform or of one of its customers. */
export const testEventRoutes: readonly Route[] = ['/sandbox/webhooks/test', '/webhooks/test'].map((path) => ({
  method: 'POST',
  path,
  auth: 'platform',
  handle: async (_world, call) => ok(await send(call)),
}));

const deliveryFilters: Filters<Delivery> = {
  customerId: ({ customerId }) => customerId,
  status: ({ status }) => status,
  type: ({ envelope }) => String(envelope['type']),
};

/** What became of events. */
export const deliveryRoutes: readonly Route[] = [
  {
    ...operation('GET /sandbox/webhooks/deliveries'),
    query: listQuery(deliveryFilters),
    handle: (world, call) =>
      list(call, allOwned(call, deliveries), (one) => presentDelivery(world, one), deliveryFilters),
  },
  {
    ...operation('POST /sandbox/webhooks/deliveries/:deliveryId/redeliver'),
    async handle(world, call) {
      const delivery = ownedBy(call, deliveries, 'delivery', call.params['deliveryId']!);
      await deliver(world, delivery);
      return ok(presentDelivery(world, delivery));
    },
  },
];

function send(call: Call) {
  const { world } = call;
  const id = call.query['customerId'];
  if (id === undefined) {
    const endpoint = configOf(world, platformOf(call).id).webhookEndpoint ?? undefined;
    return world.behaviour.sendTestEvent(undefined, endpoint);
  }
  const customer = ownedCustomer(call, id);
  return world.behaviour.sendTestEvent(id, endpointFor(world, customer.id));
}
