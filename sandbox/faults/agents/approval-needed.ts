import type { Fault } from '../fault.ts';

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
