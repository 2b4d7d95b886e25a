import { randomBytes } from 'node:crypto';
import { Table } from '../../world/table.ts';
import { mintId, type World } from '../../world/world.ts';
import type { Customer } from '../customers/records.ts';

/** What an agent may do. Amounts in the smallest unit of the currency named beside them. */
export interface Policy {
  readonly permissions: readonly string[];
  readonly defaultExecutionMode: 'AUTO' | 'APPROVAL_REQUIRED';
  readonly spendingLimits?: SpendingLimits;
  readonly approvalThresholds?: { readonly currency: string; readonly amount: bigint };
  readonly accountRestrictions?: { readonly allowedAccountIds: readonly string[] };
}

export interface SpendingLimits {
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
export const agentsByDeviceCode = new Table<Agent>();

/** Puts a new agent on record. */
export function addAgent(world: World, customer: Customer, name: string, policy: Policy): Agent {
  const now = world.clock.now(customer.id);
  const agent: Agent = {
    kind: 'agent',
    id: mintId(world, 'Agent'),
    name,
    platformId: customer.platformId,
    customerId: customer.id,
    policy,
    isPaused: false,
    deviceCode: randomBytes(9).toString('base64url'),
    createdAt: now,
    updatedAt: now,
  };
  agentsByDeviceCode.put(world, agent.deviceCode, agent);
  return agents.put(world, agent.id, agent);
}
