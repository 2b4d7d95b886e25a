import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { ok, type Reply } from '../../core/reply.ts';
import { mintId, type World } from '../../core/world.ts';
import type { Customer } from '../../domain/customer.ts';
import { NEEDED } from '../../domain/verified-fields.ts';

/** Starts a verification, or tells what stands in its way. */
export function startVerification(world: World, customer: Customer): Reply {
  const problems = world.rules.verificationProblems(world, customer);
  return ok(world.rules.presentVerification(world, customer, problems));
}

/** Fields of the customer that are missing, by dot path. */
export function verificationProblems(_world: World, customer: Customer): readonly string[] {
  return NEEDED.filter((path) => at(customer.data, path) === undefined);
}

export function presentVerification(
  world: World,
  customer: Customer,
  problems: readonly string[],
): JsonObject {
  return {
    id: mintId(world, 'Verification'),
    customerId: customer.id,
    verificationStatus: world.rules.verificationStatus(world, problems),
    errors: world.rules.presentProblems(world, problems),
  };
}

export function verificationStatus(_world: World, problems: readonly string[]): string {
  return problems.length > 0 ? 'RESOLVE_ERRORS' : 'IN_PROGRESS';
}

/** One entry for each problem. */
export function presentProblems(_world: World, problems: readonly string[]): Json {
  return problems.map((field) => ({ type: 'MISSING_FIELD', field, reason: `${field} is missing.` }));
}

function at(data: Json, path: string): Json | undefined {
  let value: Json | undefined = data;
  for (const step of path.split('.')) value = isObject(value) ? value[step] : undefined;
  return value;
}
