import { createPrivateKey, createPublicKey, randomBytes, randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '../core/json.ts';
import { param, type State } from '../core/state.ts';
import type { World } from '../core/world.ts';
import { base58 } from '../crypto/wallet-signature.ts';
import { addCustomer, type Customer } from '../domain/customer.ts';
import { addExternalAccount, type ExternalAccount } from '../domain/external-account.ts';
import { CONTACT_CODE } from '../domain/fixed-codes.ts';
import { addInternalAccount, fund } from '../domain/internal-account.ts';
import { mainPlatform, platforms, type Platform } from '../domain/platform.ts';
import { traitsOf, type Limits, type Traits } from '../domain/traits.ts';

/** ASN.1 in front of the 32 bytes of an Ed25519 private key. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

export const amountParam = { type: 'integer', minimum: 0, maximum: Number(2n ** 63n - 1n) };
const currency = { type: 'string', pattern: '^[A-Z0-9]{3,12}$' };

/** Params of every state that prepares a customer with accounts. Amounts in the smallest unit of the currency. */
export const customerParams = {
  balance: amountParam,
  currency,
  destinationCurrency: currency,
  termsAccepted: { type: 'boolean' },
  ready: { type: 'boolean' },
  counterpartyEnabled: { type: 'boolean' },
  kyc: { enum: ['APPROVED', 'PENDING', 'REJECTED'] },
  ownership: { enum: ['PENDING', 'ACTIVE', 'UNVERIFIED'] },
  limits: {
    type: 'object',
    additionalProperties: false,
    properties: {
      transactionSize: amountParam,
      dailyVolume: amountParam,
      velocity: { type: 'integer', minimum: 0 },
      ownershipThreshold: amountParam,
    },
  },
  executionFails: { type: 'boolean' },
  ownPlatform: { type: 'boolean' },
  destinationKind: { enum: ['ACCOUNT', 'UMA_ADDRESS'] },
  customerType: { enum: ['INDIVIDUAL', 'BUSINESS'] },
  email: { type: 'string' },
  phone: { type: 'string' },
  contactVerification: { type: 'boolean' },
} as const;

/** A customer that can pay, with a source, a destination and a quote request that fits them. */
export const customerState: State = {
  name: 'customer',
  params: customerParams,
  setup: (world, params) => prepareCustomer(world, params).values,
};

export interface Prepared {
  readonly customer: Customer;
  readonly values: JsonObject;
}

export function prepareCustomer(world: World, params: JsonObject): Prepared {
  const sending = param(params, 'currency', 'USD');
  const receiving = param(params, 'destinationCurrency', 'EUR');
  const platform = param(params, 'ownPlatform', false) ? newPlatform(world) : mainPlatform(world);
  const name = randomUUID();
  const customer = addCustomer(world, platform, {
    platformCustomerId: `platform-${name}`,
    customerType: param(params, 'customerType', 'INDIVIDUAL') as Customer['customerType'],
    data: {
      email: param(params, 'email', `${name}@example.com`),
      phoneNumber: param(params, 'phone', '+15550100100'),
    },
  });
  const source = addInternalAccount(world, customer, sending);
  const balance = BigInt(param<number | bigint>(params, 'balance', 1_000_000));
  if (balance > 0n) fund(world, source, balance);
  const traits = traitsOf(world, customer.id);
  prepareTraits(traits, params);
  const wallet = newWallet();
  const target = addDestination(world, customer, receiving, wallet.address, params);
  const destination =
    params['destinationKind'] === 'UMA_ADDRESS'
      ? { destinationType: 'UMA_ADDRESS', umaAddress: UMA, currency: receiving }
      : { destinationType: 'ACCOUNT', accountId: target.id };
  if (!param(params, 'counterpartyEnabled', true)) traits.closedTo = destination.accountId ?? UMA;
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
      termsVersion: world.rules.currentTerms(world),
      umaAddress: UMA,
      unknownUmaAddress: '$nobody@vasp.sandbox.example',
      ownershipThreshold: traits.limits.ownershipThreshold,
      limits: limitsShown(traits.limits),
      walletPrivateKey: wallet.privateKey,
      wallet: {
        scheme: 'ed25519',
        privateKey: wallet.privateKey,
        publicKey: wallet.publicKey,
        address: wallet.address,
      },
      email: customer.data['email'],
      phone: customer.data['phoneNumber'],
      ...(traits.mandatesContact ? { contactCode: CONTACT_CODE } : {}),
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
  const clientId = `prepared-${randomUUID()}`;
  return platforms.put(world, clientId, {
    kind: 'platform',
    id: `Platform:${clientId}`,
    clientId,
    clientSecret: randomUUID(),
  });
}

const UMA = '$ada@vasp.sandbox.example';

function prepareTraits(traits: Traits, params: JsonObject): void {
  traits.hasAcceptedTerms = param(params, 'termsAccepted', true);
  traits.isReady = param(params, 'ready', true);
  traits.kyc = param(params, 'kyc', 'APPROVED') as Traits['kyc'];
  traits.mandatesContact = param(params, 'contactVerification', false);
  const { transactionSize, dailyVolume, velocity, ownershipThreshold } = param<JsonObject>(
    params,
    'limits',
    {},
  );
  traits.limits = {
    ...(transactionSize === undefined ? {} : { transactionSize: BigInt(transactionSize as number) }),
    ...(dailyVolume === undefined ? {} : { dailyVolume: BigInt(dailyVolume as number) }),
    ...(velocity === undefined ? {} : { velocity: Number(velocity) }),
    ownershipThreshold: ownershipThreshold === undefined ? 100_000n : BigInt(ownershipThreshold as number),
  };
}

function limitsShown(limits: Limits): JsonObject {
  return { ...limits };
}

function addDestination(
  world: World,
  customer: Customer,
  code: string,
  address: string,
  params: JsonObject,
): ExternalAccount {
  const ownership = params['ownership'];
  const status =
    ownership === 'PENDING'
      ? 'PENDING_OWNERSHIP_VERIFICATION'
      : ((ownership as string | undefined) ?? 'ACTIVE');
  return addExternalAccount(world, customer, code, {
    status,
    ...(ownership === undefined
      ? {}
      : { accountInfo: { accountType: 'SOLANA_WALLET', assetType: 'USDC', address } }),
    ...(params['executionFails'] === true ? { payoutFails: 'ACCOUNT_CANNOT_RECEIVE' } : {}),
  });
}

function newWallet() {
  const seed = randomBytes(32);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    privateKey: seed.toString('hex'),
    publicKey: publicKey.toString('hex'),
    address: base58(publicKey),
  };
}
