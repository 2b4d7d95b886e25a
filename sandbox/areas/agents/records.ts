import { randomBytes } from 'node:crypto';
import { isObject, type JsonObject, readAmount } from '../../server/json.ts';
import type { Passes } from '../../server/refusal.ts';
import { Table } from '../../world/table.ts';
import { newRecord, shownTimes, type World } from '../../world/world.ts';
import type { Customer } from '../customers/records.ts';

/** What an agent may do. Amounts in the smallest unit of the currency named beside them. */
export interface Policy {
  readonly permissions: readonly string[];
  readonly defaultExecutionMode: 'AUTO' | 'APPROVAL_REQUIRED';
  readonly spendingLimits?: SpendingLimits;
  readonly approvalThresholds?: { readonly currency: string; readonly amount: bigint };
  readonly accountRestrictions?: { readonly allowedAccountIds: readonly string[] };
}

interface SpendingLimits {
  readonly currency: string;
  readonly perTransactionLimit?: bigint;
  readonly dailyLimit?: bigint;
  /** Transfers a day, not an amount. */
  readonly dailyTransactionLimit?: number;
  readonly monthlyLimit?: bigint;
}

/** Acts for exactly one customer. */
export interface Agent {
  readonly kind: 'agent';
  readonly id: string;
  readonly name: string;
  readonly platformId: string;
  readonly customerId: string;
  policy: Policy;
  isPaused: boolean;
  readonly deviceCode: string;
  /** Set once the device code is redeemed. */
  accessToken?: string;
  readonly createdAt: number;
  updatedAt: number;
}

export const PERMISSIONS = [
  'VIEW_TRANSACTIONS',
  'CREATE_TRANSFERS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'MANAGE_EXTERNAL_ACCOUNTS',
] as const;

export const agents = new Table<Agent>();

/** Agents by the access token that they hold now. */
export const agentsByToken = new Table<Agent>();

/** Agents by device code, redeemed or not. */
const agentsByDeviceCode = new Table<Agent>();

/** Puts a new agent on record, which waits for its device code to be redeemed. */
export function addAgent(world: World, customer: Customer, name: string, policy: Policy): Agent {
  const agent: Agent = {
    ...newRecord(world, 'Agent', customer.id),
    kind: 'agent',
    name,
    platformId: customer.platformId,
    customerId: customer.id,
    policy,
    isPaused: false,
    deviceCode: randomBytes(9).toString('base64url'),
  };
  agentsByDeviceCode.put(world, agent.deviceCode, agent);
  return agents.put(world, agent.id, agent);
}

/** The amounts among some members of a body that fits its schema. */
const amountsIn = (body: JsonObject, names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap((name) => (body[name] === undefined ? [] : [[name, readAmount(body[name])]])),
  );

/** A policy from a body that fits its schema; what it leaves out stays as it was. */
export function readPolicy(body: JsonObject, before?: Policy): Policy {
  const { spendingLimits: limits, approvalThresholds, accountRestrictions, ...plain } = body;
  const { permissions, defaultExecutionMode = before?.defaultExecutionMode ?? 'AUTO' } = plain;
  const allowedAccountIds = isObject(accountRestrictions) && accountRestrictions['allowedAccountIds'];
  return {
    ...before,
    permissions,
    defaultExecutionMode,
    ...(isObject(limits) && {
      spendingLimits: {
        currency: limits['currency'],
        ...amountsIn(limits, ['perTransactionLimit', 'dailyLimit', 'monthlyLimit']),
        ...(limits['dailyTransactionLimit'] !== undefined && {
          dailyTransactionLimit: Number(limits['dailyTransactionLimit']),
        }),
      },
    }),
    ...(isObject(approvalThresholds) && {
      approvalThresholds: {
        currency: approvalThresholds['currency'],
        ...amountsIn(approvalThresholds, ['amount']),
      },
    }),
    ...(allowedAccountIds && { accountRestrictions: { allowedAccountIds } }),
  } as Policy;
}

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
  const { permissions, defaultExecutionMode, spendingLimits, approvalThresholds, accountRestrictions } =
    policy;
  return {
    permissions,
    defaultExecutionMode,
    spendingLimits: spendingLimits && { ...spendingLimits },
    approvalThresholds: approvalThresholds && { ...approvalThresholds },
    accountRestrictions: accountRestrictions && { ...accountRestrictions },
  };
}

/**
 * The fields of an agent are not shown. Its device code and its token are no part of it: each is told once, where it is
 * made.
 */
export function presentAgent(world: World, agent: Agent): JsonObject {
  const { id, name, customerId, isPaused } = agent;
  return { id, name, customerId, isPaused, policy: presentPolicy(agent.policy), ...shownTimes(world, agent) };
}

/** A device code is good for one redemption. */
export function redeemDeviceCode(world: World, code: string): Agent {
  const agent = agentsByDeviceCode.get(world, code);
  if (!agent) throw world.behaviour.refuseNotFound('device code', code);
  if (agent.accessToken !== undefined) return world.behaviour.refuseUsedDeviceCode(agent);
  // interface.md > Authentication names the token and shows no form of it. 24 random bytes, so that nobody guesses one.
  agent.accessToken = `agt_${randomBytes(24).toString('base64url')}`;
  agentsByToken.put(world, agent.accessToken, agent);
  return agent;
}

/** Deletes an agent; its token dies with it. */
export function deleteAgent(world: World, agent: Agent): void {
  agents.delete(world, agent.id);
  agentsByDeviceCode.delete(world, agent.deviceCode);
  if (agent.accessToken !== undefined) agentsByToken.delete(world, agent.accessToken);
}
