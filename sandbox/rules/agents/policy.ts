import type { Decision, Refusal } from '../../core/refusal.ts';
import type { World } from '../../core/world.ts';
import { actions } from '../../domain/action.ts';
import type { Agent, Policy } from '../../domain/agent.ts';
import type { TransferDetails } from '../../domain/action.ts';

/** The policy that judges a request: the one that its agent has now. */
export function policyOf(_world: World, agent: Agent): Policy {
  return agent.policy;
}

/** The policy must grant what the agent asks for. */
export function permissionGranted(world: World, agent: Agent, permission: string): Decision {
  if (world.rules.policyOf(world, agent).permissions.includes(permission)) return undefined;
  return world.rules.refuseByPolicy(world, `The agent's policy does not grant ${permission}.`);
}

/** A policy can name the accounts that an agent may touch. */
export function accountsAllowed(world: World, agent: Agent, ids: readonly string[]): Decision {
  const allowed = world.rules.policyOf(world, agent).accountRestrictions?.allowedAccountIds;
  const outside = allowed && ids.find((id) => !allowed.includes(id));
  return outside === undefined
    ? undefined
    : world.rules.refuseByPolicy(world, `The agent's policy does not allow ${outside}.`);
}

/** A spending limit is exceeded above it, not at it. */
export function exceeds(_world: World, spent: bigint, limit: bigint): boolean {
  return spent > limit;
}

/** One transfer must stay within the limit of a single one. */
export function withinTransactionLimit(world: World, agent: Agent, transfer: TransferDetails): Decision {
  const limits = world.rules.policyOf(world, agent).spendingLimits;
  if (limits?.currency !== transfer.currency || limits.perTransactionLimit === undefined) return undefined;
  if (!world.rules.exceeds(world, transfer.amount, limits.perTransactionLimit)) return undefined;
  return world.rules.refuseOverLimit(world, 'a single transaction');
}

/** A transfer and what the agent already spent in the period must stay within the limit of the period. */
export function withinPeriodLimits(world: World, agent: Agent, transfer: TransferDetails): Decision {
  const limits = world.rules.policyOf(world, agent).spendingLimits;
  if (limits?.currency !== transfer.currency) return undefined;
  const now = world.clock.now(agent.customerId);
  const day = world.rules.startOfPeriod(world, 'day', now);
  const month = world.rules.startOfPeriod(world, 'month', now);
  const over = (since: number, limit: bigint | undefined) =>
    limit !== undefined &&
    world.rules.exceeds(
      world,
      world.rules.spentSince(world, agent, transfer.currency, since) + transfer.amount,
      limit,
    );
  if (over(day, limits.dailyLimit)) return world.rules.refuseOverLimit(world, 'a day');
  if (over(month, limits.monthlyLimit)) return world.rules.refuseOverLimit(world, 'a month');
  const count = limits.dailyTransactionLimit;
  if (count !== undefined && world.rules.transfersSince(world, agent, day).length >= count) {
    return world.rules.refuseOverLimit(world, 'the number of transfers a day');
  }
  return undefined;
}

/** First moment of the calendar day or month in UTC. @param now milliseconds since the epoch */
export function startOfPeriod(_world: World, period: 'day' | 'month', now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), period === 'day' ? date.getUTCDate() : 1);
}

/** What this agent has submitted and was not rejected and did not fail. */
export function transfersSince(world: World, agent: Agent, since: number): readonly TransferDetails[] {
  return actions
    .all(world)
    .filter(
      (action) => action.agentId === agent.id && action.type === 'TRANSFER_OUT' && action.createdAt >= since,
    )
    .filter((action) => action.status !== 'REJECTED' && action.status !== 'FAILED')
    .flatMap((action) => action.transfer ?? []);
}

export function spentSince(world: World, agent: Agent, currency: string, since: number): bigint {
  let spent = 0n;
  for (const transfer of world.rules.transfersSince(world, agent, since)) {
    if (transfer.currency === currency) spent += transfer.amount;
  }
  return spent;
}

/** Strictly above the threshold the platform is asked; in the mode APPROVAL_REQUIRED always. */
export function needsApproval(world: World, agent: Agent, transfer: TransferDetails): boolean {
  const policy = world.rules.policyOf(world, agent);
  if (policy.defaultExecutionMode === 'APPROVAL_REQUIRED') return true;
  const threshold = policy.approvalThresholds;
  return threshold?.currency === transfer.currency && transfer.amount > threshold.amount;
}

/** The policy does not permit the operation: 403. Which of its codes is not shown. */
export function refuseByPolicy(world: World, why: string): Refusal {
  return world.rules.refuseForbidden(world, why);
}

/** A spending limit is exceeded: 403. Which of its codes is not shown. */
export function refuseOverLimit(world: World, what: string): Refusal {
  return world.rules.refuseForbidden(
    world,
    `The spending limit of the agent's policy for ${what} is exceeded.`,
  );
}
