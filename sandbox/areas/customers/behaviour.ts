import { isObject, type Json, type JsonObject } from '../../server/json.ts';
import type { Passes } from '../../server/refusal.ts';
import { mintId, type World } from '../../world/world.ts';
import { internalAccounts } from '../accounts/records.ts';
import { type Credential, credentialsOf } from '../credentials/records.ts';
import type { Platform } from '../platform/records.ts';
import { syncEmail } from './contacts.ts';
import { consentFits } from './operations.ts';
import { addCustomer, type Customer, traitsOf } from './records.ts';

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
  world.behaviour.recordConsent(customer, endUserTermsConsent);
  return customer;
}

/** Version of the end-user terms in force. */
export function currentTerms(_world: World): string {
  return '2026-08-01';
}

/** Versions that a customer may have accepted. */
export function termsSupported(world: World, version: string): boolean {
  return version === world.behaviour.currentTerms() || version === '2026-02-01';
}

/** The acceptance is on file from now on. */
export function recordConsent(world: World, customer: Customer, consent: Json | undefined): void {
  if (isObject(consent)) traitsOf(world, customer.id).hasAcceptedTerms = true;
}

/** The terms are returned with URL and version; what these fields are called is not shown. */
export function presentTerms(world: World): JsonObject {
  const version = world.behaviour.currentTerms();
  return { version, url: `https://terms.sandbox.example/${version}` };
}

/** Of the answer only RESOLVE_ERRORS and one entry per problem are known. @param problems missing fields, by dot path */
export function presentVerification(
  world: World,
  customer: Customer,
  problems: readonly string[],
): JsonObject {
  return {
    id: mintId(world, 'Verification'),
    customerId: customer.id,
    verificationStatus: world.behaviour.verificationStatus(problems),
    errors: world.behaviour.presentProblems(problems),
  };
}

/**
 * RESOLVE_ERRORS is the only status that is shown; what one without problems is called is left open.
 *
 * @param problems missing fields, by dot path
 */
export function verificationStatus(_world: World, problems: readonly string[]): string {
  return problems.length > 0 ? 'RESOLVE_ERRORS' : 'IN_PROGRESS';
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
