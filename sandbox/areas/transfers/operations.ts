import { bodyOf, type Call, created, ok, type Reply, type Route } from '../../server/area.ts';
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

/** What lists of actions may be asked for. */
const actionFilters: Filters<AgentAction> = {
  agentId: ({ agentId }) => agentId,
  customerId: ({ customerId }) => customerId,
  status: ({ status }) => status,
  type: ({ type }) => type,
};

/** What lists of transactions may be asked for. */
const transactionFilters: Filters<Transaction | CardTransaction> = {
  customerId: ({ customerId }) => customerId,
  status: ({ status }) => status,
  type: (payment) => ('cardId' in payment ? 'CARD' : payment.type),
};

/** What an agent calls with its own token. */
export const operationRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/agents/me/transfer-out',
    auth: 'agent',
    body: 'TransferOutRequest',
    handle(call) {
      const { behaviour } = call.world;
      return submitOnce(call, 'transfer-out', behaviour.submitTransferOut, behaviour.presentTransferOut);
    },
  },
  {
    method: 'GET',
    path: '/agents/me/actions',
    auth: 'agent',
    query: listQuery(actionFilters),
    handle(call) {
      const { world } = call;
      const mine = allSeen(call, actions);
      return list(call, mine, world.behaviour.presentListedAction, actionFilters);
    },
  },
  {
    method: 'GET',
    path: '/agents/me/actions/:actionId',
    auth: 'agent',
    handle(call) {
      const { world } = call;
      const action = actions.get(world, call.params['actionId']!);
      if (action && world.behaviour.agentReads(agentOf(call), action)) {
        return ok(world.behaviour.presentReadAction(action));
      }
      throw world.behaviour.refuseNotFound('action', call.params['actionId']!);
    },
  },
  {
    method: 'GET',
    path: '/agents/me/transactions',
    auth: 'agent',
    query: listQuery(transactionFilters),
    handle(call) {
      const { world } = call;
      world.behaviour.permissionGranted(agentOf(call), 'VIEW_TRANSACTIONS');
      const mine = allSeen(call, transactions);
      return list(call, mine, world.behaviour.presentTransaction, transactionFilters);
    },
  },
];

const reference = {
  type: 'object',
  required: ['accountId'],
  properties: { accountId: { type: 'string', minLength: 1 } },
};

/** Agents pull money in. */
export const transferInRoute: Route = {
  method: 'POST',
  path: '/agents/me/transfer-in',
  auth: 'agent',
  body: {
    type: 'object',
    required: ['source', 'destination'],
    properties: {
      source: reference,
      destination: reference,
      amount: { type: 'integer', maximum: Number(2n ** 63n - 1n) },
    },
  },
  handle(call) {
    const submit = (agent: Agent, body: JsonObject) => submitTransferIn(call.world, agent, body);
    return submitOnce(call, 'transfer-in', submit, (action) =>
      created(call.world.behaviour.presentSubmitted(action)),
    );
  },
};

/** Submits a transfer, once for each Idempotency-Key. @param segment the last one of the operation's path */
function submitOnce(
  call: Call,
  segment: string,
  submit: (agent: Agent, body: JsonObject) => AgentAction,
  present: (action: AgentAction) => Reply,
): Promise<Reply> {
  const { world } = call;
  const agent = agentOf(call);
  return world.behaviour.answerOnce({
    agent,
    operation: `POST /agents/me/${segment}`,
    params: call.params,
    key: call.headers['idempotency-key'],
    body: call.body,
    run: () => answerThenEnd(world, submit(agent, bodyOf(call)), present),
  });
}

/** Platforms approve or reject what waits for them. */
export const decisionRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/agents/approvals',
    auth: 'platform',
    query: listQuery(actionFilters),
    handle(call) {
      const { world } = call;
      const waiting = allOwned(call, actions).filter(({ status }) => status === 'PENDING_APPROVAL');
      return list(call, waiting, world.behaviour.presentListedAction, actionFilters);
    },
  },
  {
    method: 'POST',
    path: '/agents/:agentId/actions/:actionId/approve',
    auth: 'platform',
    handle: (call) => approve(call, actionOf(call)),
  },
  {
    method: 'POST',
    path: '/agents/:agentId/actions/:actionId/reject',
    auth: 'platform',
    body: { type: 'object', properties: { reason: { type: 'string' } } },
    bodyOptional: true,
    handle(call) {
      const { world } = call;
      const action = actionOf(call);
      world.behaviour.mayReject(action);
      world.behaviour.rejectAction(action, bodyOf(call)['reason'] as string | undefined);
      return world.behaviour.presentRejection(action);
    },
  },
  {
    // The second approval path that the interface states. A pending action has no transaction yet; the one it will
    // get carries the action's uuid.
    method: 'POST',
    path: '/transactions/:transactionId/approve',
    auth: 'platform',
    handle(call) {
      const { world } = call;
      const id = call.params['transactionId']!;
      const action = actions.get(world, id.replace(/^Transaction:/, 'AgentAction:'));
      const owned = action && platformOwns(platformOf(call), action);
      if (!owned) throw world.behaviour.refuseNotFound('Transaction', id);
      return approve(call, action);
    },
  },
  {
    method: 'GET',
    path: '/transactions/:transactionId',
    auth: 'platform',
    handle(call) {
      const { world } = call;
      const id = call.params['transactionId']!;
      const payment = cardTransactions.get(world, id)
        ? ownedByCustomer(call, cardTransactions, 'Transaction', id)
        : ownedBy(call, transactions, 'Transaction', id);
      return ok(presentPayment(world, payment));
    },
  },
];

function approve({ world }: Call, action: AgentAction) {
  world.behaviour.mayApprove(action);
  world.behaviour.approveAction(action);
  return world.behaviour.presentApproval(action);
}

function actionOf(call: Call): AgentAction {
  const { agentId, actionId } = call.params;
  const action = ownedBy(call, actions, 'action', actionId!);
  if (action.agentId !== agentId) throw call.world.behaviour.refuseNotFound('action', actionId!);
  return action;
}

/** Transactions of all customers of a platform, those with cards too: each can be read by its id. */
export const transactionsRoute: Route = {
  method: 'GET',
  path: '/transactions',
  auth: 'platform',
  query: listQuery(transactionFilters),
  handle(call) {
    const { world } = call;
    const payments = [...allOwned(call, transactions), ...allOwnedByCustomers(call, cardTransactions)];
    const mine = payments.sort((one, other) => one.createdAt - other.createdAt);
    return list(call, mine, (one) => presentPayment(world, one), transactionFilters);
  },
};

function presentPayment(world: World, payment: Transaction | CardTransaction): JsonObject {
  return 'cardId' in payment
    ? world.behaviour.presentCardTransaction(payment)
    : world.behaviour.presentTransaction(payment);
}

/** Answers what was submitted, and only then lets an execution that has begun come to its end. */
export function answerThenEnd(
  world: World,
  action: AgentAction,
  present: (action: AgentAction) => Reply,
): Reply {
  const isUnderWay = action.status !== 'PENDING_APPROVAL';
  const reply = present(action);
  if (isUnderWay) world.behaviour.whenExecutionEnds(() => endExecution(world, action));
  return reply;
}
