import { Unpreparable } from '../../server/area.ts';
import type { Json, JsonObject } from '../../server/json.ts';
import type { Table } from '../../world/table.ts';
import type { World } from '../../world/world.ts';
import { setAccountStatus } from '../accounts/ownership.ts';
import {
  addInternalAccount,
  balanceOf,
  type ExternalAccount,
  externalAccounts,
  type InternalAccount,
  internalAccounts,
} from '../accounts/records.ts';
import { type Agent, agents } from '../agents/records.ts';
import { addCredential, credentialsOf } from '../credentials/records.ts';
import {
  type Customer,
  customers,
  type Limits,
  type ScaProfile,
  type Traits,
  traitsOf,
} from '../customers/records.ts';
import { customerWebhooks, type Refund, refunds } from '../events/records.ts';
import {
  type Card,
  cards,
  type CardTransaction,
  cardTransactions,
  configOf,
  mainPlatform,
  type Platform,
  type PlatformConfig,
  platforms,
} from '../platform/records.ts';
import { SESSION_TIME } from '../sca/challenges.ts';

/*
 * Steering, and no area of the interface: what a real service decides by itself, and a sandbox lets its callers decide. The
 * operations below /sandbox and the provider states call these functions, and nothing else does. Changes are JSON, as a caller
 * sends it; it fits the schema of its operation.
 */

/** From this amount on ownership must be verified, unless a customer has another limit. Smallest unit of the currency. */
const OWNERSHIP_THRESHOLD = 100_000n;

/** A customer that is locked out stays so for an hour. Milliseconds. */
const LOCK_TIME = 3_600_000;

/** Decides about a customer; what the change leaves out stays as it is. */
export function steerCustomer(world: World, customer: Customer, change: JsonObject): void {
  const traits = traitsOf(world, customer.id);
  const given = <T>(name: string, take: (value: T) => void) => {
    if (change[name] !== undefined) take(change[name] as T);
  };
  given<Traits['kyc']>('kyc', (kyc) => (traits.kyc = kyc));
  given<boolean>('ready', (ready) => (traits.isReady = ready));
  given<boolean>('termsAccepted', (accepted) => (traits.hasAcceptedTerms = accepted));
  given<boolean>('contactVerification', (mandated) => (traits.mandatesContact = mandated));
  given<JsonObject>('limits', (limits) => (traits.limits = readLimits(limits)));
  given<string>('statusOfNewAccounts', (status) => (traits.statusOfNewAccounts = status));
  given<number>('quoteLifetimeSeconds', (seconds) => (traits.quoteLifetime = Number(seconds) * 1000));
  given<string>('fundingAccountType', (type) => (traits.fundingAccountType = type));
  given<string | null>('counterpartyNotEnabled', (counterparty) => {
    if (counterparty === null) delete traits.closedTo;
    else traits.closedTo = counterparty;
  });
  given<JsonObject | null>('sca', (sca) => {
    if (sca === null) delete traits.sca;
    else traits.sca = readSca(world, customer, sca);
  });
  given<string | null>('webhookEndpoint', (url) => {
    if (url === 'platform') customerWebhooks.delete(world, customer.id);
    else customerWebhooks.put(world, customer.id, { url });
  });
}

/** What has been decided about a customer. */
export function steeringOf(world: World, customer: Customer): JsonObject {
  const traits = traitsOf(world, customer.id);
  const webhook = customerWebhooks.get(world, customer.id);
  return {
    customerId: customer.id,
    kyc: traits.kyc,
    ready: traits.isReady,
    termsAccepted: traits.hasAcceptedTerms,
    contactVerification: traits.mandatesContact,
    limits: { ...traits.limits },
    statusOfNewAccounts: traits.statusOfNewAccounts ?? 'ACTIVE',
    quoteLifetimeSeconds: traits.quoteLifetime === undefined ? undefined : traits.quoteLifetime / 1000,
    fundingAccountType: traits.fundingAccountType,
    counterpartyNotEnabled: traits.closedTo ?? null,
    sca: traits.sca ? scaShown(world, traits.sca) : null,
    webhookEndpoint: webhook ? webhook.url : 'platform',
  };
}

function readLimits({ transactionSize, dailyVolume, velocity, ownershipThreshold }: JsonObject): Limits {
  const amount = (name: string, value: Json | undefined) =>
    value === undefined ? {} : { [name]: BigInt(value as number | bigint) };
  return {
    ownershipThreshold: OWNERSHIP_THRESHOLD,
    ...amount('transactionSize', transactionSize),
    ...amount('dailyVolume', dailyVolume),
    ...amount('ownershipThreshold', ownershipThreshold),
    ...(velocity === undefined ? {} : { velocity: Number(velocity) }),
  };
}

