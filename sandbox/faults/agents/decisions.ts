import { agentsByToken } from '../../areas/agents/records.ts';
import { internalAccounts } from '../../areas/accounts/records.ts';
import { mainPlatform } from '../../areas/platform/records.ts';
import type { Replacements } from '../../areas/behaviour.ts';
import { type AgentAction, actions, type TransferDetails } from '../../areas/transfers/records.ts';
import type { Call } from '../../server/area.ts';
import type { Json, JsonObject } from '../../server/json.ts';
import { held, outside } from '../../world/ledger.ts';
import { mintId, type World } from '../../world/world.ts';
import { asking, giving, where, nothing } from '../../areas/replacements.ts';
import { breaking, anyMoveOf, fault, field } from '../fault.ts';
import { asAnyPlatform } from './access.ts';

/** Decisions are noted by the functions that make them, so that an automatic approval does not count as one. */
const decisions = new WeakSet<AgentAction>();
const decided = (action: AgentAction) => decisions.has(action);

/** Adds the noting of decisions to replacements that look at them. */
function noting(replace: Replacements): Replacements {
  return {
    ...replace,
    approveAction: (original) => (world, action) => original(world, (decisions.add(action), action)),
    rejectAction: asking((action, reason) => [(decisions.add(action), action), reason]),
  };
}

/** Reads show an action that the platform has decided as it was. */
export function decidedReadAsPending(isMeant: (action: AgentAction) => boolean): Replacements {
  const stale =
    (original: typeof pending): typeof pending =>
    (world, action) =>
      decided(action) && isMeant(action) ? pending(world, action) : original(world, action);
  return noting({ presentReadAction: stale, presentListedAction: stale });
}

