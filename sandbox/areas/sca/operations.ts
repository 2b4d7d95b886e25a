import { type Call, type Reply, type Route, bodyOf, ok } from '../../server/area.ts';
import type { World } from '../../world/world.ts';
import { ownedCustomer } from '../conventions/operations.ts';
import type { Customer } from '../customers/records.ts';

/** Logins of SCA customers. */
export const scaLoginRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/sca/login/start',
    auth: 'platform',
    body: { type: 'object', properties: { factor: { type: 'string' } } },
    bodyOptional: true,
    handle(call) {
      const { behaviour } = call.world;
      const challenge = behaviour.startScaLogin(
        customerOf(call),
        bodyOf(call)['factor'] as string | undefined,
      );
      return ok(behaviour.presentLoginChallenge(challenge));
    },
  },
  {
    method: 'POST',
    path: '/sca/login/complete',
    auth: 'platform',
    body: { type: 'object' },
    bodyOptional: true,
    async handle(call) {
      const { behaviour } = call.world;
      return behaviour.presentLogin(await behaviour.completeScaLogin(customerOf(call), bodyOf(call)));
    },
  },
];

function customerOf(call: Call): Customer {
  return ownedCustomer(call, call.query['customerId'] ?? '');
}

/** The answer to a completed login. @param until milliseconds since the epoch */
export function presentLogin(world: World, until: number): Reply {
  return ok(world.behaviour.presentLoginCompletion(until));
}
