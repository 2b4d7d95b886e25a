import { bodyOf, platformOf } from '../../core/call.ts';
import { enforce } from '../../core/refusal.ts';
import { created, ok } from '../../core/reply.ts';
import type { Route } from '../../core/route.ts';
import { addCustomer, customers, type Customer } from '../../domain/customer.ts';
import { traitsOf } from '../../domain/traits.ts';
import { customerProperties } from './customer-schema.ts';
import { list } from '../list.ts';
import { ownedCustomer } from '../owned.ts';

/** Accounts of a customer that names no currencies. */
const CURRENCIES = ['USD', 'EUR'];

export const customerRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/customers',
    auth: 'platform',
    body: {
      type: 'object',
      properties: {
        ...customerProperties,
        platformCustomerId: { type: 'string', minLength: 1 },
        currencies: { type: 'array', minItems: 1, items: { type: 'string', pattern: '^[A-Z0-9]{3,12}$' } },
      },
    },
    handle(call) {
      const { world } = call;
      const data = bodyOf(call);
      const { customerType, platformCustomerId, currencies, endUserTermsConsent } = data;
      enforce(world.rules.consentFits(world, endUserTermsConsent));
      const customer = addCustomer(world, platformOf(call), {
        data,
        ...(customerType === undefined ? {} : { customerType: customerType as Customer['customerType'] }),
        ...(platformCustomerId === undefined ? {} : { platformCustomerId: platformCustomerId as string }),
      });
      const traits = traitsOf(world, customer.id);
      traits.hasAcceptedTerms = false;
      traits.kyc = 'PENDING';
      world.rules.recordConsent(world, customer, endUserTermsConsent);
      world.rules.openAccounts(world, customer, (currencies as string[] | undefined) ?? CURRENCIES);
      world.rules.openWallet(world, customer);
      return created(world.rules.presentCustomer(world, customer));
    },
  },
  {
    method: 'GET',
    path: '/customers',
    auth: 'platform',
    handle(call) {
      const { world } = call;
      const mine = customers
        .all(world)
        .filter((customer) => world.rules.platformOwns(world, platformOf(call), customer));
      return list(world, mine, world.rules.presentCustomer);
    },
  },
  {
    method: 'GET',
    path: '/customers/:customerId',
    auth: 'platform',
    handle: (call) =>
      ok(call.world.rules.presentCustomer(call.world, ownedCustomer(call, call.params['customerId']!))),
  },
];
