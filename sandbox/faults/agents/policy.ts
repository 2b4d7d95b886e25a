import { type Agent, agents } from '../../areas/agents/records.ts';
import type { JsonObject } from '../../server/json.ts';
import { Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { faultsOf, refusingWith } from '../fault.ts';

const mayQuote = ({ policy }: Agent) => policy.permissions.includes('CREATE_QUOTES');

/** The agent's policy: permissions and spending limits. */
export const policyFaults = faultsOf([
  [
    'permission-not-checked',
    'TRANSFER-PERMISSION-REQUIRED',
    'An agent without CREATE_TRANSFERS transfers all the same.',
    {
      permissionGranted: (original) => (world, agent, permission) =>
        permission === 'CREATE_TRANSFERS' ? undefined : original(world, agent, permission),
    },
  ],
  [
    'permission-for-quotes-is-enough',
    'TRANSFER-PERMISSION-REQUIRED',
    'An agent that may create quotes may create transfers too.',
    {
      permissionGranted: (original) => (world, agent, permission) =>
        original(
          world,
          agent,
          permission === 'CREATE_TRANSFERS' && mayQuote(agent) ? 'CREATE_QUOTES' : permission,
        ),
    },
  ],
  [
    'missing-permission-answers-400',
    'TRANSFER-PERMISSION-REQUIRED',
    'A missing permission is an invalid parameter.',
    { refuseByPolicy: () => (_world, why) => new Refusal(400, 'INVALID_INPUT', why) },
  ],
  [
    'missing-permission-answers-401',
    'TRANSFER-PERMISSION-REQUIRED',
    'A missing permission is told as a failed authentication.',
    { refuseByPolicy: () => (_world, why) => new Refusal(401, 'UNAUTHORIZED', why) },
  ],
  [
    'transaction-limit-not-checked',
    'TRANSFER-SPENDING-LIMIT',
    'The limit of a single transaction is not looked at.',
    { withinTransactionLimit: () => () => undefined },
  ],
  [
    'over-limit-answers-400',
    'TRANSFER-SPENDING-LIMIT',
    'An exceeded limit of a single transaction is an invalid parameter.',
    {
      withinTransactionLimit: refusingWith(() => new Refusal(400, 'AMOUNT_OUT_OF_RANGE', 'Above the limit.')),
    },
  ],
  [
    'over-limit-waits-for-approval',
    'TRANSFER-SPENDING-LIMIT',
    'A transfer above the limit of a single transaction is left to the platform to approve.',
    {
      withinTransactionLimit: () => () => undefined,
      needsApproval: (original) => (world, agent, transfer) => {
        const limit = agent.policy.spendingLimits?.perTransactionLimit;
        return (limit !== undefined && transfer.amount > limit) || original(world, agent, transfer);
      },
    },
  ],
  [
    'limit-off-by-one',
    'TRANSFER-SPENDING-LIMIT',
    'One unit above a limit still passes.',
    {
      withinTransactionLimit: (original) => (world, agent, transfer) =>
        original(world, agent, { ...transfer, amount: transfer.amount - 1n }),
    },
  ],
  [
    'limit-reached-is-refused',
    'TRANSFER-SPENDING-LIMIT-EQUAL',
    'A limit is compared with >= and not with >.',
    { exceeds: () => (_world, spent, limit) => spent >= limit },
  ],
  [
    'daily-limit-not-checked',
    'TRANSFER-SPENDING-LIMIT-CUMULATIVE',
    'What was spent before does not count against the limit of the day.',
    { spentSince: () => () => 0n },
  ],
  [
    'daily-limit-sees-only-the-transfers-before',
    'TRANSFER-SPENDING-LIMIT-CUMULATIVE',
    'The limit of the day is compared before the new amount is added.',
    {
      withinPeriodLimits: (original) => (world, agent, transfer) => {
        const first =
          world.behaviour.transfersSince(
            agent,
            world.behaviour.startOfPeriod('day', world.clock.now(agent.customerId)),
          ).length === 0;
        return original(world, agent, first ? transfer : { ...transfer, amount: 0n });
      },
    },
  ],
  [
    'daily-limit-answers-429',
    'TRANSFER-SPENDING-LIMIT-CUMULATIVE',
    'An exceeded limit of the day answers 429.',
    {
      withinPeriodLimits: refusingWith(
        () => new Refusal(429, 'DAILY_VOLUME_LIMIT_EXCEEDED', 'Tomorrow again.'),
      ),
    },
  ],
  [
    'refused-transfer-stays-on-record',
    'TRANSFER-REFUSED-LEAVES-NOTHING',
    'A transfer that the policy refuses leaves an action behind.',
    {
      submitTransferOut: (original) => (world, agent, body) =>
        afterPolicyRefusal(
          () => original(world, agent, body),
          () => {
            world.behaviour.addAction(
              agent,
              world.behaviour.readTransferOut(agent, body),
              'PENDING_APPROVAL',
            );
          },
        ),
    },
  ],
  [
    'refused-transfer-moves-money',
    'TRANSFER-REFUSED-LEAVES-NOTHING',
    'A transfer that the policy refuses has already been debited.',
    {
      submitTransferOut: (original) => (world, agent, body) =>
        afterPolicyRefusal(
          () => original(world, agent, body),
          () => debit(world, agent, body),
        ),
    },
  ],
  [
    'refused-transfer-counts-as-spent',
    'TRANSFER-REFUSED-LEAVES-NOTHING',
    'The amount of a transfer that the policy refuses is added to what the agent has spent.',
    {
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
    },
  ],
  [
    'policy-of-a-sibling',
    'AGENT-POLICY-OWN',
    "Requests are judged by the policy of the customer's first agent.",
    {
      policyOf: (original) => (world, agent) =>
        original(world, agents.all(world).find((other) => other.customerId === agent.customerId) ?? agent),
    },
  ],
  [
    'policy-change-ignored',
    'AGENT-POLICY-CURRENT',
    'An agent keeps the policy that it was created with.',
    {
      changePolicy: (original) => (world, agent, policy) => {
        first.set(agent, first.get(agent) ?? agent.policy);
        original(world, agent, policy);
      },
      policyOf: (original) => (world, agent) => first.get(agent) ?? original(world, agent),
    },
  ],
]);

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
export const approvalNeededFaults = faultsOf([
  [
    'approval-threshold-ignored',
    'TRANSFER-APPROVAL-PENDING',
    'An amount above the threshold runs without approval.',
    {
      needsApproval: () => (_world, agent) => agent.policy.defaultExecutionMode === 'APPROVAL_REQUIRED',
    },
  ],
  [
    'approval-required-mode-ignored',
    'TRANSFER-APPROVAL-PENDING',
    'The mode that wants every action approved is not looked at.',
    {
      needsApproval: (original) => (world, agent, transfer) =>
        agent.policy.defaultExecutionMode === 'AUTO' && original(world, agent, transfer),
    },
  ],
  [
    'small-amounts-need-no-approval',
    'TRANSFER-APPROVAL-PENDING',
    'Less than a hundred units runs without approval, whatever the mode.',
    {
      needsApproval: (original) => (world, agent, transfer) =>
        transfer.amount >= 100n && original(world, agent, transfer),
    },
  ],
  [
    'just-above-the-threshold-runs',
    'TRANSFER-APPROVAL-PENDING',
    'One unit above the threshold still runs without approval.',
    {
      needsApproval: (original) => (world, agent, transfer) =>
        original(world, agent, { ...transfer, amount: transfer.amount - 1n }),
    },
  ],
  [
    'far-above-the-threshold-runs',
    'TRANSFER-APPROVAL-PENDING',
    'From ten times the threshold on, approval is forgotten.',
    {
      needsApproval: (original) => (world, agent, transfer) => {
        const threshold = agent.policy.approvalThresholds?.amount;
        return (
          original(world, agent, transfer) && !(threshold !== undefined && transfer.amount >= threshold * 10n)
        );
      },
    },
  ],
  [
    'everything-needs-approval',
    'TRANSFER-APPROVAL-AUTOMATIC',
    'Every transfer waits for the platform.',
    { needsApproval: () => () => true },
  ],
]);
