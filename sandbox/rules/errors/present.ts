import type { FieldError } from '../../core/contract-schemas.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { Reply } from '../../core/reply.ts';
import type { World } from '../../core/world.ts';

/** The error body of interface.md > Errors. */
export function presentError(_world: World, refusal: Refusal): JsonObject {
  const { status, code, message, details } = refusal;
  return { status, code, message, ...(details === undefined ? {} : { details }) };
}

/** The answer to a refused request. */
export function presentRefusal(world: World, refusal: Refusal): Reply {
  return { status: refusal.status, headers: refusal.headers, body: world.rules.presentError(world, refusal) };
}

/** One entry of details.errors. */
export function presentFieldError(_world: World, error: FieldError): JsonObject {
  return { field: error.field, constraint: error.constraint, message: error.message };
}

/** details.errors: one entry for each invalid field, all at once. */
export function presentFieldErrors(world: World, errors: readonly FieldError[]): Json {
  return errors.map((error) => world.rules.presentFieldError(world, error));
}
