import type { Fault } from '../fault.ts';
import { accessFaults } from './access.ts';
import { actionFieldFaults } from './action-fields.ts';
import { amountFaults } from './amounts.ts';
import { approvalNeededFaults } from './approval-needed.ts';
import { decisionFaults } from './decisions.ts';
import { executionFaults } from './execution.ts';
import { idempotencyFaults } from './idempotency.ts';
import { policyFaults } from './policy.ts';
import { referenceFaults } from './references.ts';
import { refusingFaults } from './refusing.ts';
import { textFaults } from './texts.ts';
import { transferFieldFaults } from './transfer-fields.ts';

/** Planted breaches of the agents area. */
export const agentFaults: readonly Fault[] = [
  ...refusingFaults,
  ...policyFaults,
  ...approvalNeededFaults,
  ...referenceFaults,
  ...textFaults,
  ...amountFaults,
  ...idempotencyFaults,
  ...decisionFaults,
  ...executionFaults,
  ...accessFaults,
  ...actionFieldFaults,
  ...transferFieldFaults,
];
