import { bodyOf } from '../../core/call.ts';
import type { Route } from '../../core/route.ts';
import type { Channel } from '../../rules/customers/contact.ts';
import { ownedCustomer } from '../owned.ts';

/** Contact verification, by e-mail and by phone. */
export const contactRoutes: readonly Route[] = (['email', 'phone'] as const).flatMap((channel) =>
  routesFor(channel),
);

function routesFor(channel: Channel): Route[] {
  const path = `/customers/:customerId/verify-${channel}`;
  return [
    {
      method: 'POST',
      path,
      auth: 'platform',
      handle: (call) =>
        call.world.rules.startContactVerification(
          call.world,
          ownedCustomer(call, call.params['customerId']!),
          channel,
        ),
    },
    {
      method: 'POST',
      path: `${path}/confirm`,
      auth: 'platform',
      body: { type: 'object' },
      bodyOptional: true,
      handle(call) {
        const customer = ownedCustomer(call, call.params['customerId']!);
        return call.world.rules.confirmContact(call.world, customer, channel, String(bodyOf(call)['code']));
      },
    },
  ];
}