function readSca(world: World, customer: Customer, sca: JsonObject): ScaProfile {
  const now = world.clock.now(customer.id);
  const passkey = sca['passkey'] as Record<string, string> | undefined;
  return {
    challenges: Number(sca['challenges'] ?? world.behaviour.usualChallenges()),
    availableFactors: (sca['availableFactors'] as string[] | undefined) ?? ['SMS_OTP'],
    purposes: (sca['purposes'] as (string | null)[] | undefined) ?? ['CURRENCY_CONVERSION', 'PAYOUT'],
    ...(passkey === undefined
      ? {}
      : {
          passkey: {
            credentialId: passkey['credentialId']!,
            publicKey: new Uint8Array(Buffer.from(passkey['publicKey']!, 'base64url')),
            counter: 0,
            origin: passkey['origin']!,
            rpId: passkey['rpId']!,
            transports: ['internal'],
            userHandle: passkey['userHandle']!,
          },
        }),
    failedAttempts: sca['locked'] === true ? world.behaviour.mostFailures() : 0,
    ...(sca['locked'] === true ? { lockedUntil: now + LOCK_TIME } : {}),
    ...(sca['loggedIn'] === false ? {} : { sessionExpiresAt: now + SESSION_TIME }),
  };
}

function scaShown(world: World, sca: ScaProfile): JsonObject {
  const time = (at: number | undefined) => (at === undefined ? null : world.behaviour.presentTime(at));
  return {
    challenges: sca.challenges,
    availableFactors: sca.availableFactors,
    purposes: sca.purposes,
    sessionExpiresAt: time(sca.sessionExpiresAt),
    lockedUntil: time(sca.lockedUntil),
  };
}

/** Decides about an external account. A change of its status is told, as every other one. */
export function steerExternalAccount(world: World, account: ExternalAccount, change: JsonObject): void {
  const { status, payoutFails } = change;
  if (typeof status === 'string') setAccountStatus(world, account, status);
  if (payoutFails === null) delete account.payoutFails;
  else if (payoutFails !== undefined) account.payoutFails = payoutFails as string;
}

const ADDRESS = { EMAIL_OTP: 'email', SMS_OTP: 'phoneNumber' } as const;

/** A Global Account with exactly these credentials; the usual way to open one gives it one of type EMAIL_OTP. */
export function openWalletWith(
  world: World,
  customer: Customer,
  types: readonly (keyof typeof ADDRESS)[],
): InternalAccount {
  const account = addInternalAccount(world, customer, 'USDC', 'EMBEDDED_WALLET');
  for (const type of types)
    addCredential(world, account, { type, nickname: String(customer.data[ADDRESS[type]] ?? '') });
  return account;
}

/*
 * Records that the params of a provider state name. States find them here and change them by the world's behaviour; a state that wrote
 * a record itself would prepare what no caller could.
 */

export { mainPlatform };

function finder<T>(table: Table<T>, kind: string) {
  return (world: World, id: Json | undefined): T => {
    const record = typeof id === 'string' ? table.get(world, id) : undefined;
    if (record === undefined) throw new Unpreparable(`there is no such ${kind}.`);
    return record;
  };
}

/** @throws Unpreparable, as every one of these */
export const findCustomer: (world: World, id: Json | undefined) => Customer = finder(customers, 'customer');
export const findExternalAccount: (world: World, id: Json | undefined) => ExternalAccount = finder(
  externalAccounts,
  'external account',
);
export const findRefund: (world: World, id: Json | undefined) => Refund = finder(refunds, 'refund');
export const findCardTransaction: (world: World, id: Json | undefined) => CardTransaction = finder(
  cardTransactions,
  'card transaction',
);

/** The agent, unless it is gone. */
export function agentStillThere(world: World, id: string): Agent | undefined {
  return agents.get(world, id);
}

/** Ids and types of the credentials of a wallet. */
export function credentialsIn(world: World, accountId: string): { id: string; type: string }[] {
  return credentialsOf(world, accountId).map(({ id, type }) => ({ id, type }));
}

/** The first card of a customer, if it has one. */
export function cardOf(world: World, customer: Customer): Card | undefined {
  return cards.all(world).find(({ customerId }) => customerId === customer.id);
}

/** Puts so much money behind a card that a payment of this amount can be authorized. */
export function ensureFunds(world: World, card: Card, amount: bigint): void {
  const account = internalAccounts.get(world, card.accountId)!;
  if (balanceOf(world, account) < amount) world.behaviour.fundAccount(account, amount);
}

/** The settings of a platform: that of this client id, or the main one. @throws Unpreparable */
export function findConfig(world: World, clientId: Json | undefined): PlatformConfig {
  const platform: Platform =
    clientId === undefined ? mainPlatform(world) : finder(platforms, 'platform')(world, clientId);
  return configOf(world, platform.id);
}

/** The settings of a customer's platform. */
export function configFor(world: World, customer: Customer): PlatformConfig {
  return configOf(world, customer.platformId);
}
