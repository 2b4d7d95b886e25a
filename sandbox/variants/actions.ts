import { giving, answering, answeringWith, where, coded, nothing } from '../areas/replacements.ts';
import { balanceOf, type InternalAccount } from '../areas/accounts/records.ts';
import type { Agent } from '../areas/agents/records.ts';
import type { BehaviourSet, Replacements } from '../areas/behaviour.ts';
import { actions, type AgentAction } from '../areas/transfers/records.ts';
import { endExecution, payoutFailure } from '../areas/transfers/steps.ts';
import { noContent } from '../server/area.ts';
import type { JsonObject } from '../server/json.ts';
import { Refusal, refuse } from '../server/refusal.ts';
import type { World } from '../world/world.ts';
import type { Choices } from './index.ts';

/** Long enough to be seen by a caller that reads at once, in milliseconds. */
const LATER = 30;

/** Longer than a check takes that does not wait, in milliseconds. */
const MUCH_LATER = 300;

/** Ids of actions whose decision has not been answered yet. */
const justDecided = new Set<string>();

/** Until when the money of a rejected action is still held back. */
const freed = new WeakMap<AgentAction, number>();

/** The policy that an agent still has after a change. */
const policyBefore = new WeakMap<Agent, { readonly policy: Agent['policy']; readonly until: number }>();

/** What reads still show of an action whose status has just changed. */
const before = new WeakMap<AgentAction, { readonly shown: JsonObject; readonly until: number }>();

const lagging =
  (original: BehaviourSet['presentReadAction']): BehaviourSet['presentReadAction'] =>
  (world, action) => {
    const was = before.get(action);
    return was && performance.now() < was.until ? was.shown : original(world, action);
  };

const lessHeldBack =
  (original: BehaviourSet['presentInternalAccount']): BehaviourSet['presentInternalAccount'] =>
  (world, account) => {
    const amount = balanceOf(world, account) - heldBack(world, account);
    const shown = original(world, account);
    return { ...shown, balance: { ...(shown['balance'] as JsonObject), amount } };
  };

