import type { JsonObject } from '../../server/json.ts';
import type { Passes } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import type { Agent, Policy } from './records.ts';

/** A policy can name the accounts that an agent may touch. */
export function accountsAllowed(world: World, agent: Agent, ids: readonly string[]): Passes {
  const allowed = world.behaviour.policyOf(agent).accountRestrictions?.allowedAccountIds;
  const outside = allowed && ids.find((id) => !allowed.includes(id));
  if (outside !== undefined)
    throw world.behaviour.refuseByPolicy(`The agent's policy does not allow ${outside}.`);
}

/**
 * The fields of a policy are not shown. Amounts in the smallest unit of the currency beside them; dailyTransactionLimit
 * counts transfers.
 */
export function presentPolicy(policy: Policy): JsonObject {
  const { spendingLimits, approvalThresholds, accountRestrictions } = policy;
  return {
    permissions: policy.permissions,
    defaultExecutionMode: policy.defaultExecutionMode,
    ...(spendingLimits ? { spendingLimits: { ...spendingLimits } } : {}),
    ...(approvalThresholds ? { approvalThresholds: { ...approvalThresholds } } : {}),
    ...(accountRestrictions ? { accountRestrictions: { ...accountRestrictions } } : {}),
  };
}

/**
 * The fields of an agent are not shown. Its device code and its token are no part of it: each is told once, where it is
 * made.
 */
export function presentAgent(world: World, agent: Agent): JsonObject {
  return {
    id: agent.id,
    name: agent.name,
    customerId: agent.customerId,
    isPaused: agent.isPaused,
    policy: presentPolicy(agent.policy),
    createdAt: world.behaviour.presentTime(agent.createdAt),
    updatedAt: world.behaviour.presentTime(agent.updatedAt),
  };
}
