import { type Agent, agents } from '../../areas/agents/records.ts';
import type { JsonObject } from '../../server/json.ts';
import { Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { fault, refusingWith } from '../fault.ts';

const mayQuote = ({ policy }: Agent) => policy.permissions.includes('CREATE_QUOTES');

/** The agent's policy: permissions and spending limits. */
export const policyFaults = [
  fault('permission-not-checked', 'TRANSFER-PERMISSION-REQUIRED', {
    permissionGranted: (original) => (world, agent, permission) =>
      permission === 'CREATE_TRANSFERS' ? undefined : original(world, agent, permission),
  }),
  fault('permission-for-quotes-is-enough', 'TRANSFER-PERMISSION-REQUIRED', {
    permissionGranted: (original) => (world, agent, permission) =>
      original(
        world,
        agent,
        permission === 'CREATE_TRANSFERS' && mayQuote(agent) ? 'CREATE_QUOTES' : permission,
      ),
  }),
  fault('missing-permission-answers-400', 'TRANSFER-PERMISSION-REQUIRED', {
    refuseByPolicy: () => (_world, why) => new Refusal(400, 'INVALID_INPUT', why),
  }),
  fault('missing-permission-answers-401', 'TRANSFER-PERMISSION-REQUIRED', {
    refuseByPolicy: () => (_world, why) => new Refusal(401, 'UNAUTHORIZED', why),
  }),
  fault('transaction-limit-not-checked', 'TRANSFER-SPENDING-LIMIT', {
    withinTransactionLimit: () => () => undefined,
  }),
  fault('over-limit-answers-400', 'TRANSFER-SPENDING-LIMIT', {
    withinTransactionLimit: refusingWith(() => new Refusal(400, 'AMOUNT_OUT_OF_RANGE', 'Above the limit.')),
  }),
  fault('over-limit-waits-for-approval', 'TRANSFER-SPENDING-LIMIT', {
    withinTransactionLimit: () => () => undefined,
    needsApproval: (original) => (world, agent, transfer) => {
      const limit = agent.policy.spendingLimits?.perTransactionLimit;
      return (limit !== undefined && transfer.amount > limit) || original(world, agent, transfer);
    },
  }),
  fault('limit-off-by-one', 'TRANSFER-SPENDING-LIMIT', {
    withinTransactionLimit: (original) => (world, agent, transfer) =>
      original(world, agent, { ...transfer, amount: transfer.amount - 1n }),
  }),
  fault('limit-reached-is-refused', 'TRANSFER-SPENDING-LIMIT-EQUAL', {
    exceeds: () => (_world, spent, limit) => spent >= limit,
  }),
  fault('daily-limit-not-checked', 'TRANSFER-SPENDING-LIMIT-CUMULATIVE', { spentSince: () => () => 0n }),
  fault('daily-limit-sees-only-the-transfers-before', 'TRANSFER-SPENDING-LIMIT-CUMULATIVE', {
    withinPeriodLimits: (original) => (world, agent, transfer) => {
      const first =
        world.behaviour.transfersSince(
          agent,
          world.behaviour.startOfPeriod('day', world.clock.now(agent.customerId)),
        ).length === 0;
      return original(world, agent, first ? transfer : { ...transfer, amount: 0n });
    },
  }),
  fault('daily-limit-answers-429', 'TRANSFER-SPENDING-LIMIT-CUMULATIVE', {
    withinPeriodLimits: refusingWith(
      () => new Refusal(429, 'DAILY_VOLUME_LIMIT_EXCEEDED', 'Tomorrow again.'),
    ),
  }),
  fault('refused-transfer-stays-on-record', 'TRANSFER-REFUSED-LEAVES-NOTHING', {
    submitTransferOut: (original) => (world, agent, body) =>
      afterPolicyRefusal(
        () => original(world, agent, body),
        () => {
          world.behaviour.addAction(agent, world.behaviour.readTransferOut(agent, body), 'PENDING_APPROVAL');
        },
      ),
  }),
  fault('refused-transfer-moves-money', 'TRANSFER-REFUSED-LEAVES-NOTHING', {
    submitTransferOut: (original) => (world, agent, body) =>
      afterPolicyRefusal(
        () => original(world, agent, body),
        () => debit(world, agent, body),
      ),
  }),
  fault('refused-transfer-counts-as-spent', 'TRANSFER-REFUSED-LEAVES-NOTHING', {
    submitTransferOut: (original) => (world, agent, body) =>
      afterPolicyRefusal(
        () => original(world, agent, body),
        () => {
          const { amount } = world.behaviour.readTransferOut(agent, body).transfer!;
          refusedSums.set(agent, (refusedSums.get(agent) ?? 0n) + amount);
        },
      ),
    spentSince: (original) => (world, agent, currency, since) =>
      original(world, agent, currency, since) + (refusedSums.get(agent) ?? 0n),
  }),
  fault('policy-of-a-sibling', 'AGENT-POLICY-OWN', {
    policyOf: (original) => (world, agent) =>
      original(world, agents.all(world).find((other) => other.customerId === agent.customerId) ?? agent),
  }),
  fault('policy-change-ignored', 'AGENT-POLICY-CURRENT', {
    changePolicy: (original) => (world, agent, policy) => {
      first.set(agent, first.get(agent) ?? agent.policy);
      original(world, agent, policy);
    },
    policyOf: (original) => (world, agent) => first.get(agent) ?? original(world, agent),
  }),
];

const first = new WeakMap<Agent, Agent['policy']>();
const refusedSums = new WeakMap<Agent, bigint>();

function afterPolicyRefusal<T>(submit: () => T, then: () => void): T {
  try {
    return submit();
  } catch (error) {
    if (error instanceof Refusal && error.status === 403) then();
    throw error;
  }
}

function debit(world: World, agent: Agent, body: JsonObject): void {
  const { amount, currency, sourceAccountId, destinationAccountId } = world.behaviour.readTransferOut(
    agent,
    body,
  ).transfer!;
  world.ledger.post({ from: sourceAccountId, to: destinationAccountId, amount, currency, reason: 'refused' });
}

/** Which transfers wait for the platform. */
export const approvalNeededFaults = [
  fault('approval-threshold-ignored', 'TRANSFER-APPROVAL-PENDING', {
    needsApproval: () => (_world, agent) => agent.policy.defaultExecutionMode === 'APPROVAL_REQUIRED',
  }),
  fault('approval-required-mode-ignored', 'TRANSFER-APPROVAL-PENDING', {
    needsApproval: (original) => (world, agent, transfer) =>
      agent.policy.defaultExecutionMode === 'AUTO' && original(world, agent, transfer),
  }),
  fault('small-amounts-need-no-approval', 'TRANSFER-APPROVAL-PENDING', {
    needsApproval: (original) => (world, agent, transfer) =>
      transfer.amount >= 100n && original(world, agent, transfer),
  }),
  fault('just-above-the-threshold-runs', 'TRANSFER-APPROVAL-PENDING', {
    needsApproval: (original) => (world, agent, transfer) =>
      original(world, agent, { ...transfer, amount: transfer.amount - 1n }),
  }),
  fault('far-above-the-threshold-runs', 'TRANSFER-APPROVAL-PENDING', {
    needsApproval: (original) => (world, agent, transfer) => {
      const threshold = agent.policy.approvalThresholds?.amount;
      return (
        original(world, agent, transfer) && !(threshold !== undefined && transfer.amount >= threshold * 10n)
      );
    },
  }),
  fault('everything-needs-approval', 'TRANSFER-APPROVAL-AUTOMATIC', { needsApproval: () => () => true }),
];
