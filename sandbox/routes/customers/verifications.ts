import { bodyOf } from '../../core/call.ts';
import type { Route } from '../../core/route.ts';
import { ownedCustomer } from '../owned.ts';

/** KYC and KYB verifications. */
export const verificationRoute: Route = {
  method: 'POST',
  path: '/verifications',
  auth: 'platform',
  body: { type: 'object', required: ['customerId'], properties: { customerId: { type: 'string' } } },
  handle: (call) =>
    call.world.rules.startVerification(call.world, ownedCustomer(call, bodyOf(call)['customerId'] as string)),
};
