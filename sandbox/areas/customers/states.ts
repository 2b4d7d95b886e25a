import { createPrivateKey, createPublicKey, randomBytes, randomUUID } from 'node:crypto';
import { addressOf } from '../../crypto/keys.ts';
import { named, param, type State } from '../../server/area.ts';
import type { Json, JsonObject } from '../../server/json.ts';
import { steerCustomer, steerExternalAccount, steeringOf } from '../../steering/steering.ts';
import type { World } from '../../world/world.ts';
import {
  type ExternalAccount,
  externalAccounts,
  openAccounts,
  registerExternalAccount,
} from '../accounts/records.ts';
import { mainPlatform, type Platform, registerPlatform } from '../platform/records.ts';
import { CONTACT_CODE, currentTerms, type Customer, NEEDED } from './records.ts';

/** ASN.1 in front of the 32 bytes of an Ed25519 private key. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface Prepared {
  readonly customer: Customer;
  readonly values: JsonObject;
}

/** Makes a customer as the params want it; without them, one that can pay 10,000 US dollars to an account in euros. */
export function prepareCustomer(world: World, params: JsonObject): Prepared {
  const sending = param(params, 'currency', 'USD');
  const receiving = param(params, 'destinationCurrency', 'EUR');
  const platform = param(params, 'ownPlatform', false) ? newPlatform(world) : mainPlatform(world);
  const name = randomUUID();
  const { behaviour } = world;
  const customer = newCustomer(
    world,
    {
      customerType: param(params, 'customerType', 'INDIVIDUAL'),
      email: param(params, 'email', `${name}@example.com`),
      phoneNumber: param(params, 'phone', '+15550100100'),
    },
    platform,
  );
  const source = openAccounts(world, customer, [...new Set([sending, receiving])])[0]!;
  const balance = BigInt(param<number | bigint>(params, 'balance', 1_000_000));
  if (balance > 0n) behaviour.fundAccount(source, balance);
  const { termsAccepted, ready, kyc, contactVerification, limits } = params;
  steerCustomer(world, customer, { termsAccepted, ready, kyc, contactVerification, limits });
  const wallet = newWallet();
  const target = addDestination(world, customer, receiving, wallet.address, params);
  const umaAddress = params['executionFails'] === true ? '$returned@vasp.sandbox.example' : UMA;
  const destination =
    params['destinationKind'] === 'UMA_ADDRESS'
      ? { destinationType: 'UMA_ADDRESS', umaAddress, currency: receiving }
      : { destinationType: 'ACCOUNT', accountId: target.id };
  if (!param(params, 'counterpartyEnabled', true))
    steerCustomer(world, customer, { counterpartyNotEnabled: destination.accountId ?? umaAddress });
  const decided = steeringOf(world, customer)['limits'] as JsonObject;
  const quoteSource = { sourceType: 'ACCOUNT', accountId: source.id };
  return {
    customer,
    values: {
      customerId: customer.id,
      platformCustomerId: customer.platformCustomerId,
      sourceAccountId: source.id,
      destinationAccountId: target.id,
      currency: sending,
      destinationCurrency: receiving,
      source: quoteSource,
      destination,
      body: quoteBody(quoteSource, destination),
      termsVersion: currentTerms(world),
      umaAddress,
      unknownUmaAddress: '$nobody@vasp.sandbox.example',
      ownershipThreshold: decided['ownershipThreshold'],
      limits: decided,
      walletPrivateKey: wallet.privateKey,
      wallet: {
        scheme: 'ed25519',
        privateKey: wallet.privateKey,
        publicKey: wallet.publicKey,
        address: wallet.address,
      },
      email: customer.data['email'],
      phone: customer.data['phoneNumber'],
      ...(contactVerification === true ? { contactCode: CONTACT_CODE } : {}),
      ...(platform === mainPlatform(world)
        ? {}
        : { clientId: platform.clientId, clientSecret: platform.clientSecret }),
    },
  };
}

/** A legal POST /quotes body; the amount in the smallest unit of the sending currency. */
export function quoteBody(source: Json, destination: Json): JsonObject {
  return { source, destination, lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 10_000 };
}

/** A platform of its own, so that nothing that others configure is seen. */
export function newPlatform(world: World): Platform {
  return registerPlatform(world, `prepared-${randomUUID()}`);
}

/** A customer that may do everything; without accounts. */
export function newCustomer(
  world: World,
  data: JsonObject,
  platform: Platform = mainPlatform(world),
): Customer {
  const customer = world.behaviour.registerCustomer(platform, {
    ...data,
    platformCustomerId: `platform-${randomUUID()}`,
  });
  steerCustomer(world, customer, { termsAccepted: true, kyc: 'APPROVED' });
  return customer;
}