/** When things happen to an action, and how decisions are answered. */
export const actionChoices: Choices = {
  'funds-of-waiting-actions': {
    open: 'Nothing is executed while an action waits; whether its money is held back meanwhile is not shown.',
    held: { presentInternalAccount: lessHeldBack },
    'held-and-freed-later': {
      setStatus: (original) => (world, action, status) => {
        original(world, action, status);
        if (status === 'REJECTED') freed.set(action, performance.now() + MUCH_LATER);
      },
      presentInternalAccount: lessHeldBack,
    },
  },
  'execution-begins': {
    open: 'After an approval the transaction is populated once execution has begun; when that is, is not stated.',
    later: { whenExecutionBegins: () => (_world, begin) => later(begin) },
  },
  'execution-ends': {
    open: 'APPROVED means that execution is in progress or finished; when it ends is not stated.',
    later: { whenExecutionEnds: () => (_world, end) => later(end) },
    'at-once': {
      beginExecution: (original) => (world, action) => {
        original(world, action);
        endExecution(world, action);
      },
    },
  },
  'money-of-failed-execution': {
    open: 'What a failed execution does to balances is not shown, apart from refunds of debited amounts.',
    'never-leaves': {
      moveMoney: (original) => (world, action) => {
        if (payoutFailure(world, action) === undefined) original(world, action);
      },
      returnMoney: nothing,
    },
  },
  'transaction-of-failed-action': {
    open: 'Whether execution had begun when an action FAILED is not stated.',
    absent: { transactionOfAction: where((action) => action.status === 'FAILED', undefined) },
  },
  'action-reads': {
    open: 'How soon a read follows a change of status is not stated.',
    'follow-later': {
      setStatus: (original) => (world, action, status) => {
        before.set(action, {
          shown: world.behaviour.presentAction(action),
          until: performance.now() + LATER,
        });
        original(world, action, status);
      },
      presentReadAction: lagging,
      presentListedAction: lagging,
    },
  },
  'approval-answer': {
    open: 'The answer to the approve operation is not shown.',
    ...answers(/\/approve$/),
  },
  'rejection-answer': { open: 'The reject operation is not shown.', ...answers(/\/reject$/) },
  'deciding-again': {
    open: 'What the same decision on a decided action gets is not stated; only that nothing changes.',
    harmless: {
      mayApprove: where((action) => action.status === 'APPROVED', undefined),
      approveAction: where((action) => action.status === 'APPROVED', undefined),
      mayReject: where((action) => action.status === 'REJECTED', undefined),
      rejectAction: where((action) => action.status === 'REJECTED', undefined),
    },
    'answers-400': { refuseConflict: coded('INVALID_INPUT', 400) },
  },
  'action-of-another-customer': {
    open: 'Reading an action is not shown, nor the status of one that is not found.',
    'answers-400': {
      agentReads: giving((usual) => usual || refuse(new Refusal(400, 'INVALID_INPUT', 'No such action.'))),
    },
  },
  'basic-on-reads-of-agents': {
    open: 'GET /agents/me is not shown: to the platform it may be the agent whose id is "me".',
    'answers-404': unlikeAgents(404, 'REFERENCE_NOT_FOUND'),
    'answers-400': unlikeAgents(400, 'INVALID_INPUT'),
    'answers-405': unlikeAgents(405, 'METHOD_NOT_ALLOWED'),
  },
  'policy-changes': {
    open: 'How soon a changed policy applies is not stated.',
    'follow-later': {
      changePolicy: (original) => (world, agent, policy) => {
        policyBefore.set(agent, {
          policy: world.behaviour.policyOf(agent),
          until: performance.now() + MUCH_LATER,
        });
        original(world, agent, policy);
      },
      policyOf: (original) => (world, agent) => {
        const was = policyBefore.get(agent);
        return was && performance.now() < was.until ? was.policy : original(world, agent);
      },
    },
  },
  'actions-of-siblings': {
    open: 'Whether an agent sees the actions of other agents of its customer is not stated.',
    visible: { agentSees: () => (_world, agent, record) => record.customerId === agent.customerId },
  },
  'used-device-code': {
    open: 'How often a device code can be redeemed is not shown.',
    'gives-the-same-token': { refuseUsedDeviceCode: () => (_world, agent) => agent },
    'answers-404': {
      refuseUsedDeviceCode: () => (world, agent) =>
        refuse(world.behaviour.refuseNotFound('device code', agent.deviceCode)),
    },
  },
};

function answers(operations: RegExp): Record<string, Replacements> {
  return {
    'empty-object': answeringWith(operations, () => ({})),
    'no-content': answering(operations, noContent),
    wrapped: answeringWith(operations, (action) => ({ action })),
    'as-it-was': {
      setStatus: (original) => (world, action, status) => {
        if (action.status === 'PENDING_APPROVAL') justDecided.add(action.id);
        original(world, action, status);
      },
      ...answeringWith(operations, (action) => {
        if (!justDecided.delete(String(action['id']))) return action;
        const { transaction: _1, rejectionReason: _2, ...waiting } = action;
        return { ...waiting, status: 'PENDING_APPROVAL', updatedAt: action['createdAt'] as string };
      }),
    },
  };
}

function unlikeAgents(status: number, code: string): Replacements {
  return {
    identifyCaller: (original) => (world, call, route) =>
      route.auth === 'agent' && call.method === 'GET' && /^Basic /i.test(call.headers['authorization'] ?? '')
        ? refuse(new Refusal(status, code, 'There is no such agent.'))
        : original(world, call, route),
  };
}

function later(work: () => void): void {
  setTimeout(work, LATER).unref();
}

function isHeld(action: AgentAction): boolean {
  return action.status === 'PENDING_APPROVAL' || performance.now() < (freed.get(action) ?? 0);
}

function heldBack(world: World, { id }: InternalAccount): bigint {
  return actions
    .all(world)
    .filter((one) => one.type === 'TRANSFER_OUT' && isHeld(one))
    .filter(({ transfer }) => transfer?.sourceAccountId === id)
    .reduce((sum, { transfer }) => sum + (transfer?.amount ?? 0n), 0n);
}
