import { agentsByToken } from '../../areas/agents/records.ts';
import { mainPlatform } from '../../areas/auth/records.ts';
import type { Replacements } from '../../areas/replacement.ts';
import type { AgentAction } from '../../areas/transfers/records.ts';
import type { Call } from '../../server/call.ts';
import type { Json } from '../../server/json.ts';
import { held } from '../../world/ledger.ts';
import type { World } from '../../world/world.ts';
import { anyMoveOf, type Fault } from '../fault.ts';

/** Decisions are noted by the rules that make them, so that an automatic approval does not count as one. */
const decisions = new WeakSet<AgentAction>();
const decided = (action: AgentAction) => decisions.has(action);

/** Approval, rejection, and what they do. */
export const decisionFaults: readonly Fault[] = [
  {
    name: 'approval-leaves-pending',
    breaks: 'ACTION-APPROVE-APPROVES',
    says: 'An approval is answered and changes nothing.',
    replace: { approveAction: () => () => undefined },
  },
  {
    name: 'approval-does-not-execute',
    breaks: 'ACTION-APPROVE-BEGINS-EXECUTION',
    says: 'An approved action is never executed.',
    replace: { whenExecutionBegins: () => () => undefined },
  },
  {
    name: 'approving-twice-moves-money-twice',
    breaks: 'ACTION-APPROVE-MONEY-ONCE',
    says: 'A second approval is refused after it has debited the source again.',
    replace: {
      mayApprove: (original) => (world, action) => {
        if (action.status === 'APPROVED') world.rules.moveMoney(action);
        return original(world, action);
      },
    },
  },
  {
    name: 'approval-moves-money-twice',
    breaks: 'ACTION-APPROVE-MONEY-ONCE',
    says: 'One approval debits the source twice.',
    replace: {
      approveAction: (original) => (world, action) => {
        original(world, action);
        world.rules.moveMoney(action);
      },
    },
  },
  {
    name: 'rejected-action-can-be-approved',
    breaks: 'ACTION-APPROVE-ONLY-PENDING',
    says: 'An approval after a rejection is executed.',
    replace: {
      mayApprove: (original) => (world, action) =>
        action.status === 'REJECTED' ? undefined : original(world, action),
      ...anyMoveOf('action'),
    },
  },
  {
    name: 'late-approval-refused-but-executed',
    breaks: 'ACTION-APPROVE-ONLY-PENDING',
    says: 'An approval after a rejection is refused, and the action becomes APPROVED all the same.',
    replace: {
      mayApprove: (original) => (world, action) => {
        try {
          return original(world, action);
        } finally {
          if (action.status === 'REJECTED') world.rules.approveAction(action);
        }
      },
      ...anyMoveOf('action'),
    },
  },
  {
    name: 'rejection-leaves-pending',
    breaks: 'ACTION-REJECT-REJECTS',
    says: 'A rejection is answered and changes nothing.',
    replace: { rejectAction: () => () => undefined },
  },
  {
    name: 'rejection-fails-the-action',
    breaks: 'ACTION-REJECT-REJECTS',
    says: 'A rejected action becomes FAILED.',
    replace: {
      rejectAction: () => (world, action) => world.rules.setStatus(action, 'FAILED'),
      ...anyMoveOf('action'),
    },
  },
  {
    name: 'rejection-reason-lost',
    breaks: 'ACTION-REJECT-REASON',
    says: 'The reason of a rejection is not kept.',
    replace: { reasonOfAction: () => () => undefined },
  },
  {
    name: 'rejected-action-executed',
    breaks: 'ACTION-REJECT-NOT-EXECUTED',
    says: 'A rejected action is REJECTED, and its amount leaves the source all the same.',
    replace: {
      rejectAction: (original) => (world, action, reason) => {
        world.rules.moveMoney(action);
        return original(world, action, reason);
      },
    },
  },
  {
    name: 'approved-action-can-be-rejected',
    breaks: 'ACTION-REJECT-ONLY-PENDING',
    also: ['ACTION-NO-TRANSACTION-WHEN-REJECTED'],
    says: 'A rejection after an approval makes the action REJECTED.',
    replace: {
      mayReject: (original) => (world, action) =>
        action.status === 'APPROVED' ? undefined : original(world, action),
      ...anyMoveOf('action'),
    },
  },
  {
    name: 'agent-approves-with-its-token',
    breaks: 'ACTION-APPROVE-NEEDS-PLATFORM',
    says: 'The approve operation takes agent tokens too.',
    replace: agentTokenOn('/approve'),
  },
  {
    name: 'agent-rejects-with-its-token',
    breaks: 'ACTION-REJECT-NEEDS-PLATFORM',
    says: 'The reject operation takes agent tokens too.',
    replace: agentTokenOn('/reject'),
  },
  {
    name: 'action-id-changes-on-approval',
    breaks: 'ACTION-ID-STABLE',
    says: 'A decided action has another id than before.',
    replace: decidedShow('id', (world) => `AgentAction:${world.rules.newUuid()}`),
  },
  {
    name: 'details-change-on-approval',
    breaks: 'ACTION-DETAILS-STABLE',
    says: 'The amount of a decided action is shown without a fee.',
    replace: decidedShow('transferDetails', (world, action) => ({
      ...world.rules.presentTransferDetails(action.transfer!),
      amount: action.transfer!.amount - 1n,
    })),
  },
  {
    name: 'type-changes-on-decision',
    breaks: 'ACTION-DETAILS-STABLE',
    says: 'A decided action has another type than before.',
    replace: decidedShow('type', () => 'TRANSFER_IN'),
  },
  {
    name: 'created-at-in-local-time',
    breaks: 'ACTION-CREATED-AT-SUBMISSION',
    says: 'createdAt is the local time of a place an hour east, labelled as UTC.',
    replace: {
      presentAction: (original) => (world, action) => ({
        ...original(world, action),
        createdAt: world.rules.presentTime(action.createdAt + 3_600_000),
        updatedAt: world.rules.presentTime(action.updatedAt + 3_600_000),
      }),
    },
  },
  {
    name: 'created-at-changes-on-decision',
    breaks: 'ACTION-CREATED-AT-STABLE',
    says: 'A decided action was created a minute earlier than before.',
    replace: decidedShow('createdAt', (world, action) => world.rules.presentTime(action.createdAt - 60_000)),
  },
  {
    name: 'updated-at-goes-back-on-decision',
    breaks: 'ACTION-UPDATED-AT-FOLLOWS',
    says: 'The decision is dated before the last update that was shown.',
    replace: {
      presentAction: (original) => (world, action) => ({
        ...original(world, action),
        updatedAt: world.rules.presentTime(
          action.createdAt + (action.status === 'PENDING_APPROVAL' ? 60_000 : 0),
        ),
      }),
    },
  },
  {
    name: 'read-shows-the-first-status',
    breaks: 'ACTION-READ-STATUS',
    says: 'A read after a decision comes from a cache and shows the action pending.',
    replace: noting({
      presentReadAction: (original) => (world, action) =>
        decided(action) ? pending(world, action) : original(world, action),
      presentListedAction: (original) => (world, action) =>
        decided(action) ? pending(world, action) : original(world, action),
    }),
  },
];

