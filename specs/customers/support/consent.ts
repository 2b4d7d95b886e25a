import { randomUUID } from 'node:crypto';
import { newEmail, type Answer, type Given, type Need, type Platform } from '../../../suite/index.ts';

/** Values of the state `terms`. */
export interface Terms {
  readonly version: string;
  readonly unknownVersion?: string;
  /** An `endUserTermsConsent` to `version`, as this target takes it. */
  readonly consent?: Readonly<Record<string, unknown>>;
}

/** Values of the state `due-diligence`. */
export interface CustomerBodies {
  /** With every due-diligence field. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly without: Readonly<Record<string, unknown>>;
  readonly invalid?: Readonly<Record<string, unknown>>;
  readonly invalidFields?: readonly string[];
}

/**
 * A consent to a version of the terms. How its fields are called is not shown: they are those that the state gives, else the
 * usual names.
 */
export function consentTo(terms: Terms, version = terms.version): Readonly<Record<string, unknown>> {
  const given = Object.entries(terms.consent ?? {});
  const said = given.map(([name, value]) => [name, value === terms.version ? version : value] as const);
  return {
    endUserTermsConsent:
      given.length > 0
        ? Object.fromEntries(said)
        : {
            acceptedAt: new Date(Date.now() - 60_000).toISOString(),
            ipAddress: '203.0.113.7',
            termsVersion: version,
            acceptanceMethod: 'CHECKBOX',
          },
  };
}

/** Ends the test as not verified where a refusal may only mean that the consent has other fields here. */
export function mustBeUnderstood(need: Need, terms: Terms, answer: Answer): void {
  need.offered(
    terms.consent !== undefined || answer.exchange.response?.status !== 400,
    'the fields of endUserTermsConsent are not shown, the usual ones are refused, and the state gives no other',
  );
}

/** A body of POST /customers that the target takes, with an id and an e-mail of its own. */
export async function customerBody(given: Given): Promise<Readonly<Record<string, unknown>>> {
  const { without } = await given.state<CustomerBodies>('due-diligence', {}, ['without']);
  return fresh(without);
}

/** The same body for another customer. */
export function fresh(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...body, platformCustomerId: `assay-${randomUUID()}`, email: newEmail() };
}

/** POST /customers */
export function create(platform: Platform, body: object, label: string): Promise<Answer> {
  return platform.call('createCustomer', { label, body: platform.filled('createCustomer', body) });
}

/** PATCH /customers/{customerId} */
export function update(platform: Platform, customerId: string, body: object, label: string): Promise<Answer> {
  return platform.call('updateCustomer', {
    label,
    path: { customerId },
    body: { customerType: 'INDIVIDUAL', ...body },
  });
}
