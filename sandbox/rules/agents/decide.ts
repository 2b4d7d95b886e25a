import type { Decision } from '../../core/refusal.ts';
import { ok, type Reply } from '../../core/reply.ts';
import type { World } from '../../core/world.ts';
import type { AgentAction } from '../../domain/action.ts';

/** Only a pending action can be approved or rejected. */
export function mayApprove(world: World, action: AgentAction): Decision {
  if (action.status === 'PENDING_APPROVAL') return undefined;
  return world.rules.refuseConflict(world, `The action is ${action.status} and cannot be approved.`);
}

export function mayReject(world: World, action: AgentAction): Decision {
  if (action.status === 'PENDING_APPROVAL') return undefined;
  return world.rules.refuseConflict(world, `The action is ${action.status} and cannot be rejected.`);
}

/** The platform says yes: the action is approved and its execution begins. */
export function approveAction(world: World, action: AgentAction): Reply {
  const { rules } = world;
  rules.setStatus(world, action, 'APPROVED');
  rules.whenExecutionBegins(world, () => {
    rules.beginExecution(world, action);
    rules.whenExecutionEnds(world, () => rules.endExecution(world, action));
  });
  return rules.presentApproval(world, action);
}

/** The platform says no: nothing is executed. */
export function rejectAction(world: World, action: AgentAction, reason: string | undefined): Reply {
  action.rejectionReason = world.rules.rejectionReason(world, reason);
  world.rules.setStatus(world, action, 'REJECTED');
  return world.rules.presentRejection(world, action);
}

/** @param given what the platform said, if anything */
export function rejectionReason(_world: World, given: string | undefined): string {
  return given ?? 'Rejected by the platform.';
}

/** The answer to an approval; its shape is not shown. */
export function presentApproval(world: World, action: AgentAction): Reply {
  return ok(world.rules.presentAction(world, action));
}

/** The answer to a rejection; its shape is not shown. */
export function presentRejection(world: World, action: AgentAction): Reply {
  return ok(world.rules.presentAction(world, action));
}
