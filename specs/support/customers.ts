import { randomUUID } from 'node:crypto';
import { newEmail, type Answer, type Given, type Need, type Platform } from '../../suite/index.ts';
import { objectsWithin } from '../../suite/bodies.ts';

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

/** Every text of an accepted answer of unknown shape, with its name; numbers are written as texts. */
export function textsIn(answer: Answer): readonly (readonly [name: string, text: string])[] {
  return everyObjectIn(answer)
    .flatMap((object) => Object.entries(object))
    .filter((entry) => ['string', 'number'].includes(typeof entry[1]))
    .map(([name, value]) => [name, String(value)]);
}

/** Texts that are addresses; one that is called so may be relative. */
export function urlsIn(answer: Answer): readonly string[] {
  return textsIn(answer)
    .filter(
      ([name, text]) =>
        /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || (/ur[il]$|link|href/i.test(name) && text !== ''),
    )
    .map(([, text]) => text);
}

/** The version of the terms: the text whose name says so. */
export function versionIn(answer: Answer): string | undefined {
  return textsIn(answer).find(([name, text]) => /version/i.test(name) && text !== '')?.[1];
}

/** Every object in an accepted answer of unknown shape, at any depth. */
export function everyObjectIn(answer: Answer): readonly Readonly<Record<string, unknown>>[] {
  if (!answer.exchange.response || !answer.accepted) return [];
  return objectsWithin(answer.body as unknown);
}

/** Names of the fields that an answer carries at its top. */
export function fieldsOf(answer: Answer): readonly string[] | string {
  const body: unknown = answer.exchange.response ? answer.body : undefined;
  return typeof body === 'object' && body !== null ? Object.keys(body) : 'no JSON';
}
