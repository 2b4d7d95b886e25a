import type { AgentAction } from '../../domain/action.ts';
import type { Fault } from '../fault.ts';

const reserved = new WeakSet<AgentAction>();

/** What executing a transfer does to money and status. */
export const executionFaults: readonly Fault[] = [
  {
    name: 'transfer-moves-nothing',
    breaks: 'TRANSFER-DEBITS-SOURCE',
    says: 'An executed transfer leaves the source as it was.',
    replace: { moveMoney: () => () => undefined, returnMoney: () => () => undefined },
  },
  {
    name: 'transfer-debits-a-hundredfold',
    breaks: 'TRANSFER-DEBITS-SOURCE',
    says: 'The amount is taken for whole units of the currency.',
    replace: {
      moveMoney: (original) => (world, action) => {
        for (let times = 0; times < 100; times++) original(world, action);
      },
    },
  },
  {
    name: 'pending-transfer-debits-at-once',
    breaks: 'TRANSFER-PENDING-NOT-EXECUTED',
    also: ['ACTION-REJECT-NOT-EXECUTED'],
    says: 'The amount leaves the source for good while the action still waits.',
    replace: {
      addAction: (original) => (world, agent, wanted, status) => {
        const action = original(world, agent, wanted, status);
        if (status === 'PENDING_APPROVAL') {
          world.rules.moveMoney(world, action);
          reserved.add(action);
        }
        return action;
      },
      beginExecution: (original) => (world, action) => {
        if (reserved.delete(action)) world.rules.returnMoney(world, action);
        original(world, action);
      },
    },
  },
  {
    name: 'failed-execution-stays-approved',
    breaks: 'ACTION-EXECUTION-FAILURE',
    says: 'An action whose execution failed stays APPROVED.',
    replace: {
      setStatus: (original) => (world, action, status) => {
        if (status !== 'FAILED') original(world, action, status);
      },
    },
  },
  {
    name: 'failed-execution-becomes-rejected',
    breaks: 'ACTION-EXECUTION-FAILURE-NOT-REJECTED',
    also: ['ACTION-EXECUTION-FAILURE'],
    says: 'An action whose execution failed becomes REJECTED.',
    replace: {
      setStatus: (original) => (world, action, status) =>
        original(world, action, status === 'FAILED' ? 'REJECTED' : status),
      transactionOfAction: (original) => (world, action) =>
        action.status === 'REJECTED' ? undefined : original(world, action),
    },
  },
  {
    name: 'failed-execution-waits-again',
    breaks: 'ACTION-EXECUTION-FAILURE-NOT-REJECTED',
    also: ['ACTION-EXECUTION-FAILURE'],
    says: 'An action whose execution failed waits for approval again.',
    replace: {
      setStatus: (original) => (world, action, status) =>
        original(world, action, status === 'FAILED' ? 'PENDING_APPROVAL' : status),
      transactionOfAction: (original) => (world, action) =>
        action.status === 'PENDING_APPROVAL' ? undefined : original(world, action),
    },
  },
];
