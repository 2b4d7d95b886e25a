import type { FieldError } from '../../server/contract-schemas.ts';
import type { Json, JsonObject } from '../../server/json.ts';
import { Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';

/** The error body of interface.md > Errors. */
export function presentError(_world: World, refusal: Refusal): JsonObject {
  const { status, code, message, details } = refusal;
  return { status, code, message, ...(details === undefined ? {} : { details }) };
}

/** One entry of details.errors. */
export function presentFieldError(_world: World, error: FieldError): JsonObject {
  return { field: error.field, constraint: error.constraint, message: error.message };
}

/** details.errors: one entry for each invalid field, all at once. */
export function presentFieldErrors(world: World, errors: readonly FieldError[]): Json {
  return errors.map((error) => world.behaviour.presentFieldError(error));
}

/** Every invalid field in one answer. A body that is no object at all has no fields to name. */
export function refuseInvalidFields(world: World, errors: readonly FieldError[]): Refusal {
  if (errors.some((error) => error.field === '')) {
    return new Refusal(400, 'INVALID_REQUEST_FORMAT', `${errors[0]!.message}.`);
  }
  const count = errors.length === 1 ? 'A field is' : `${errors.length} fields are`;
  const message = `${count} invalid: ${errors.map((error) => error.message).join(', ')}.`;
  return new Refusal(400, 'INVALID_INPUT', message, {
    details: { errors: world.behaviour.presentFieldErrors(errors) },
  });
}

/** A record that is not there, or not for this caller. */
export function refuseNotFound(_world: World, kind: string, id: string): Refusal {
  const code = { Customer: 'USER_NOT_FOUND', Transaction: 'TRANSACTION_NOT_FOUND', Quote: 'QUOTE_NOT_FOUND' }[
    kind
  ];
  return new Refusal(404, code ?? 'REFERENCE_NOT_FOUND', `There is no ${kind} ${id}.`);
}
