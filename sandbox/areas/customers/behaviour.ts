import { isObject, type Json, type JsonObject } from '../../server/json.ts';
import type { Passes } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { externalAccounts, internalAccounts } from '../accounts/records.ts';
import { type Credential, credentialsOf } from '../credentials/records.ts';
import type { Platform } from '../platform/records.ts';
import { counterpartyOf } from '../quotes/records.ts';
import { type Payment, type Transaction, transactions } from '../transfers/records.ts';
import {
  addCustomer,
  consentFits,
  currentTerms,
  type Customer,
  isEuropean,
  traitsOf,
  usualSca,
} from './records.ts';
import { worthIn } from '../quotes/rates.ts';

/*
 * Customers: their data, the end-user terms, verification and contacts, and the limits of their payments. What a sandbox's caller
 * decides about a customer is in its traits (records.ts).
 */

/**
 * Puts a customer on record, from a body that fits its schema. Nothing is known of it yet: its KYC is pending, and it has
 * accepted no terms that it did not bring. @throws Refusal
 */
export function registerCustomer(world: World, platform: Platform, data: JsonObject): Customer {
  const { customerType, platformCustomerId, endUserTermsConsent } = data;
  consentFits(world, endUserTermsConsent);
  const customer = addCustomer(world, platform, {
    data,
    ...(customerType === undefined ? {} : { customerType: customerType as Customer['customerType'] }),
    ...(platformCustomerId === undefined ? {} : { platformCustomerId: platformCustomerId as string }),
  });
  const traits = traitsOf(world, customer.id);
  traits.hasAcceptedTerms = false;
  traits.kyc = 'PENDING';
  if (isEuropean(data)) {
    traits.mandatesContact = true;
    traits.sca = usualSca(world);
  }
  world.behaviour.recordConsent(customer, endUserTermsConsent);
  return customer;
}

/** Versions that a customer may have accepted. */
export function termsSupported(world: World, version: string): boolean {
  return version === currentTerms(world) || version === '2026-02-01';
}

/** The acceptance is on file from now on. */
export function recordConsent(world: World, customer: Customer, consent: Json | undefined): void {
  if (isObject(consent)) traitsOf(world, customer.id).hasAcceptedTerms = true;
}

/** One entry for each problem. */
export function presentProblems(_world: World, problems: readonly string[]): Json {
  return problems.map((field) => ({ type: 'MISSING_FIELD', field, reason: `${field} is missing.` }));
}

export type Channel = 'email' | 'phone';

/** Only for customers whose payment provider mandates it. */
export function contactApplies(
  world: World,
  customer: Customer,
  channel: Channel,
  _step: 'start' | 'confirm',
): Passes {
  if (!world.behaviour.contactMandated(customer)) throw world.behaviour.refuseContact(channel);
}

/**
 * interface.md > What the service does: of a customer whose payment provider mandates it. Which providers do is not shown;
 * the sandbox's caller decides.
 */
export function contactMandated(world: World, customer: Customer): boolean {
  return traitsOf(world, customer.id).mandatesContact;
}

/** Takes over what a customer update says. */
export function updateCustomer(world: World, customer: Customer, change: JsonObject): void {
  customer.data = { ...customer.data, ...change };
  customer.updatedAt = world.clock.now(customer.id);
  if (typeof change['email'] === 'string') syncEmail(world, customer, change['email']);
}

/** Whether an update touches what a credential hangs on. */
export function emailNeedsSignature(world: World, customer: Customer, email: Json | undefined): boolean {
  return (
    email !== undefined &&
    email !== customer.data['email'] &&
    world.behaviour.tiedCredentials(customer).length > 0
  );
}

/** The wallets' credentials that send their codes to the customer's e-mail. */
export function tiedCredentials(world: World, customer: Customer): Credential[] {
  return internalAccounts
    .all(world)
    .filter(({ customerId }) => customerId === customer.id)
    .flatMap((account) => credentialsOf(world, account.id))
    .filter(({ type }) => type === 'EMAIL_OTP');
}

/** The e-mail of customer and credential stay the same. */
function syncEmail(world: World, customer: Customer, email: string): void {
  for (const credential of world.behaviour.tiedCredentials(customer)) {
    credential.nickname = email;
    credential.updatedAt = world.clock.now(customer.id);
  }
}

/** Limits are looked at when a quote is made… Where is not shown. */
export function limitsAtQuote(world: World, payment: Payment): Passes {
  world.behaviour.withinLimits(payment);
}

/** …or a transfer is submitted, which goes straight to withinLimits, and again when it is executed, for the day may have gone on. */
export function limitsAtExecution(world: World, payment: Payment): Passes {
  world.behaviour.withinLimits(payment);
}

/** Which of several exceeded limits is told is not shown: the first in this order. @throws Refusal */
export function withinLimits({ behaviour }: World, payment: Payment): Passes {
  behaviour.withinTransactionSize(payment);
  behaviour.ownershipSuffices(payment);
  behaviour.withinVelocity(payment);
  behaviour.withinDailyVolume(payment);
}

/** Exactly the configured maximum is allowed. */
export function withinTransactionSize(world: World, payment: Payment): Passes {
  const { transactionSize } = traitsOf(world, payment.customerId).limits;
  if (transactionSize === undefined || payment.totalSendingAmount <= transactionSize) return;
  throw world.behaviour.refuseTransactionSize(transactionSize);
}

/** The day's sum, this payment included, must not go beyond the volume. */
export function withinDailyVolume(world: World, payment: Payment): Passes {
  const { dailyVolume } = traitsOf(world, payment.customerId).limits;
  if (dailyVolume === undefined) return;
  let sum = payment.totalSendingAmount;
  for (const { amount, currency } of world.behaviour.executedToday(payment.customerId))
    sum += worthIn(world, amount, currency, payment.sendingCurrency);
  if (sum > dailyVolume) throw world.behaviour.refuseDailyVolume();
}

/** A counterparty takes so many payments a day. */
export function withinVelocity(world: World, payment: Payment): Passes {
  const { velocity } = traitsOf(world, payment.customerId).limits;
  if (velocity === undefined) return;
  const earlier = world.behaviour
    .executedToday(payment.customerId)
    .filter(({ counterparty }) => counterparty === counterpartyOf(payment));
  if (earlier.length >= velocity) throw world.behaviour.refuseVelocity();
}

/** Payments of a customer, by whatever way in, whose execution began in the last 24 hours and did not fail. */
export function executedToday(world: World, customerId: string): readonly Transaction[] {
  const since = world.clock.now(customerId) - 24 * 3_600_000;
  return transactions
    .all(world)
    .filter(
      (one) => one.customerId === customerId && one.status !== 'FAILED' && (one.executedAt ?? 0) > since,
    );
}

/** Above the regulatory threshold the destination must be ACTIVE. */
export function ownershipSuffices(world: World, payment: Payment): Passes {
  const account = externalAccounts.get(world, counterpartyOf(payment));
  if (payment.isPaidOut === false) return;
  if (!account || account.status === 'ACTIVE') return;
  if (!world.behaviour.ownershipNeeded(account.status, payment)) return;
  throw world.behaviour.refuseUnverified();
}

/**
 * interface.md > External account status: a pending account is still usable below regulatory thresholds, which are not
 * shown. Nor is what an UNVERIFIED one may receive: here as much as a pending one. The threshold, in the smallest unit of
 * the sending currency, is itself too much.
 */
export function ownershipNeeded(world: World, _status: string, payment: Payment): boolean {
  return payment.totalSendingAmount >= traitsOf(world, payment.customerId).limits.ownershipThreshold;
}
