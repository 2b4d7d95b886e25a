import { type Agent, agents } from '../../areas/agents/records.ts';
import type { JsonObject } from '../../server/json.ts';
import { Refusal, refusedAs } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import type { Fault } from '../fault.ts';

/** The agent's policy: permissions and spending limits. */
export const policyFaults: readonly Fault[] = [
  {
    name: 'permission-not-checked',
    breaks: 'TRANSFER-PERMISSION-REQUIRED',
    says: 'An agent without CREATE_TRANSFERS transfers all the same.',
    replace: {
      permissionGranted: (original) => (world, agent, permission) =>
        permission === 'CREATE_TRANSFERS' ? undefined : original(world, agent, permission),
    },
  },
  {
    name: 'missing-permission-answers-400',
    breaks: 'TRANSFER-PERMISSION-REQUIRED',
    says: 'A missing permission is an invalid parameter.',
    replace: { refuseByPolicy: () => (_world, why) => new Refusal(400, 'INVALID_INPUT', why) },
  },
  {
    name: 'missing-permission-answers-401',
    breaks: 'TRANSFER-PERMISSION-REQUIRED',
    says: 'A missing permission is told as a failed authentication.',
    replace: { refuseByPolicy: () => (_world, why) => new Refusal(401, 'UNAUTHORIZED', why) },
  },
  {
    name: 'transaction-limit-not-checked',
    breaks: 'TRANSFER-SPENDING-LIMIT',
    says: 'The limit of a single transaction is not looked at.',
    replace: { withinTransactionLimit: () => () => undefined },
  },
  {
    name: 'over-limit-answers-400',
    breaks: 'TRANSFER-SPENDING-LIMIT',
    says: 'An exceeded limit of a single transaction is an invalid parameter.',
    replace: {
      withinTransactionLimit: (original) => (world, agent, transfer) =>
        refusedAs(
          () => original(world, agent, transfer),
          () => new Refusal(400, 'AMOUNT_OUT_OF_RANGE', 'Above the limit.'),
        ),
    },
  },
  {
    name: 'over-limit-waits-for-approval',
    breaks: 'TRANSFER-SPENDING-LIMIT',
    says: 'A transfer above the limit of a single transaction is left to the platform to approve.',
    replace: {
      withinTransactionLimit: () => () => undefined,
      needsApproval: (original) => (world, agent, transfer) => {
        const limit = agent.policy.spendingLimits?.perTransactionLimit;
        return (limit !== undefined && transfer.amount > limit) || original(world, agent, transfer);
      },
    },
  },
  {
    name: 'limit-off-by-one',
    breaks: 'TRANSFER-SPENDING-LIMIT',
    says: 'One unit above a limit still passes.',
    replace: {
      withinTransactionLimit: (original) => (world, agent, transfer) =>
        original(world, agent, { ...transfer, amount: transfer.amount - 1n }),
    },
  },
  {
    name: 'limit-reached-is-refused',
    breaks: 'TRANSFER-SPENDING-LIMIT-EQUAL',
    says: 'A limit is compared with >= and not with >.',
    replace: { exceeds: () => (_world, spent, limit) => spent >= limit },
  },
  {
    name: 'daily-limit-not-checked',
    breaks: 'TRANSFER-SPENDING-LIMIT-CUMULATIVE',
    says: 'What was spent before does not count against the limit of the day.',
    replace: { spentSince: () => () => 0n },
  },
  {
    name: 'daily-limit-sees-only-the-transfers-before',
    breaks: 'TRANSFER-SPENDING-LIMIT-CUMULATIVE',
    says: 'The limit of the day is compared before the new amount is added.',
    replace: {
      withinPeriodLimits: (original) => (world, agent, transfer) => {
        const first =
          world.rules.transfersSince(
            agent,
            world.rules.startOfPeriod('day', world.clock.now(agent.customerId)),
          ).length === 0;
        return original(world, agent, first ? transfer : { ...transfer, amount: 0n });
      },
    },
  },
  {
    name: 'daily-limit-answers-429',
    breaks: 'TRANSFER-SPENDING-LIMIT-CUMULATIVE',
    says: 'An exceeded limit of the day answers 429.',
    replace: {
      withinPeriodLimits: (original) => (world, agent, transfer) =>
        refusedAs(
          () => original(world, agent, transfer),
          () => new Refusal(429, 'DAILY_VOLUME_LIMIT_EXCEEDED', 'Tomorrow again.'),
        ),
    },
  },
  {
    name: 'refused-transfer-stays-on-record',
    breaks: 'TRANSFER-REFUSED-LEAVES-NOTHING',
    says: 'A transfer that the policy refuses leaves an action behind.',
    replace: {
      submitTransferOut: (original) => (world, agent, body) =>
        afterPolicyRefusal(
          () => original(world, agent, body),
          () => {
            world.rules.addAction(agent, world.rules.readTransferOut(agent, body), 'PENDING_APPROVAL');
          },
        ),
    },
  },
  {
    name: 'refused-transfer-moves-money',
    breaks: 'TRANSFER-REFUSED-LEAVES-NOTHING',
    says: 'A transfer that the policy refuses has already been debited.',
    replace: {
      submitTransferOut: (original) => (world, agent, body) =>
        afterPolicyRefusal(
          () => original(world, agent, body),
          () => debit(world, agent, body),
        ),
    },
  },
  {
    name: 'policy-of-a-sibling',
    breaks: 'AGENT-POLICY-OWN',
    says: "Requests are judged by the policy of the customer's first agent.",
    replace: {
      policyOf: (original) => (world, agent) =>
        original(world, agents.all(world).find((other) => other.customerId === agent.customerId) ?? agent),
    },
  },
  {
    name: 'policy-change-ignored',
    breaks: 'AGENT-POLICY-CURRENT',
    says: 'An agent keeps the policy that it was created with.',
    replace: {
      changePolicy: (original) => (world, agent, policy) => {
        first.set(agent, first.get(agent) ?? agent.policy);
        original(world, agent, policy);
      },
      policyOf: (original) => (world, agent) => first.get(agent) ?? original(world, agent),
    },
  },
];

