import { bodyOf, type Call, ok, operation, type Reply, type Route } from '../../server/area.ts';
import type { JsonObject } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import type { Agent } from '../agents/records.ts';
import {
  agentOf,
  allOwned,
  allOwnedByCustomers,
  allSeen,
  type Filters,
  list,
  listQuery,
  ownedBy,
  ownedByCustomer,
  platformOf,
  platformOwns,
} from '../conventions/operations.ts';
import { type CardTransaction, cardTransactions } from '../platform/records.ts';
import { actions, type AgentAction, type Transaction, transactions } from './records.ts';
import { endExecution, submitTransferIn } from './steps.ts';

const actionFilters: Filters<AgentAction> = {
  agentId: ({ agentId }) => agentId,
  customerId: ({ customerId }) => customerId,
  status: ({ status }) => status,
  type: ({ type }) => type,
};

const transactionFilters: Filters<Transaction | CardTransaction> = {
  customerId: ({ customerId }) => customerId,
  status: ({ status }) => status,
  type: (payment) => ('cardId' in payment ? 'CARD' : payment.type),
};

/** What an agent calls with its own token. */
export const operationRoutes: readonly Route[] = [
  {
    ...operation('POST /agents/me/transfer-out', 'agent'),
    body: 'TransferOutRequest',
    handle: (world, call) => submitOnce(call, 'transfer-out', world.behaviour.submitTransferOut),
  },
  {
    ...operation('POST /agents/me/transfer-in', 'agent'),
    handle: (world, call) =>
      submitOnce(call, 'transfer-in', (agent, body) => submitTransferIn(world, agent, body)),
  },

  {
    ...operation('GET /agents/me/actions', 'agent'),
    query: listQuery(actionFilters),
    handle(world, call) {
      const mine = allSeen(call, actions);
      return list(call, mine, world.behaviour.presentListedAction, actionFilters);
    },
  },
  {
    ...operation('GET /agents/me/actions/:actionId', 'agent'),
    handle(world, call) {
      const action = actions.get(world, call.params['actionId']!);
      if (action && world.behaviour.agentReads(agentOf(call), action)) {
        return ok(world.behaviour.presentReadAction(action));
      }
      throw world.behaviour.refuseNotFound('action', call.params['actionId']!);
    },
  },
  {
    ...operation('GET /agents/me/transactions', 'agent'),
    query: listQuery(transactionFilters),
    handle(world, call) {
      world.behaviour.permissionGranted(agentOf(call), 'VIEW_TRANSACTIONS');
      const mine = allSeen(call, transactions);
      return list(call, mine, world.behaviour.presentTransaction, transactionFilters);
    },
  },
];

/** Submits a transfer, once for each Idempotency-Key. @param segment the last one of the operation's path */
function submitOnce(
  call: Call,
  segment: string,
  submit: (agent: Agent, body: JsonObject) => AgentAction,
): Promise<Reply> {
  const { world } = call;
  const agent = agentOf(call);
  return world.behaviour.answerOnce({
    agent,
    operation: `POST /agents/me/${segment}`,
    params: call.params,
    key: call.headers['idempotency-key'],
    body: call.body,
    run: () => answerThenEnd(world, submit(agent, bodyOf(call)), 201),
  });
}

/** Platforms approve or reject what waits for them. */
export const decisionRoutes: readonly Route[] = [
  {
    ...operation('GET /agents/approvals'),
    query: listQuery(actionFilters),
    handle(world, call) {
      const waiting = allOwned(call, actions).filter(({ status }) => status === 'PENDING_APPROVAL');
      return list(call, waiting, world.behaviour.presentListedAction, actionFilters);
    },
  },
  {
    ...operation('POST /agents/:agentId/actions/:actionId/approve'),
    handle: (_world, call) => approve(call, actionOf(call)),
  },
  {
    ...operation('POST /agents/:agentId/actions/:actionId/reject'),
    handle(world, call) {
      const action = actionOf(call);
      world.behaviour.mayReject(action);
      world.behaviour.rejectAction(action, bodyOf(call)['reason'] as string | undefined);
      return ok(world.behaviour.presentAction(action));
    },
  },
  {
    // The second approval path that the interface states. A pending action has no transaction yet; the one it will
    // get carries the action's uuid.
    ...operation('POST /transactions/:transactionId/approve'),
    handle(world, call) {
      const id = call.params['transactionId']!;
      const action = actions.get(world, id.replace(/^Transaction:/, 'AgentAction:'));
      const owned = action && platformOwns(platformOf(call), action);
      if (!owned) throw world.behaviour.refuseNotFound('Transaction', id);
      return approve(call, action);
    },
  },
  {
    ...operation('GET /transactions/:transactionId'),
    handle(world, call) {
      const id = call.params['transactionId']!;
      const payment = cardTransactions.get(world, id)
        ? ownedByCustomer(call, cardTransactions, 'Transaction', id)
        : ownedBy(call, transactions, 'Transaction', id);
      return ok(presentPayment(world, payment));
    },
  },
  // Transactions of all customers of a platform, those with cards too: each can be read by its id.
  {
    ...operation('GET /transactions'),
    query: listQuery(transactionFilters),
    handle(world, call) {
      const payments = [...allOwned(call, transactions), ...allOwnedByCustomers(call, cardTransactions)];
      const mine = payments.sort((one, other) => one.createdAt - other.createdAt);
      return list(call, mine, (one) => presentPayment(world, one), transactionFilters);
    },
  },
];

function approve({ world }: Call, action: AgentAction) {
  world.behaviour.mayApprove(action);
  world.behaviour.approveAction(action);
  return ok(world.behaviour.presentAction(action));
}

function actionOf(call: Call): AgentAction {
  const { agentId, actionId } = call.params;
  const action = ownedBy(call, actions, 'action', actionId!);
  if (action.agentId !== agentId) throw call.world.behaviour.refuseNotFound('action', actionId!);
  return action;
}

function presentPayment(world: World, payment: Transaction | CardTransaction): JsonObject {
  return 'cardId' in payment
    ? world.behaviour.presentCardTransaction(payment)
    : world.behaviour.presentTransaction(payment);
}

/** Answers what was submitted, and only then lets an execution that has begun come to its end. */
export function answerThenEnd(world: World, action: AgentAction, status: 200 | 201): Reply {
  const isUnderWay = action.status !== 'PENDING_APPROVAL';
  const reply = { status, body: world.behaviour.presentAction(action) };
  if (isUnderWay) world.behaviour.whenExecutionEnds(() => endExecution(world, action));
  return reply;
}
