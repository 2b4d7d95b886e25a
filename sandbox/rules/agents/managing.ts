import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../core/json.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { World } from '../../core/world.ts';
import { agentsByDeviceCode, agentsByToken, agents, type Agent, type Policy } from '../../domain/agent.ts';

/** A device code is good for one redemption. */
export function redeemDeviceCode(world: World, code: string): Agent | Refusal {
  const agent = agentsByDeviceCode.get(world, code);
  if (!agent) return world.rules.refuseUnknownDeviceCode(world, code);
  if (agent.accessToken !== undefined) return world.rules.refuseUsedDeviceCode(world, agent);
  agent.accessToken = world.rules.newAccessToken(world, agent);
  agentsByToken.put(world, agent.accessToken, agent);
  return agent;
}

/** Which code an unknown device code gets is not shown. */
export function refuseUnknownDeviceCode(world: World, code: string): Refusal {
  return world.rules.refuseNotFound(world, 'device code', code);
}

/** A used code; that it is refused is a habit of real deployments, not a word of the interface. */
export function refuseUsedDeviceCode(world: World, _agent: Agent): Refusal | Agent {
  return world.rules.refuseConflict(world, 'This device code has been redeemed.');
}

export function newAccessToken(_world: World, _agent: Agent): string {
  return `agt_${randomBytes(24).toString('base64url')}`;
}

/** From the next request on, this policy counts. */
export function changePolicy(world: World, agent: Agent, policy: Policy): void {
  agent.policy = policy;
  agent.updatedAt = world.clock.now(agent.customerId);
}

/** Deletes an agent; its token dies with it. */
export function deleteAgent(world: World, agent: Agent): void {
  agents.delete(world, agent.id);
  agentsByDeviceCode.delete(world, agent.deviceCode);
  if (agent.accessToken !== undefined) agentsByToken.delete(world, agent.accessToken);
}

export function presentAgent(world: World, agent: Agent): JsonObject {
  return {
    id: agent.id,
    name: agent.name,
    customerId: agent.customerId,
    isPaused: agent.isPaused,
    policy: world.rules.presentPolicy(world, agent.policy),
    createdAt: world.rules.presentTime(world, agent.createdAt),
    updatedAt: world.rules.presentTime(world, agent.updatedAt),
  };
}

/** What redeeming a device code answers. */
export function presentRedemption(world: World, agent: Agent): JsonObject {
  return {
    agentId: agent.id,
    agentName: agent.name,
    accessToken: agent.accessToken,
    policy: world.rules.presentPolicy(world, agent.policy),
  };
}

export function presentPolicy(_world: World, policy: Policy): JsonObject {
  const { spendingLimits, approvalThresholds, accountRestrictions } = policy;
  return {
    permissions: policy.permissions,
    defaultExecutionMode: policy.defaultExecutionMode,
    ...(spendingLimits ? { spendingLimits: { ...spendingLimits } } : {}),
    ...(approvalThresholds ? { approvalThresholds: { ...approvalThresholds } } : {}),
    ...(accountRestrictions ? { accountRestrictions: { ...accountRestrictions } } : {}),
  };
}