const first = new WeakMap<Agent, Agent['policy']>();

function afterPolicyRefusal<T>(submit: () => T, then: () => void): T {
  try {
    return submit();
  } catch (error) {
    if (error instanceof Refusal && error.status === 403) then();
    throw error;
  }
}

function debit(world: World, agent: Agent, body: JsonObject): void {
  const { amount, currency, sourceAccountId, destinationAccountId } = world.rules.readTransferOut(
    agent,
    body,
  ).transfer!;
  world.ledger.post({ from: sourceAccountId, to: destinationAccountId, amount, currency, reason: 'refused' });
}

/** Which transfers wait for the platform. */
export const approvalNeededFaults: readonly Fault[] = [
  {
    name: 'approval-threshold-ignored',
    breaks: 'TRANSFER-APPROVAL-PENDING',
    says: 'An amount above the threshold runs without approval.',
    replace: {
      needsApproval: () => (_world, agent) => agent.policy.defaultExecutionMode === 'APPROVAL_REQUIRED',
    },
  },
  {
    name: 'approval-required-mode-ignored',
    breaks: 'TRANSFER-APPROVAL-PENDING',
    says: 'The mode that wants every action approved is not looked at.',
    replace: {
      needsApproval: (original) => (world, agent, transfer) =>
        agent.policy.defaultExecutionMode === 'AUTO' && original(world, agent, transfer),
    },
  },
  {
    name: 'just-above-the-threshold-runs',
    breaks: 'TRANSFER-APPROVAL-PENDING',
    says: 'One unit above the threshold still runs without approval.',
    replace: {
      needsApproval: (original) => (world, agent, transfer) =>
        original(world, agent, { ...transfer, amount: transfer.amount - 1n }),
    },
  },
  {
    name: 'far-above-the-threshold-runs',
    breaks: 'TRANSFER-APPROVAL-PENDING',
    says: 'From ten times the threshold on, approval is forgotten.',
    replace: {
      needsApproval: (original) => (world, agent, transfer) => {
        const threshold = agent.policy.approvalThresholds?.amount;
        return (
          original(world, agent, transfer) && !(threshold !== undefined && transfer.amount >= threshold * 10n)
        );
      },
    },
  },
  {
    name: 'everything-needs-approval',
    breaks: 'TRANSFER-APPROVAL-AUTOMATIC',
    says: 'Every transfer waits for the platform.',
    replace: { needsApproval: () => () => true },
  },
];
