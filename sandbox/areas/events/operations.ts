import type { Route } from '../../server/area.ts';
import { type Call, ok } from '../../server/call.ts';
import { ownedCustomer, platformOf } from '../auth/callers.ts';
import { configOf } from '../platform/records.ts';

/** Sends an event on demand, to the endpoint of the platform or of one of its customers. */
export const testEventRoutes: readonly Route[] = ['/sandbox/webhooks/test', '/webhooks/test'].map((path) => ({
  method: 'POST',
  path,
  auth: 'platform',
  handle: async (call) => ok(await send(call)),
}));

function send(call: Call) {
  const { world } = call;
  const id = call.query['customerId'];
  if (id === undefined) {
    const endpoint = configOf(world, platformOf(call).id).webhookEndpoint ?? undefined;
    return world.rules.sendTestEvent(undefined, endpoint);
  }
  const customer = ownedCustomer(call, id);
  return world.rules.sendTestEvent(id, world.rules.endpointFor(customer.id));
}
