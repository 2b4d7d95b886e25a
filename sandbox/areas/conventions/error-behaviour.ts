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

/** The interface has no 404 code for a route; this is the most general of its list. */
export function refuseUnknownRoute(_world: World, method: string, path: string): Refusal {
  return new Refusal(404, 'REFERENCE_NOT_FOUND', `There is no operation ${method} ${path}.`);
}

/** @param allowed methods that the route has */
export function refuseMethod(_world: World, method: string, allowed: readonly string[]): Refusal {
  return new Refusal(
    405,
    'METHOD_NOT_ALLOWED',
    `This resource does not take ${method}, only ${allowed.join(', ')}.`,
    {
      headers: { allow: allowed.join(', ') },
    },
  );
}

/** interface.md > Endpoints: all requests are JSON. Which 400 code a body gets that is none is not shown. */
export function refuseMalformedJson(_world: World, why: string): Refusal {
  return new Refusal(400, 'INVALID_REQUEST_FORMAT', `The body is not JSON: ${why}.`);
}

/** Which 400 code a call without its required body gets is not shown. */
export function refuseMissingBody(_world: World): Refusal {
  return new Refusal(400, 'INVALID_REQUEST_FORMAT', 'This operation needs a JSON body.');
}

/** interface.md > Errors has no 415; that a body of another type is refused at all is left open. */
export function refuseContentType(_world: World, type: string): Refusal {
  return new Refusal(415, 'UNSUPPORTED_MEDIA_TYPE', `Send the body as application/json, not as ${type}.`);
}

/** @param limit bytes */
export function refuseTooLarge(_world: World, limit: number): Refusal {
  return new Refusal(413, 'PAYLOAD_TOO_LARGE', `A body may have at most ${limit} bytes.`);
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

/** @param why for people; never says whether an id or a secret was the wrong half */
export function refuseUnauthorized(_world: World, scheme: 'Basic' | 'Bearer', why: string): Refusal {
  return new Refusal(401, 'UNAUTHORIZED', why, { headers: { 'www-authenticate': scheme } });
}

/** interface.md > Errors > 403 codes: insufficient permissions. */
export function refuseForbidden(_world: World, why: string): Refusal {
  return new Refusal(403, 'FORBIDDEN', why);
}

/** A record that is not there, or not for this caller. */
export function refuseNotFound(_world: World, kind: string, id: string): Refusal {
  const code = { Customer: 'USER_NOT_FOUND', Transaction: 'TRANSACTION_NOT_FOUND', Quote: 'QUOTE_NOT_FOUND' }[
    kind
  ];
  return new Refusal(404, code ?? 'REFERENCE_NOT_FOUND', `There is no ${kind} ${id}.`);
}

/** The record is not in a state that allows this. */
export function refuseConflict(_world: World, why: string): Refusal {
  return new Refusal(409, 'INVALID_STATE_TRANSITION', why);
}

/** interface.md > Errors > 500 codes. No rule leads here: it is what the server says where one has failed. */
export function refuseInternal(_world: World): Refusal {
  return new Refusal(500, 'INTERNAL_ERROR', 'The service failed. This is a defect of the sandbox.');
}

/** Credential input that passes its schema and is unusable all the same. @param field dot-notation path */
export function refuseField(world: World, field: string, why: string): Refusal {
  return world.behaviour.refuseInvalidFields([{ field, constraint: {}, message: `${field} ${why}` }]);
}
