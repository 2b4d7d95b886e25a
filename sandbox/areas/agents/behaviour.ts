import type { Passes } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { spendingOfQuote, quotes } from '../quotes/records.ts';
import { actions, type TransferDetails } from '../transfers/records.ts';
import { type Agent, type Policy } from './records.ts';
import { worthIn } from '../quotes/rates.ts';

/*
 * Agents and their policies: what an agent may do, how much it may spend and when the platform is asked. What it then does are
 * transfers and quotes, in the folders of these names.
 */

/** From the next request on, this policy counts. */
export function changePolicy(world: World, agent: Agent, policy: Policy): void {
  agent.policy = policy;
  agent.updatedAt = world.clock.now(agent.customerId);
}

/** The policy that judges a request: the one that its agent has now. */
export function policyOf(_world: World, agent: Agent): Policy {
  return agent.policy;
}

/** The policy must grant what the agent asks for. */
export function permissionGranted(world: World, agent: Agent, permission: string): Passes {
  if (world.behaviour.policyOf(agent).permissions.includes(permission)) return;
  throw world.behaviour.refuseByPolicy(`The agent's policy does not grant ${permission}.`);
}

/** A spending limit is exceeded above it, not at it. */
export function exceeds(_world: World, spent: bigint, limit: bigint): boolean {
  return spent > limit;
}

/** One transfer must stay within the limit of a single one, whatever its currency. */
export function withinTransactionLimit(world: World, agent: Agent, transfer: TransferDetails): Passes {
  const limits = world.behaviour.policyOf(agent).spendingLimits;
  if (limits?.perTransactionLimit === undefined) return;
  const amount = worthIn(world, transfer.amount, transfer.currency, limits.currency);
  if (!world.behaviour.exceeds(amount, limits.perTransactionLimit)) return;
  throw world.behaviour.refuseOverLimit('a single transaction');
}

/** A transfer and what the agent already spent in the period must stay within the limit of the period. */
export function withinPeriodLimits(world: World, agent: Agent, transfer: TransferDetails): Passes {
  const limits = world.behaviour.policyOf(agent).spendingLimits;
  if (limits === undefined) return;
  const now = world.clock.now(agent.customerId);
  const day = world.behaviour.startOfPeriod('day', now);
  const month = world.behaviour.startOfPeriod('month', now);
  const amount = worthIn(world, transfer.amount, transfer.currency, limits.currency);
  const over = (since: number, limit: bigint | undefined) =>
    limit !== undefined &&
    world.behaviour.exceeds(world.behaviour.spentSince(agent, limits.currency, since) + amount, limit);
  if (over(day, limits.dailyLimit)) throw world.behaviour.refuseOverLimit('a day');
  if (over(month, limits.monthlyLimit)) throw world.behaviour.refuseOverLimit('a month');
  const count = limits.dailyTransactionLimit;
  if (count !== undefined && world.behaviour.transfersSince(agent, day).length >= count) {
    throw world.behaviour.refuseOverLimit('the number of transfers a day');
  }
}

/** First moment of the calendar day or month in UTC. @param now milliseconds since the epoch */
export function startOfPeriod(_world: World, period: 'day' | 'month', now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), period === 'day' ? date.getUTCDate() : 1);
}

/** What this agent has submitted, by whatever way, and was not rejected and did not fail. */
export function transfersSince(world: World, agent: Agent, since: number): readonly TransferDetails[] {
  return actions
    .all(world)
    .filter((action) => action.agentId === agent.id && action.createdAt >= since)
    .filter((action) => action.status !== 'REJECTED' && action.status !== 'FAILED')
    .map(({ transfer, quoteId }) => transfer ?? spendingOfQuote(quotes.get(world, quoteId!)!));
}

/** @param currency that the sum is told in, at the rates of this moment; in its smallest unit */
export function spentSince(world: World, agent: Agent, currency: string, since: number): bigint {
  let spent = 0n;
  for (const transfer of world.behaviour.transfersSince(agent, since)) {
    spent += worthIn(world, transfer.amount, transfer.currency, currency);
  }
  return spent;
}

/** Strictly above the threshold the platform is asked; in the mode APPROVAL_REQUIRED always. */
export function needsApproval(world: World, agent: Agent, transfer: TransferDetails): boolean {
  const policy = world.behaviour.policyOf(agent);
  if (policy.defaultExecutionMode === 'APPROVAL_REQUIRED') return true;
  const threshold = policy.approvalThresholds;
  if (threshold === undefined) return false;
  return worthIn(world, transfer.amount, transfer.currency, threshold.currency) > threshold.amount;
}
