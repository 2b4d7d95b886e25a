import { bodyOf, created, ok, operation, type Route } from '../../server/area.ts';
import { isObject, type Json, type JsonObject } from '../../server/json.ts';
import { Refusal } from '../../server/refusal.ts';
import { mintId, shownTimes, type World } from '../../world/world.ts';
import {
  allOwned,
  type Filters,
  list,
  listQuery,
  ownedCustomer,
  platformOf,
} from '../conventions/operations.ts';
import { signedRoute } from '../credentials/signed-operation.ts';
import type { Channel } from './behaviour.ts';
import {
  consentFits,
  CONTACT_CODE,
  currentTerms,
  type Customer,
  customers,
  NEEDED,
  traitsOf,
} from './records.ts';
import { openAccounts } from '../accounts/records.ts';

/** Accounts of a customer that names no currencies. */
const CURRENCIES = ['USD', 'EUR'];

const customerFilters: Filters<Customer> = {
  platformCustomerId: ({ platformCustomerId }) => platformCustomerId,
  customerType: ({ customerType }) => customerType,
};

export const customerRoutes: readonly Route[] = [
  {
    ...operation('POST /customers'),
    handle(world, call) {
      const { currencies } = bodyOf(call);
      const customer = world.behaviour.registerCustomer(platformOf(call), bodyOf(call));
      openAccounts(world, customer, (currencies as string[] | undefined) ?? CURRENCIES);
      world.behaviour.openWallet(customer);
      return created(presentCustomer(world, customer));
    },
  },
  {
    ...operation('GET /customers'),
    query: listQuery(customerFilters),
    handle(world, call) {
      const mine = allOwned(call, customers);
      return list(call, mine, (one) => presentCustomer(world, one), customerFilters);
    },
  },
  {
    ...operation('GET /customers/:customerId'),
    handle: (world, call) => ok(presentCustomer(world, ownedCustomer(call, call.params['customerId']!))),
  },
  // An update of an e-mail that a credential hangs on is signed; any other one is done at once.
  signedRoute({
    ...operation('PATCH /customers/:customerId'),
    prepare(world, call) {
      const customer = ownedCustomer(call, call.params['customerId']!);
      const change = bodyOf(call);
      consentFits(world, change['endUserTermsConsent']);
      const update = () => {
        world.behaviour.recordConsent(customer, change['endUserTermsConsent']);
        world.behaviour.updateCustomer(customer, change);
        return ok(presentCustomer(world, customer));
      };
      if (!world.behaviour.emailNeedsSignature(customer, change['email'])) return update();
      const accountIds = [
        ...new Set(world.behaviour.tiedCredentials(customer).map(({ accountId }) => accountId)),
      ];
      return { signers: { customerId: customer.id, accountIds }, complete: update };
    },
  }),
  // The end-user terms in force, with URL and version; what these fields are called is not shown.
  {
    ...operation('GET /customers/end-user-terms'),
    handle(world) {
      const version = currentTerms(world);
      return ok({ version, url: `https://terms.sandbox.example/${version}` });
    },
  },
  // KYC and KYB verifications.
  {
    ...operation('POST /verifications'),
    handle(world, call) {
      const customer = ownedCustomer(call, bodyOf(call)['customerId'] as string);
      const problems = verificationProblems(customer);
      // Of the answer only RESOLVE_ERRORS and one entry per problem are known.
      return ok({
        id: mintId(world, 'Verification'),
        customerId: customer.id,
        verificationStatus: problems.length > 0 ? 'RESOLVE_ERRORS' : 'IN_PROGRESS',
        errors: world.behaviour.presentProblems(problems),
      });
    },
  },
  ...(['email', 'phone'] as const).flatMap(contactRoutes),
];

/** Contact verification. */
function contactRoutes(channel: Channel): Route[] {
  const start = `POST /customers/:customerId/verify-${channel}` as const;
  return [
    {
      ...operation(start),
      handle(world, call) {
        startContactVerification(world, ownedCustomer(call, call.params['customerId']!), channel);
        return ok(presentContact(channel, 'PENDING'));
      },
    },
    {
      ...operation(`${start}/confirm`),
      body: { type: 'object' },
      bodyOptional: true,
      handle(world, call) {
        const customer = ownedCustomer(call, call.params['customerId']!);
        confirmContact(world, customer, channel, String(bodyOf(call)['code']));
        return ok(presentContact(channel, 'VERIFIED'));
      },
    },
  ];
}

/**
 * The fields of customers are not shown: whatever the platform sent comes back, and what the service itself knows stands
 * over it.
 */
function presentCustomer(world: World, customer: Customer): JsonObject {
  const { data, id, platformCustomerId, customerType } = customer;
  return { ...data, id, platformCustomerId, customerType, ...shownTimes(world, customer) };
}

/** Fields of the customer that are missing, by dot path. */
function verificationProblems(customer: Customer): readonly string[] {
  return NEEDED.filter((path) => at(customer.data, path) === undefined);
}

function at(data: Json, path: string): Json | undefined {
  let value: Json | undefined = data;
  for (const step of path.split('.')) value = isObject(value) ? value[step] : undefined;
  return value;
}

/** Sends a code. @throws Refusal */
function startContactVerification(world: World, customer: Customer, channel: Channel): void {
  world.behaviour.contactApplies(customer, channel, 'start');
  traitsOf(world, customer.id).contactCodes.set(channel, CONTACT_CODE);
}

/** Takes the code that was sent. @throws Refusal */
function confirmContact(world: World, customer: Customer, channel: Channel, code: string): void {
  world.behaviour.contactApplies(customer, channel, 'confirm');
  const codes = traitsOf(world, customer.id).contactCodes;
  if (codes.get(channel) !== code) throw new Refusal(400, 'INVALID_INPUT', 'The code is not right.');
  codes.delete(channel);
}

/** The shape of these answers is not shown. */
function presentContact(channel: Channel, status: string): JsonObject {
  return { channel, status };
}