/** Shows something else of an action that the platform has decided. */
export function decidedShow(
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

function oneMore(transfer: TransferDetails): TransferDetails {
  return { ...transfer, amount: transfer.amount + 1n };
}

/** The platform's list of what waits for it shows that otherwise. */
function approvalsShow(edit: (action: JsonObject, world: World) => JsonObject): Replacements {
  return {
    handleCall: (original) => async (world, call, route) => {
      const reply = await original(world, call, route);
      if (route.path !== '/agents/approvals') return reply;
      const { data = [], ...rest } = reply.body as { readonly data?: readonly JsonObject[] };
      return { ...reply, body: { ...rest, data: data.map((action) => edit(action, world)) } };
    },
  };
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

/** The other actions of its agent that wait. */
const waitingBeside = (world: World, { id, agentId }: AgentAction): AgentAction[] =>
  actions
    .all(world)
    .filter((one) => one.agentId === agentId && one.id !== id && one.status === 'PENDING_APPROVAL');

/** Approval, rejection, and what they do. */
export const decisionFaults = [
  fault('approval-does-not-execute', 'ACTION-APPROVE-BEGINS-EXECUTION', { whenExecutionBegins: nothing }),
  fault('read-action-without-its-transaction', 'ACTION-APPROVE-BEGINS-EXECUTION', {
    ...field('presentReadAction', 'transaction').drop(),
  }),
  fault('read-action-shows-another-transaction', ['ACTION-DETAILS-STABLE', 'ACTION-TRANSACTION-OF-QUOTE'], {
    presentReadAction: giving((shown, world) =>
      shown['transaction'] === undefined
        ? shown
        : {
            ...shown,
            transaction: { ...(shown['transaction'] as JsonObject), id: mintId(world, 'Transaction') },
          },
    ),
  }),
  fault('read-action-without-its-rejection-reason', 'ACTION-REJECT-REASON', {
    ...field('presentReadAction', 'rejectionReason').drop(),
  }),
  fault('approving-twice-moves-money-twice', 'ACTION-APPROVE-MONEY-ONCE', {
    mayApprove: (original) => (world, action) => {
      if (action.status === 'APPROVED') world.behaviour.moveMoney(action);
      return original(world, action);
    },
  }),
  fault('approving-a-transfer-in-twice-brings-it-twice', 'ACTION-APPROVE-MONEY-ONCE', {
    mayApprove: (original) => (world, action) => {
      if (action.type === 'TRANSFER_IN' && action.status === 'APPROVED') {
        world.behaviour.moveMoney(action);
        world.behaviour.deliverMoney(action);
      }
      return original(world, action);
    },
  }),
  fault('approval-moves-money-twice', 'ACTION-APPROVE-MONEY-ONCE', {
    approveAction: (original) => (world, action) => {
      original(world, action);
      const { sourceAccountId = '', amount = 0n } = action.transfer ?? {};
      const source = internalAccounts.get(world, sourceAccountId);
      if (source && world.behaviour.fundsSuffice(source, amount)) world.behaviour.moveMoney(action);
    },
  }),
  fault('approval-of-one-approves-all', 'ACTION-APPROVE-APPROVES', {
    approveAction: (original) => (world, action) => {
      for (const one of waitingBeside(world, action)) original(world, one);
      original(world, action);
    },
  }),
  fault('rejection-of-one-rejects-all', 'ACTION-REJECT-REJECTS', {
    rejectAction: (original) => (world, action, reason) => {
      for (const one of waitingBeside(world, action)) original(world, one, reason);
      original(world, action, reason);
    },
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
  fault('rejection-fails-the-action', 'ACTION-REJECT-REJECTS', {
    rejectAction: () => (world, action) => world.behaviour.setStatus(action, 'FAILED'),
    ...anyMoveOf('action'),
  }),
  fault('rejection-takes-a-fee', 'ACTION-REJECT-NOT-EXECUTED', {
    rejectAction: (original) => (world, action, reason) => {
      original(world, action, reason);
      if (!action.transfer || action.type !== 'TRANSFER_OUT') return;
      const { sourceAccountId: from, currency } = action.transfer;
      world.ledger.post({ from, to: 'fees:service', amount: 25n, currency, reason: action.id });
    },
  }),
  fault('rejected-action-executed', 'ACTION-REJECT-NOT-EXECUTED', {
    rejectAction: (original) => (world, action, reason) => {
      if (action.transfer) world.behaviour.moveMoney(action);
      return original(world, action, reason);
    },
  }),
  fault('rejection-pays-back-what-nobody-took', 'ACTION-REJECT-NOT-EXECUTED', {
    rejectAction: (original) => (world, action, reason) => {
      const { sourceAccountId, amount, currency } = action.transfer ?? {};
      if (action.type === 'TRANSFER_OUT') credit(world, sourceAccountId!, amount!, currency!);
      return original(world, action, reason);
    },
  }),
  fault('refused-transfer-out-pays-its-amount', 'TRANSFER-REFUSED-LEAVES-NOTHING', {
    submitTransferOut: (original) => (world, agent, body) => {
      try {
        return original(world, agent, body);
      } catch (error) {
        const account = internalAccounts.get(world, (body['source'] as { accountId: string }).accountId);
        const amount = BigInt(Number(body['amount']));
        if (account && amount > 0n) credit(world, account.id, amount, account.currency);
        throw error;
      }
    },
  }),
  ...breaking('TRANSFER-IN-DETAILS-DIRECTION', {
    'transfer-in-brings-nothing': { deliverMoney: where(({ type }) => type === 'TRANSFER_IN', undefined) },
    'transfer-in-brings-twice-its-amount': bringsBeside((amount) => amount),
    'transfer-in-counts-in-main-units': bringsBeside((amount) => amount * 99n),
    'approved-transfer-in-brings-one-unit-too-much': approvedBringsMore(),
  }),
  fault('rejected-transfer-in-executed', 'ACTION-REJECT-NOT-EXECUTED', {
    rejectAction: (original) => (world, action, reason) => {
      if (action.type === 'TRANSFER_IN') {
        world.behaviour.moveMoney(action);
        world.behaviour.deliverMoney(action);
      }
      return original(world, action, reason);
    },
  }),
  fault(
    'approved-action-can-be-rejected',
    ['ACTION-REJECT-ONLY-PENDING', 'ACTION-NO-TRANSACTION-WHEN-REJECTED'],
    { mayReject: where((action) => action.status === 'APPROVED', undefined), ...anyMoveOf('action') },
  ),
  fault(
    'failed-action-can-be-rejected',
    ['ACTION-REJECT-ONLY-PENDING', 'ACTION-NO-TRANSACTION-WHEN-REJECTED'],
    { mayReject: where((action) => action.status === 'FAILED', undefined), ...anyMoveOf('action') },
  ),
  fault('agent-approves-with-its-token', 'ACTION-APPROVE-NEEDS-PLATFORM', agentTokenOn('/approve')),
  fault('agent-rejects-with-its-token', 'ACTION-REJECT-NEEDS-PLATFORM', agentTokenOn('/reject')),
  fault('any-platform-approves', 'ACTION-APPROVE-NEEDS-PLATFORM', asAnyPlatform(/\/approve$/)),
  fault('any-platform-rejects', 'ACTION-REJECT-NEEDS-PLATFORM', asAnyPlatform(/\/reject$/)),
  ...breaking('ACTION-DETAILS-STABLE', {
    'list-shows-transfers-in-as-transfers-out': {
      ...field('presentListedAction', 'type').map((type) => (type === 'TRANSFER_IN' ? 'TRANSFER_OUT' : type)),
    },
    'list-shows-another-amount': {
      presentListedAction: (original) => (world, action) =>
        original(world, { ...action, ...(action.transfer && { transfer: oneMore(action.transfer) }) }),
    },
    'approvals-show-another-amount': approvalsShow(({ transferDetails, ...action }) => ({
      ...action,
      ...(transferDetails && { transferDetails: { ...(transferDetails as JsonObject), amount: 1 } }),
    })),
    'approvals-show-another-platform-customer': approvalsShow((action) => ({
      ...action,
      platformCustomerId: 'somebody',
    })),
    'approvals-show-another-agent': approvalsShow((action, world) => ({
      ...action,
      agentId: mintId(world, 'Agent'),
    })),
    'details-change-on-approval': decidedShow('transferDetails', (world, { transfer }) =>
      transfer
        ? { ...world.behaviour.presentTransferDetails(transfer), amount: transfer.amount - 1n }
        : undefined,
    ),
    'type-changes-on-decision': decidedShow('type', (_world, { type }) =>
      type === 'TRANSFER_OUT' ? 'TRANSFER_IN' : type,
    ),
  }),
  fault('updated-at-goes-back-on-decision', 'ACTION-UPDATED-AT-FOLLOWS', {
    presentAction: (original) => (world, action) => ({
      ...original(world, action),
      updatedAt: world.behaviour.presentTime(
        action.createdAt + (action.status === 'PENDING_APPROVAL' ? 60_000 : 0),
      ),
    }),
  }),
  fault('updated-at-stays-when-the-execution-fails', 'ACTION-UPDATED-AT-FOLLOWS', {
    presentAction: (original) => (world, action) => ({
      ...original(world, action),
      ...(action.status === 'FAILED' ? { updatedAt: world.behaviour.presentTime(action.createdAt) } : {}),
    }),
  }),
  fault('approvals-show-another-creation', 'ACTION-CREATED-AT-STABLE', {
    ...approvalsShow((action) => ({ ...action, createdAt: '2025-10-13T00:00:00.000Z' })),
  }),
  fault('listed-action-was-created-another-time', 'ACTION-CREATED-AT-STABLE', {
    presentListedAction: asking((action) => [{ ...action, createdAt: action.createdAt - 3_600_000 }]),
  }),
  ...breaking('ACTION-READ-STATUS', {
    'list-shows-every-action-pending': { presentListedAction: () => pending },
    'approvals-show-what-waits-as-approved': approvalsShow((action) => ({ ...action, status: 'APPROVED' })),
  }),

  // What executing a transfer does to money and status.
  ...breaking('TRANSFER-DEBITS-SOURCE', {
    'transfer-moves-nothing': movesNothing(() => true),
    'transfer-of-euros-moves-nothing': movesNothing(({ transfer }) => transfer?.currency === 'EUR'),
    'transfer-by-a-named-rail-moves-nothing': namedRailMovesNothing(),
    'transfer-with-a-text-moves-nothing': movesNothing(
      ({ remittanceInformation }) => remittanceInformation !== undefined,
    ),
    'transfer-debits-a-hundredfold': debitsBeside(99n),
    'transfer-debits-twice': debitsBeside(1n),
    'transfer-debits-whole-main-units-alone': {
      moveMoney: (original) => (world, action) => {
        original(world, action);
        const { amount, currency, sourceAccountId: to } = action.transfer!;
        const cents = amount % 100n;
        if (action.type === 'TRANSFER_OUT')
          world.ledger.post({ from: outside('rounding'), to, amount: cents, currency, reason: action.id });
      },
    },
  }),
  fault('approved-transfer-moves-nothing', ['TRANSFER-DEBITS-SOURCE', 'TRANSFER-IN-DETAILS-DIRECTION'], {
    ...approvedMovesNothing(),
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
  fault(
    'transfer-out-is-submitted-twice',
    ['TRANSFER-DEBITS-SOURCE', 'TRANSFER-IDEMPOTENCY-ONE-ACTION', 'TRANSFER-IDEMPOTENCY-AFTER-STATE-CHANGE'],
    {
      submitTransferOut: (original) => (world, agent, body) => {
        const action = original(world, agent, body);
        original(world, agent, body);
        return action;
      },
    },
  ),
  fault('pending-transfer-in-credits-at-once', 'TRANSFER-PENDING-NOT-EXECUTED', {
    addAction: giving((action, world, agent, wanted, status) => {
      if (status === 'PENDING_APPROVAL' && action.type === 'TRANSFER_IN') {
        world.behaviour.moveMoney(action);
        world.behaviour.deliverMoney(action);
      }
      return action;
    }),
  }),
  fault('pending-transfer-debits-at-once', ['TRANSFER-PENDING-NOT-EXECUTED', 'ACTION-REJECT-NOT-EXECUTED'], {
    addAction: giving((action, world, agent, wanted, status) => {
      if (status === 'PENDING_APPROVAL' && action.transfer) {
        world.behaviour.moveMoney(action);
        reserved.add(action);
      }
      return action;
    }),
    beginExecution: (original) => (world, action) => {
      if (reserved.delete(action)) letGo(world, action);
      original(world, action);
    },
  }),
  ...breaking('ACTION-EXECUTION-FAILURE', {
    'failed-execution-stays-approved': {
      setStatus: where((_action, status) => status === 'FAILED', undefined),
    },
    'failed-quote-stays-approved': {
      setStatus: where((action, status) => status === 'FAILED' && action.type === 'EXECUTE_QUOTE', undefined),
    },
  }),
  ...breaking(['ACTION-EXECUTION-FAILURE-NOT-REJECTED', 'ACTION-EXECUTION-FAILURE'], {
    'failed-execution-becomes-rejected': {
      setStatus: asking((action, status) => [action, status === 'FAILED' ? 'REJECTED' : status]),
      ...anyMoveOf('action'),
      transactionOfAction: where((action) => action.status === 'REJECTED', undefined),
    },
    'failed-quote-rejects-its-action': {
      setStatus: (original) => (world, action, status) =>
        original(world, action, status === 'FAILED' && !action.transfer ? 'REJECTED' : status),
      ...anyMoveOf('action'),
      transactionOfAction: where((action) => action.status === 'REJECTED', undefined),
    },
    'failed-execution-waits-again': {
      setStatus: asking((action, status) => [action, status === 'FAILED' ? 'PENDING_APPROVAL' : status]),
      ...anyMoveOf('action'),
      transactionOfAction: where((action) => action.status === 'PENDING_APPROVAL', undefined),
    },
  }),
];

/** Pays money in that nobody has paid. */
function credit(world: World, to: string, amount: bigint, currency: string): void {
  world.ledger.post({ from: outside('mint'), to, amount, currency, reason: to });
}

/** What comes in beside the amount of a transfer-in. */
function bringsBeside(
  more: (amount: bigint) => bigint,
  isMeant: (action: AgentAction) => boolean = () => true,
): Replacements {
  return {
    deliverMoney: (original) => (world, action) => {
      original(world, action);
      const { amount, currency, destinationAccountId: to } = action.transfer!;
      if (action.type === 'TRANSFER_IN' && isMeant(action)) credit(world, to, more(amount), currency);
    },
  };
}

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

/** What the platform has approved is executed in name only. */
function approvedMovesNothing(): Replacements {
  const approved = approvals();
  return { ...approved.noted, ...movesNothing(approved.has) };
}

/** Actions that are executed in name only. */
function movesNothing(isMeant: (action: AgentAction) => boolean): Replacements {
  return {
    moveMoney: where(isMeant, undefined),
    deliverMoney: where(isMeant, undefined),
    returnMoney: where(isMeant, undefined),
  };
}

function namedRailMovesNothing(): Replacements {
  const named = new WeakSet<object>();
  return {
    ...movesNothing(({ transfer }) => named.has(transfer!)),
    readTransferOut: giving((wanted, _world, _agent, body) => {
      if ((body['destination'] as JsonObject)['paymentRail'] !== undefined) named.add(wanted.transfer!);
      return wanted;
    }),
  };
}

/** A transfer-in that the platform has approved brings a unit more than its amount. */
function approvedBringsMore(): Replacements {
  const approved = approvals();
  return { ...approved.noted, ...bringsBeside(() => 1n, approved.has) };
}

/** Notes which actions the platform has approved. */
function approvals() {
  const approved = new WeakSet<AgentAction>();
  const noted: Replacements = {
    approveAction: (original) => (world, action) => {
      approved.add(action);
      original(world, action);
    },
  };
  return { noted, has: (action: AgentAction): boolean => approved.has(action) };
}
