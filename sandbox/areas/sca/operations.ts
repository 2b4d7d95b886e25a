import type { Route } from '../../server/area.ts';
import { bodyOf, type Call } from '../../server/call.ts';
import { ownedCustomer } from '../auth/callers.ts';
import type { Customer } from '../customers/records.ts';

/** Logins of SCA customers. */
export const scaLoginRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/sca/login/start',
    auth: 'platform',
    body: { type: 'object', properties: { factor: { type: 'string' } } },
    bodyOptional: true,
    handle: (call) =>
      call.world.rules.startScaLogin(customerOf(call), bodyOf(call)['factor'] as string | undefined),
  },
  {
    method: 'POST',
    path: '/sca/login/complete',
    auth: 'platform',
    body: { type: 'object' },
    bodyOptional: true,
    handle: (call) => call.world.rules.completeScaLogin(customerOf(call), bodyOf(call)),
  },
];

function customerOf(call: Call): Customer {
  return ownedCustomer(call, call.query['customerId'] ?? '');
}