const UMA = '$ada@vasp.sandbox.example';

function addDestination(
  world: World,
  customer: Customer,
  code: string,
  address: string,
  params: JsonObject,
): ExternalAccount {
  const ownership = params['ownership'];
  if (ownership !== undefined)
    steerCustomer(world, customer, {
      statusOfNewAccounts: ownership === 'PENDING' ? 'PENDING_OWNERSHIP_VERIFICATION' : ownership,
    });
  const account = registerExternalAccount(
    world,
    customer,
    code,
    ownership === undefined ? undefined : { accountType: 'SOLANA_WALLET', assetType: 'USDC', address },
  );
  if (params['executionFails'] === true)
    steerExternalAccount(world, account, { payoutFails: 'ACCOUNT_CANNOT_RECEIVE' });
  return account;
}

function newWallet() {
  const seed = randomBytes(32);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    privateKey: seed.toString('hex'),
    publicKey: publicKey.toString('hex'),
    address: addressOf(publicKey),
  };
}

const PERSON = {
  customerType: 'INDIVIDUAL',
  fullName: 'Ada Example',
  birthDate: '1990-12-10',
  address: { line1: '1 Example Street', city: 'San Francisco', postalCode: '94105', country: 'US' },
  idType: 'PASSPORT',
  identifier: 'C01X00T47',
  countryOfIssuance: 'US',
};

const DUE_DILIGENCE = {
  sourceOfFunds: 'SALARY',
  sourceOfWealth: 'EMPLOYMENT',
  purposeOfAccount: 'FAMILY_SUPPORT',
  expectedTransactionCount: '1_TO_10',
  expectedTransactionVolume: 'UP_TO_10000',
  incomeRange: '50000_TO_100000',
  netWorthRange: '100000_TO_500000',
  pepStatus: 'NOT_PEP',
};

const WRONG = { email: 'nobody', fullName: '', birthDate: 'yesterday', countryOfIssuance: 'Germany' };

/** States that prepare this area. */
export const customerStates: readonly State[] = [
  // A customer that can pay, with a source, a destination and a quote request that fits them.
  {
    name: 'customer',
    setup: (world, params) => prepareCustomer(world, params).values,
  },
  // The end-user terms in force.
  {
    name: 'terms',
    setup(world) {
      const version = currentTerms(world);
      const consent = {
        acceptedAt: world.behaviour.presentTime(world.clock.now()),
        ipAddress: '203.0.113.7',
        termsVersion: version,
        acceptanceMethod: 'CHECKBOX',
      };
      return {
        version,
        url: `https://terms.sandbox.example/${version}`,
        unknownVersion: '1999-01-01',
        consent,
      };
    },
  },
  // Bodies of POST /customers with, without and with wrong details.
  {
    name: 'due-diligence',
    setup: () => ({
      body: { ...PERSON, ...DUE_DILIGENCE },
      without: PERSON,
      invalid: { ...PERSON, ...WRONG, address: { ...PERSON.address, country: 'Nowhere' } },
      invalidFields: [...Object.keys(WRONG), 'address.country'],
    }),
  },
  // A customer of whose data so many are missing.
  {
    name: 'verification',
    setup(world, params) {
      const problems = NEEDED.slice(0, Number(param<number | bigint>(params, 'problems', 2)));
      const { customer } = prepareCustomer(world, {});
      const known = Object.entries(PERSON).filter(
        ([name]) => !problems.some((path) => path.split('.')[0] === name),
      );
      world.behaviour.updateCustomer(customer, Object.fromEntries(known));
      const { id: customerId } = customer;
      return {
        customerId,
        problems: [...problems],
        verify: { method: 'POST', path: '/verifications', body: { customerId } },
      };
    },
  },
  // Accounts of a customer that no agent acts for; the internal one holds funds.
  {
    name: 'foreign-accounts',
    setup(world, params) {
      const currency = param(params, 'currency', 'USD');
      const { behaviour } = world;
      const customer = newCustomer(world, {});
      const [internal] = openAccounts(world, customer, [currency]);
      behaviour.fundAccount(internal!, 1_000_000n);
      const external = registerExternalAccount(world, customer, currency);
      return { customerId: customer.id, internalAccountId: internal!.id, externalAccountId: external.id };
    },
  },
  // A person has done the hosted liveness check of an external account.
  {
    name: 'liveness',
    setup(world, params) {
      const account = named(world, externalAccounts, 'external account', params['externalAccountId']);
      world.behaviour.endLiveness(account, params['outcome'] !== 'FAILED');
      return { status: account.status };
    },
  },
];
