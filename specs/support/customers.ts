import { randomUUID } from 'node:crypto';
import { newEmail, succeeded, type Answer, type Need, type Platform } from '../../suite/index.ts';
import { objectsWithin } from '../../suite/objects-within.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Values of the state `due-diligence`. */
export interface CustomerBodies {
  /** With every due-diligence field. */
  readonly body: Fields;
  readonly without: Fields;
  readonly invalid?: Fields;
  readonly invalidFields?: readonly string[];
}

/** The same body for another customer. */
export function fresh(body: Fields): Fields {
  return { ...body, platformCustomerId: `assay-${randomUUID()}`, email: newEmail() };
}

/** POST /customers */
export function create(platform: Platform, body: object, label: string): Promise<Answer> {
  return platform.call('createCustomer', { label, body: platform.filled('createCustomer', body) });
}

/** PATCH /customers/{customerId} */
export function update(
  platform: Platform,
  customerId: string,
  fields: object,
  label: string,
): Promise<Answer> {
  const body = { customerType: 'INDIVIDUAL', ...fields };
  return platform.call('updateCustomer', { label, path: { customerId }, body });
}

/** The id of a customer that was created as preparation. */
export function idOf(created: Answer, need: Need): string {
  need(created).available();
  const { id } = (created.body ?? {}) as { readonly id?: unknown };
  return need.offered(typeof id === 'string' ? id : undefined, 'the new customer shows no id');
}

/** Ends the test where this customer takes no update. One that changes nothing may be refused for just that. */
export async function needUpdate(platform: Platform, customerId: string, need: Need): Promise<void> {
  const empty = await update(platform, customerId, {}, 'an update that changes nothing');
  const told = succeeded(empty)
    ? empty
    : await update(platform, customerId, { email: newEmail() }, 'an update of the email');
  need(told).accepted();
}

/** Every object in an accepted answer of unknown shape, at any depth. */
export function everyObjectIn(answer: Answer): readonly Fields[] {
  return succeeded(answer) ? objectsWithin(answer.body as unknown) : [];
}

/** Names of the fields that an answer carries at its top. */
export function fieldsOf(answer: Answer): readonly string[] | string {
  const body: unknown = answer.exchange.response ? answer.body : undefined;
  return typeof body === 'object' && body !== null ? Object.keys(body) : 'no JSON';
}

/** The fields that details.errors names, in their order. */
export function namedIn(answer: Answer): readonly string[] {
  const { details } = (answer.body ?? {}) as { details?: { errors?: readonly { field?: unknown }[] } };
  return Array.isArray(details?.errors) ? details.errors.map((error) => String(error?.field)) : [];
}
