import { bodyOf, platformOf, type Call } from '../../core/call.ts';
import { enforce } from '../../core/refusal.ts';
import type { Route } from '../../core/route.ts';
import { actions, type AgentAction } from '../../domain/action.ts';
import { transactions } from '../../domain/transaction.ts';
import { list } from '../list.ts';
import { ownedBy } from '../owned.ts';

/** Platforms approve or reject what waits for them. */
export const decisionRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/agents/approvals',
    auth: 'platform',
    handle(call) {
      const { world } = call;
      const waiting = actions
        .all(world)
        .filter(
          (action) =>
            action.status === 'PENDING_APPROVAL' && world.rules.platformOwns(world, platformOf(call), action),
        );
      return list(world, waiting, world.rules.presentListedAction);
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
      enforce(world.rules.mayReject(world, action));
      return world.rules.rejectAction(world, action, bodyOf(call)['reason'] as string | undefined);
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
      const owned = action && world.rules.platformOwns(world, platformOf(call), action);
      if (!owned) throw world.rules.refuseNotFound(world, 'Transaction', id);
      return approve(call, action);
    },
  },
  {
    method: 'GET',
    path: '/transactions/:transactionId',
    auth: 'platform',
    handle(call) {
      const { world } = call;
      const transaction = ownedBy(call, transactions, 'Transaction', call.params['transactionId']!);
      return { status: 200, body: world.rules.presentTransaction(world, transaction) };
    },
  },
];

function approve({ world }: Call, action: AgentAction) {
  enforce(world.rules.mayApprove(world, action));
  return world.rules.approveAction(world, action);
}

function actionOf(call: Call): AgentAction {
  const { agentId, actionId } = call.params;
  const action = ownedBy(call, actions, 'action', actionId!);
  if (action.agentId !== agentId) throw call.world.rules.refuseNotFound(call.world, 'action', actionId!);
  return action;
}
