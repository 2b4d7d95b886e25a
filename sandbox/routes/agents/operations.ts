import { agentOf, bodyOf } from '../../core/call.ts';
import { enforce } from '../../core/refusal.ts';
import { ok } from '../../core/reply.ts';
import type { Route } from '../../core/route.ts';
import { actions } from '../../domain/action.ts';
import { externalAccounts } from '../../domain/external-account.ts';
import { internalAccounts } from '../../domain/internal-account.ts';
import { transactions } from '../../domain/transaction.ts';
import { list } from '../list.ts';

/** What an agent calls with its own token. */
export const operationRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/agents/me/transfer-out',
    auth: 'agent',
    body: 'TransferOutRequest',
    handle(call) {
      const { world } = call;
      const agent = agentOf(call);
      return world.rules.answerOnce(world, {
        agent,
        key: call.headers['idempotency-key'],
        body: call.body,
        run: () => world.rules.submitTransferOut(world, agent, bodyOf(call)),
      });
    },
  },
  {
    method: 'GET',
    path: '/agents/me',
    auth: 'agent',
    handle: (call) => ok(call.world.rules.presentAgent(call.world, agentOf(call))),
  },
  {
    method: 'GET',
    path: '/agents/me/actions',
    auth: 'agent',
    handle(call) {
      const { world } = call;
      const mine = actions.all(world).filter((action) => world.rules.agentSees(world, agentOf(call), action));
      const { status } = call.query;
      const wanted = status === undefined ? mine : mine.filter((action) => action.status === status);
      return list(world, wanted, world.rules.presentListedAction);
    },
  },
  {
    method: 'GET',
    path: '/agents/me/actions/:actionId',
    auth: 'agent',
    handle(call) {
      const { world } = call;
      const action = actions.get(world, call.params['actionId']!);
      if (action && world.rules.agentReads(world, agentOf(call), action)) {
        return ok(world.rules.presentReadAction(world, action));
      }
      throw world.rules.refuseNotFound(world, 'action', call.params['actionId']!);
    },
  },
  {
    method: 'GET',
    path: '/agents/me/internal-accounts',
    auth: 'agent',
    handle(call) {
      const { world } = call;
      const mine = internalAccounts
        .all(world)
        .filter((account) => world.rules.agentSees(world, agentOf(call), account));
      return list(world, mine, world.rules.presentInternalAccount);
    },
  },
  {
    method: 'GET',
    path: '/agents/me/external-accounts',
    auth: 'agent',
    handle(call) {
      const { world } = call;
      const mine = externalAccounts
        .all(world)
        .filter((account) => world.rules.agentSees(world, agentOf(call), account));
      return list(world, mine, world.rules.presentExternalAccount);
    },
  },
  {
    method: 'GET',
    path: '/agents/me/transactions',
    auth: 'agent',
    handle(call) {
      const { world } = call;
      enforce(world.rules.permissionGranted(world, agentOf(call), 'VIEW_TRANSACTIONS'));
      const mine = transactions
        .all(world)
        .filter((transaction) => world.rules.agentSees(world, agentOf(call), transaction));
      return list(world, mine, world.rules.presentTransaction);
    },
  },
];
