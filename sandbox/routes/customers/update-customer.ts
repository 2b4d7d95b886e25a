import { bodyOf } from '../../core/call.ts';
import { enforce } from '../../core/refusal.ts';
import { ok } from '../../core/reply.ts';
import { customerProperties } from './customer-schema.ts';
import { ownedCustomer } from '../owned.ts';
import { signedRoute } from '../credentials/signed-route.ts';

/** An update of an e-mail that a credential hangs on is signed; any other one is done at once. */
export const updateCustomerRoute = signedRoute({
  method: 'PATCH',
  path: '/customers/:customerId',
  body: {
    type: 'object',
    properties: customerProperties,
  },
  prepare(call) {
    const { world } = call;
    const customer = ownedCustomer(call, call.params['customerId']!);
    const change = bodyOf(call);
    enforce(world.rules.consentFits(world, change['endUserTermsConsent']));
    const update = () => {
      world.rules.recordConsent(world, customer, change['endUserTermsConsent']);
      world.rules.updateCustomer(world, customer, change);
      return ok(world.rules.presentCustomer(world, customer));
    };
    if (!world.rules.emailNeedsSignature(world, customer, change['email'])) return update();
    const accountIds = [
      ...new Set(world.rules.tiedCredentials(world, customer).map(({ accountId }) => accountId)),
    ];
    return { signers: { customerId: customer.id, accountIds }, complete: update };
  },
});