/** Adds the noting of decisions to replacements that look at them. */
function noting(replace: Replacements): Replacements {
  return {
    ...replace,
    approveAction: (original) => (world, action) => original(world, (decisions.add(action), action)),
    rejectAction: (original) => (world, action, reason) =>
      original(world, (decisions.add(action), action), reason),
  };
}

function decidedShow(name: string, value: (world: World, action: AgentAction) => Json): Replacements {
  return noting({
    presentAction: (original) => (world, action) =>
      decided(action)
        ? { ...original(world, action), [name]: value(world, action) }
        : original(world, action),
  });
}

function pending(world: World, action: AgentAction) {
  const { rejectionReason: _, transactionId: __, ...rest } = action;
  return world.rules.presentAction({
    ...rest,
    status: 'PENDING_APPROVAL',
    updatedAt: action.createdAt,
  });
}

function agentTokenOn(ending: string): Replacements {
  return {
    identifyCaller: (original) => (world, call, route) =>
      call.path.endsWith(ending) && holdsToken(world, call)
        ? mainPlatform(world)
        : original(world, call, route),
  };
}

function holdsToken(world: World, call: Call): boolean {
  const token = world.rules.readBearer(call.headers['authorization'] ?? '');
  return token !== undefined && agentsByToken.get(world, token) !== undefined;
}

const reserved = new WeakSet<AgentAction>();

function letGo(world: World, action: AgentAction): void {
  const { amount, currency, sourceAccountId: to } = action.transfer!;
  world.ledger.post({ from: held(action.id), to, amount, currency, reason: action.id });
}

/** What executing a transfer does to money and status. */
export const executionFaults: readonly Fault[] = [
  {
    name: 'transfer-moves-nothing',
    breaks: 'TRANSFER-DEBITS-SOURCE',
    says: 'An executed transfer leaves the source as it was.',
    replace: {
      moveMoney: () => () => undefined,
      deliverMoney: () => () => undefined,
      returnMoney: () => () => undefined,
    },
  },
  {
    name: 'balance-shown-from-a-cache',
    breaks: 'TRANSFER-DEBITS-SOURCE',
    says: 'An account goes on showing the balance that it had when it was first read.',
    replace: {
      presentInternalAccount: (original) => {
        const first = new WeakMap<object, Json | undefined>();
        return (world, account) => {
          const shown = original(world, account);
          if (!first.has(account)) first.set(account, shown['balance']);
          return { ...shown, balance: first.get(account) };
        };
      },
    },
  },
  {
    name: 'transfer-debits-a-hundredfold',
    breaks: 'TRANSFER-DEBITS-SOURCE',
    says: 'The amount is taken for whole units of the currency.',
    replace: {
      moveMoney: (original) => (world, action) => {
        original(world, action);
        const { amount, currency, sourceAccountId: from } = action.transfer!;
        world.ledger.overdraw({
          from,
          to: held(action.id),
          amount: amount * 99n,
          currency,
          reason: action.id,
        });
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
          world.rules.moveMoney(action);
          reserved.add(action);
        }
        return action;
      },
      beginExecution: (original) => (world, action) => {
        if (reserved.delete(action)) letGo(world, action);
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
      ...anyMoveOf('action'),
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
      ...anyMoveOf('action'),
      transactionOfAction: (original) => (world, action) =>
        action.status === 'PENDING_APPROVAL' ? undefined : original(world, action),
    },
  },
];
