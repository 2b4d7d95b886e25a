import { agentsByToken } from '../../areas/agents/records.ts';
import { mainPlatform } from '../../areas/platform/records.ts';
import type { Replacements } from '../../areas/behaviour.ts';
import type { AgentAction } from '../../areas/transfers/records.ts';
import type { Call } from '../../server/area.ts';
import type { Json } from '../../server/json.ts';
import { held } from '../../world/ledger.ts';
import type { World } from '../../world/world.ts';
import { anyMoveOf, fault } from '../fault.ts';

/** Decisions are noted by the functions that make them, so that an automatic approval does not count as one. */
const decisions = new WeakSet<AgentAction>();
const decided = (action: AgentAction) => decisions.has(action);

/** Approval, rejection, and what they do. */
export const decisionFaults = [
  fault('approval-leaves-pending', 'ACTION-APPROVE-APPROVES', { approveAction: () => () => undefined }),
  fault('approval-does-not-execute', 'ACTION-APPROVE-BEGINS-EXECUTION', {
    whenExecutionBegins: () => () => undefined,
  }),
  fault('approving-twice-moves-money-twice', 'ACTION-APPROVE-MONEY-ONCE', {
    mayApprove: (original) => (world, action) => {
      if (action.status === 'APPROVED') world.behaviour.moveMoney(action);
      return original(world, action);
    },
  }),
  fault('approval-moves-money-twice', 'ACTION-APPROVE-MONEY-ONCE', {
    approveAction: (original) => (world, action) => {
      original(world, action);
      if (action.transfer) world.behaviour.moveMoney(action);
    },
  }),
  fault('rejected-action-can-be-approved', 'ACTION-APPROVE-ONLY-PENDING', {
    mayApprove: (original) => (world, action) =>
      action.status === 'REJECTED' ? undefined : original(world, action),
    ...anyMoveOf('action'),
  }),
  fault('late-approval-refused-but-executed', 'ACTION-APPROVE-ONLY-PENDING', {
    mayApprove: (original) => (world, action) => {
      try {
        return original(world, action);
      } finally {
        if (action.status === 'REJECTED') world.behaviour.approveAction(action);
      }
    },
    ...anyMoveOf('action'),
  }),
  fault('rejection-leaves-pending', 'ACTION-REJECT-REJECTS', { rejectAction: () => () => undefined }),
  fault('rejection-fails-the-action', 'ACTION-REJECT-REJECTS', {
    rejectAction: () => (world, action) => world.behaviour.setStatus(action, 'FAILED'),
    ...anyMoveOf('action'),
  }),
  fault('rejection-reason-lost', 'ACTION-REJECT-REASON', { reasonOfAction: () => () => undefined }),
  fault('rejected-action-executed', 'ACTION-REJECT-NOT-EXECUTED', {
    rejectAction: (original) => (world, action, reason) => {
      if (action.transfer) world.behaviour.moveMoney(action);
      return original(world, action, reason);
    },
  }),
  fault(
    'approved-action-can-be-rejected',
    ['ACTION-REJECT-ONLY-PENDING', 'ACTION-NO-TRANSACTION-WHEN-REJECTED'],
    {
      mayReject: (original) => (world, action) =>
        action.status === 'APPROVED' ? undefined : original(world, action),
      ...anyMoveOf('action'),
    },
  ),
  fault('agent-approves-with-its-token', 'ACTION-APPROVE-NEEDS-PLATFORM', agentTokenOn('/approve')),
  fault('agent-rejects-with-its-token', 'ACTION-REJECT-NEEDS-PLATFORM', agentTokenOn('/reject')),
  fault(
    'action-id-changes-on-approval',
    'ACTION-ID-STABLE',
    decidedShow('id', (world) => `AgentAction:${world.behaviour.newUuid()}`),
  ),
  fault(
    'details-change-on-approval',
    'ACTION-DETAILS-STABLE',
    decidedShow('transferDetails', (world, { transfer }) =>
      transfer
        ? { ...world.behaviour.presentTransferDetails(transfer), amount: transfer.amount - 1n }
        : undefined,
    ),
  ),
  fault(
    'type-changes-on-decision',
    'ACTION-DETAILS-STABLE',
    decidedShow('type', (_world, { type }) => (type === 'TRANSFER_OUT' ? 'TRANSFER_IN' : type)),
  ),
  fault('created-at-in-local-time', 'ACTION-CREATED-AT-SUBMISSION', {
    presentAction: (original) => (world, action) => ({
      ...original(world, action),
      createdAt: world.behaviour.presentTime(action.createdAt + 3_600_000),
      updatedAt: world.behaviour.presentTime(action.updatedAt + 3_600_000),
    }),
  }),
  fault(
    'created-at-changes-on-decision',
    'ACTION-CREATED-AT-STABLE',
    decidedShow('createdAt', (world, action) => world.behaviour.presentTime(action.createdAt - 60_000)),
  ),
  fault('updated-at-goes-back-on-decision', 'ACTION-UPDATED-AT-FOLLOWS', {
    presentAction: (original) => (world, action) => ({
      ...original(world, action),
      updatedAt: world.behaviour.presentTime(
        action.createdAt + (action.status === 'PENDING_APPROVAL' ? 60_000 : 0),
      ),
    }),
  }),
  fault(
    'read-shows-the-first-status',
    'ACTION-READ-STATUS',
    noting({
      presentReadAction: (original) => (world, action) =>
        decided(action) ? pending(world, action) : original(world, action),
      presentListedAction: (original) => (world, action) =>
        decided(action) ? pending(world, action) : original(world, action),
    }),
  ),
  fault('list-shows-every-action-pending', 'ACTION-READ-STATUS', { presentListedAction: () => pending }),
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

function decidedShow(
  name: string,
  value: (world: World, action: AgentAction) => Json | undefined,
): Replacements {
  return noting({
    presentAction: (original) => (world, action) => {
      const other = decided(action) ? value(world, action) : undefined;
      const usual = original(world, action);
      return other === undefined ? usual : { ...usual, [name]: other };
    },
  });
}

function pending(world: World, action: AgentAction) {
  const { rejectionReason: _, transactionId: __, ...rest } = action;
  return world.behaviour.presentAction({ ...rest, status: 'PENDING_APPROVAL', updatedAt: action.createdAt });
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
  const token = world.behaviour.readBearer(call.headers['authorization'] ?? '');
  return token !== undefined && agentsByToken.get(world, token) !== undefined;
}

const reserved = new WeakSet<AgentAction>();

function letGo(world: World, action: AgentAction): void {
  const { amount, currency, sourceAccountId: to } = action.transfer!;
  world.ledger.post({ from: held(action.id), to, amount, currency, reason: action.id });
}

/** What executing a transfer does to money and status. */
export const executionFaults = [
  fault('transfer-moves-nothing', 'TRANSFER-DEBITS-SOURCE', {
    moveMoney: () => () => undefined,
    deliverMoney: () => () => undefined,
    returnMoney: () => () => undefined,
  }),
  fault('balance-shown-from-a-cache', ['TRANSFER-DEBITS-SOURCE', 'QUOTE-DEBIT-IS-TOTAL'], {
    presentInternalAccount: (original) => {
      const first = new WeakMap<object, Json | undefined>();
      return (world, account) => {
        const shown = original(world, account);
        if (!first.has(account)) first.set(account, shown['balance']);
        return { ...shown, balance: first.get(account) };
      };
    },
  }),
  fault('transfer-debits-a-hundredfold', 'TRANSFER-DEBITS-SOURCE', debitsBeside(99n)),
  fault('transfer-debits-twice', 'TRANSFER-DEBITS-SOURCE', debitsBeside(1n)),
  fault('transfer-out-is-submitted-twice', ['TRANSFER-DEBITS-SOURCE', 'TRANSFER-IDEMPOTENCY-ONE-ACTION'], {
    submitTransferOut: (original) => (world, agent, body) => {
      const action = original(world, agent, body);
      original(world, agent, body);
      return action;
    },
  }),
  fault('pending-transfer-in-credits-at-once', 'TRANSFER-PENDING-NOT-EXECUTED', {
    addAction: (original) => (world, agent, wanted, status) => {
      const action = original(world, agent, wanted, status);
      if (status === 'PENDING_APPROVAL' && action.type === 'TRANSFER_IN') {
        world.behaviour.moveMoney(action);
        world.behaviour.deliverMoney(action);
      }
      return action;
    },
  }),
  fault('pending-transfer-debits-at-once', ['TRANSFER-PENDING-NOT-EXECUTED', 'ACTION-REJECT-NOT-EXECUTED'], {
    addAction: (original) => (world, agent, wanted, status) => {
      const action = original(world, agent, wanted, status);
      if (status === 'PENDING_APPROVAL' && action.transfer) {
        world.behaviour.moveMoney(action);
        reserved.add(action);
      }
      return action;
    },
    beginExecution: (original) => (world, action) => {
      if (reserved.delete(action)) letGo(world, action);
      original(world, action);
    },
  }),
  fault('failed-execution-stays-approved', 'ACTION-EXECUTION-FAILURE', {
    setStatus: (original) => (world, action, status) => {
      if (status !== 'FAILED') original(world, action, status);
    },
  }),
  fault(
    'failed-execution-becomes-rejected',
    ['ACTION-EXECUTION-FAILURE-NOT-REJECTED', 'ACTION-EXECUTION-FAILURE'],
    {
      setStatus: (original) => (world, action, status) =>
        original(world, action, status === 'FAILED' ? 'REJECTED' : status),
      ...anyMoveOf('action'),
      transactionOfAction: (original) => (world, action) =>
        action.status === 'REJECTED' ? undefined : original(world, action),
    },
  ),
  fault(
    'failed-execution-waits-again',
    ['ACTION-EXECUTION-FAILURE-NOT-REJECTED', 'ACTION-EXECUTION-FAILURE'],
    {
      setStatus: (original) => (world, action, status) =>
        original(world, action, status === 'FAILED' ? 'PENDING_APPROVAL' : status),
      ...anyMoveOf('action'),
      transactionOfAction: (original) => (world, action) =>
        action.status === 'PENDING_APPROVAL' ? undefined : original(world, action),
    },
  ),
];

/** What leaves the source beside the amount of a transfer, so many times the amount. */
function debitsBeside(times: bigint): Replacements {
  return {
    moveMoney: (original) => (world, action) => {
      original(world, action);
      const { amount, currency, sourceAccountId: from } = action.transfer!;
      const to = held(action.id);
      world.ledger.overdraw({ from, to, amount: amount * times, currency, reason: action.id });
    },
  };
}
