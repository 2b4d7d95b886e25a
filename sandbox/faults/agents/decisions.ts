import { agentsByToken } from '../../areas/agents/records.ts';
import { mainPlatform } from '../../areas/platform/records.ts';
import type { Replacements } from '../../areas/behaviour.ts';
import type { AgentAction } from '../../areas/transfers/records.ts';
import type { Call } from '../../server/area.ts';
import type { Json } from '../../server/json.ts';
import { held } from '../../world/ledger.ts';
import type { World } from '../../world/world.ts';
import { anyMoveOf, faultsOf } from '../fault.ts';

/** Decisions are noted by the functions that make them, so that an automatic approval does not count as one. */
const decisions = new WeakSet<AgentAction>();
const decided = (action: AgentAction) => decisions.has(action);

/** Approval, rejection, and what they do. */
export const decisionFaults = faultsOf([
  [
    'approval-leaves-pending',
    'ACTION-APPROVE-APPROVES',
    'An approval is answered and changes nothing.',
    { approveAction: () => () => undefined },
  ],
  [
    'approval-does-not-execute',
    'ACTION-APPROVE-BEGINS-EXECUTION',
    'An approved action is never executed.',
    { whenExecutionBegins: () => () => undefined },
  ],
  [
    'approving-twice-moves-money-twice',
    'ACTION-APPROVE-MONEY-ONCE',
    'A second approval is refused after it has debited the source again.',
    {
      mayApprove: (original) => (world, action) => {
        if (action.status === 'APPROVED') world.behaviour.moveMoney(action);
        return original(world, action);
      },
    },
  ],
  [
    'approval-moves-money-twice',
    'ACTION-APPROVE-MONEY-ONCE',
    'One approval debits the source twice.',
    {
      approveAction: (original) => (world, action) => {
        original(world, action);
        if (action.transfer) world.behaviour.moveMoney(action);
      },
    },
  ],
  [
    'rejected-action-can-be-approved',
    'ACTION-APPROVE-ONLY-PENDING',
    'An approval after a rejection is executed.',
    {
      mayApprove: (original) => (world, action) =>
        action.status === 'REJECTED' ? undefined : original(world, action),
      ...anyMoveOf('action'),
    },
  ],
  [
    'late-approval-refused-but-executed',
    'ACTION-APPROVE-ONLY-PENDING',
    'An approval after a rejection is refused, and the action becomes APPROVED all the same.',
    {
      mayApprove: (original) => (world, action) => {
        try {
          return original(world, action);
        } finally {
          if (action.status === 'REJECTED') world.behaviour.approveAction(action);
        }
      },
      ...anyMoveOf('action'),
    },
  ],
  [
    'rejection-leaves-pending',
    'ACTION-REJECT-REJECTS',
    'A rejection is answered and changes nothing.',
    { rejectAction: () => () => undefined },
  ],
  [
    'rejection-fails-the-action',
    'ACTION-REJECT-REJECTS',
    'A rejected action becomes FAILED.',
    {
      rejectAction: () => (world, action) => world.behaviour.setStatus(action, 'FAILED'),
      ...anyMoveOf('action'),
    },
  ],
  [
    'rejection-reason-lost',
    'ACTION-REJECT-REASON',
    'The reason of a rejection is not kept.',
    { reasonOfAction: () => () => undefined },
  ],
  [
    'rejected-action-executed',
    'ACTION-REJECT-NOT-EXECUTED',
    'A rejected action is REJECTED, and its amount leaves the source all the same.',
    {
      rejectAction: (original) => (world, action, reason) => {
        if (action.transfer) world.behaviour.moveMoney(action);
        return original(world, action, reason);
      },
    },
  ],
  [
    'approved-action-can-be-rejected',
    'ACTION-REJECT-ONLY-PENDING',
    'A rejection after an approval makes the action REJECTED.',
    {
      mayReject: (original) => (world, action) =>
        action.status === 'APPROVED' ? undefined : original(world, action),
      ...anyMoveOf('action'),
    },
    ['ACTION-NO-TRANSACTION-WHEN-REJECTED'],
  ],
  [
    'agent-approves-with-its-token',
    'ACTION-APPROVE-NEEDS-PLATFORM',
    'The approve operation takes agent tokens too.',
    agentTokenOn('/approve'),
  ],
  [
    'agent-rejects-with-its-token',
    'ACTION-REJECT-NEEDS-PLATFORM',
    'The reject operation takes agent tokens too.',
    agentTokenOn('/reject'),
  ],
  [
    'action-id-changes-on-approval',
    'ACTION-ID-STABLE',
    'A decided action has another id than before.',
    decidedShow('id', (world) => `AgentAction:${world.behaviour.newUuid()}`),
  ],
  [
    'details-change-on-approval',
    'ACTION-DETAILS-STABLE',
    'The amount of a decided action is shown without a fee.',
    decidedShow('transferDetails', (world, { transfer }) =>
      transfer
        ? { ...world.behaviour.presentTransferDetails(transfer), amount: transfer.amount - 1n }
        : undefined,
    ),
  ],
  [
    'type-changes-on-decision',
    'ACTION-DETAILS-STABLE',
    'A decided action has another type than before.',
    decidedShow('type', (_world, { type }) => (type === 'TRANSFER_OUT' ? 'TRANSFER_IN' : type)),
  ],
  [
    'created-at-in-local-time',
    'ACTION-CREATED-AT-SUBMISSION',
    'createdAt is the local time of a place an hour east, labelled as UTC.',
    {
      presentAction: (original) => (world, action) => ({
        ...original(world, action),
        createdAt: world.behaviour.presentTime(action.createdAt + 3_600_000),
        updatedAt: world.behaviour.presentTime(action.updatedAt + 3_600_000),
      }),
    },
  ],
  [
    'created-at-changes-on-decision',
    'ACTION-CREATED-AT-STABLE',
    'A decided action was created a minute earlier than before.',
    decidedShow('createdAt', (world, action) => world.behaviour.presentTime(action.createdAt - 60_000)),
  ],
  [
    'updated-at-goes-back-on-decision',
    'ACTION-UPDATED-AT-FOLLOWS',
    'The decision is dated before the last update that was shown.',
    {
      presentAction: (original) => (world, action) => ({
        ...original(world, action),
        updatedAt: world.behaviour.presentTime(
          action.createdAt + (action.status === 'PENDING_APPROVAL' ? 60_000 : 0),
        ),
      }),
    },
  ],
  [
    'read-shows-the-first-status',
    'ACTION-READ-STATUS',
    'A read after a decision comes from a cache and shows the action pending.',
    noting({
      presentReadAction: (original) => (world, action) =>
        decided(action) ? pending(world, action) : original(world, action),
      presentListedAction: (original) => (world, action) =>
        decided(action) ? pending(world, action) : original(world, action),
    }),
  ],
  [
    'list-shows-every-action-pending',
    'ACTION-READ-STATUS',
    'A list shows actions as pending, whatever has become of them.',
    { presentListedAction: () => pending },
  ],
]);

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
  return world.behaviour.presentAction({
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
  const token = world.behaviour.readBearer(call.headers['authorization'] ?? '');
  return token !== undefined && agentsByToken.get(world, token) !== undefined;
}

const reserved = new WeakSet<AgentAction>();

function letGo(world: World, action: AgentAction): void {
  const { amount, currency, sourceAccountId: to } = action.transfer!;
  world.ledger.post({ from: held(action.id), to, amount, currency, reason: action.id });
}

/** What executing a transfer does to money and status. */
export const executionFaults = faultsOf([
  [
    'transfer-moves-nothing',
    'TRANSFER-DEBITS-SOURCE',
    'An executed transfer leaves the source as it was.',
    {
      moveMoney: () => () => undefined,
      deliverMoney: () => () => undefined,
      returnMoney: () => () => undefined,
    },
  ],
  [
    'balance-shown-from-a-cache',
    'TRANSFER-DEBITS-SOURCE',
    'An account goes on showing the balance that it had when it was first read.',
    {
      presentInternalAccount: (original) => {
        const first = new WeakMap<object, Json | undefined>();
        return (world, account) => {
          const shown = original(world, account);
          if (!first.has(account)) first.set(account, shown['balance']);
          return { ...shown, balance: first.get(account) };
        };
      },
    },
    ['QUOTE-DEBIT-IS-TOTAL'],
  ],
  [
    'transfer-debits-a-hundredfold',
    'TRANSFER-DEBITS-SOURCE',
    'The amount is taken for whole units of the currency.',
    debitsBeside(99n),
  ],
  [
    'transfer-debits-twice',
    'TRANSFER-DEBITS-SOURCE',
    'Every transfer takes its amount twice.',
    debitsBeside(1n),
  ],
  [
    'transfer-out-is-submitted-twice',
    'TRANSFER-DEBITS-SOURCE',
    'One transfer-out makes two actions, each of which is executed.',
    {
      submitTransferOut: (original) => (world, agent, body) => {
        const action = original(world, agent, body);
        original(world, agent, body);
        return action;
      },
    },
    ['TRANSFER-IDEMPOTENCY-ONE-ACTION'],
  ],
  [
    'pending-transfer-in-credits-at-once',
    'TRANSFER-PENDING-NOT-EXECUTED',
    'The amount of a transfer-in arrives while the action still waits.',
    {
      addAction: (original) => (world, agent, wanted, status) => {
        const action = original(world, agent, wanted, status);
        if (status === 'PENDING_APPROVAL' && action.type === 'TRANSFER_IN') {
          world.behaviour.moveMoney(action);
          world.behaviour.deliverMoney(action);
        }
        return action;
      },
    },
  ],
  [
    'pending-transfer-debits-at-once',
    'TRANSFER-PENDING-NOT-EXECUTED',
    'The amount leaves the source for good while the action still waits.',
    {
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
    },
    ['ACTION-REJECT-NOT-EXECUTED'],
  ],
  [
    'failed-execution-stays-approved',
    'ACTION-EXECUTION-FAILURE',
    'An action whose execution failed stays APPROVED.',
    {
      setStatus: (original) => (world, action, status) => {
        if (status !== 'FAILED') original(world, action, status);
      },
    },
  ],
  [
    'failed-execution-becomes-rejected',
    'ACTION-EXECUTION-FAILURE-NOT-REJECTED',
    'An action whose execution failed becomes REJECTED.',
    {
      setStatus: (original) => (world, action, status) =>
        original(world, action, status === 'FAILED' ? 'REJECTED' : status),
      ...anyMoveOf('action'),
      transactionOfAction: (original) => (world, action) =>
        action.status === 'REJECTED' ? undefined : original(world, action),
    },
    ['ACTION-EXECUTION-FAILURE'],
  ],
  [
    'failed-execution-waits-again',
    'ACTION-EXECUTION-FAILURE-NOT-REJECTED',
    'An action whose execution failed waits for approval again.',
    {
      setStatus: (original) => (world, action, status) =>
        original(world, action, status === 'FAILED' ? 'PENDING_APPROVAL' : status),
      ...anyMoveOf('action'),
      transactionOfAction: (original) => (world, action) =>
        action.status === 'PENDING_APPROVAL' ? undefined : original(world, action),
    },
    ['ACTION-EXECUTION-FAILURE'],
  ],
]);

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
