import {
  addInternalAccount,
  type ExternalAccount,
  type InternalAccount,
  setAccountStatus,
} from '../areas/accounts/records.ts';
import { addCredential } from '../areas/credentials/records.ts';
import {
  type Customer,
  type Limits,
  type ScaProfile,
  type Traits,
  traitsOf,
  usualSca,
} from '../areas/customers/records.ts';
import { customerWebhooks } from '../areas/events/records.ts';
import { SESSION_TIME } from '../areas/sca/records.ts';
import type { Json, JsonObject } from '../server/json.ts';
import type { World } from '../world/world.ts';

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
  const usual = usualSca(world);
  const passkey = sca['passkey'] as Record<string, string> | undefined;
  return {
    challenges: Number(sca['challenges'] ?? usual.challenges),
    availableFactors: (sca['availableFactors'] as string[] | undefined) ?? usual.availableFactors,
    purposes: (sca['purposes'] as (string | null)[] | undefined) ?? usual.purposes,
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
