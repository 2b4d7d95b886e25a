import { bodyOf, type Call, ok, operation, type Route } from '../../server/area.ts';
import type { World } from '../../world/world.ts';
import { ownedCustomer } from '../conventions/operations.ts';
import type { Customer } from '../customers/records.ts';
import { scaOf, allowedOrigins, type ScaChallenge, scaLogins } from './records.ts';

const LOGIN_TIME = 600_000;

/** Logins of SCA customers. */
export const scaLoginRoutes: readonly Route[] = [
  {
    ...operation('POST /sca/login/start'),
    handle(world, call) {
      const challenge = startScaLogin(world, customerOf(call), bodyOf(call)['factor'] as string | undefined);
      return ok({
        ...world.behaviour.presentChallenge(challenge),
        challengeId: challenge.id,
        // interface.md > ScaChallenge: populated for enrollment and login. There is no enrollment here.
        passkeyAllowedOrigins: challenge.factor === 'PASSKEY' ? allowedOrigins(world, challenge) : undefined,
      });
    },
  },
  {
    ...operation('POST /sca/login/complete'),
    async handle({ behaviour }, call) {
      const until = await behaviour.completeScaLogin(customerOf(call), bodyOf(call));
      // Of this answer only sessionExpiresAt is shown.
      return ok({ status: 'COMPLETED', sessionExpiresAt: behaviour.presentTime(until) });
    },
  },
];

function customerOf(call: Call): Customer {
  return ownedCustomer(call, call.query['customerId'] ?? '');
}

/** Starts a login: a code is sent, or a passkey is asked for. @throws Refusal */
function startScaLogin(world: World, customer: Customer, wanted: string | undefined): ScaChallenge {
  const { behaviour } = world;
  const sca = scaOf(world, customer.id);
  if (!sca) throw behaviour.refuseScaNotApplicable();
  behaviour.accountNotLocked(customer.id, sca);
  const factor = behaviour.factorFor(sca, wanted);
  const challenge = behaviour.newChallenge(customer.id, sca, { factor, lifetime: LOGIN_TIME });
  return scaLogins.put(world, challenge.id, challenge);
}
