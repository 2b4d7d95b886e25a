import { bodyOf, created, noContent, ok, operation, type Route } from '../../server/area.ts';
import { type JsonObject } from '../../server/json.ts';
import { externalAccountFilters, internalAccountFilters } from '../accounts/operations.ts';
import { externalAccounts, internalAccounts } from '../accounts/records.ts';
import {
  agentOf,
  allOwned,
  allSeen,
  type Filters,
  list,
  listQuery,
  ownedBy,
  ownedCustomer,
} from '../conventions/operations.ts';
import {
  addAgent,
  type Agent,
  agents,
  deleteAgent,
  presentAgent,
  presentPolicy,
  readPolicy,
  redeemDeviceCode,
} from './records.ts';

const agentFilters: Filters<Agent> = {
  customerId: ({ customerId }) => customerId,
  isPaused: ({ isPaused }) => String(isPaused),
};

/** Platforms create, steer and delete agents. */
export const agentRoutes: readonly Route[] = [
  {
    ...operation('POST /agents'),
    handle(world, call) {
      const body = bodyOf(call);
      const customer = ownedCustomer(call, body['customerId'] as string);
      const agent = addAgent(
        world,
        customer,
        body['name'] as string,
        readPolicy(body['policy'] as JsonObject),
      );
      return created({ agent: presentAgent(world, agent), deviceCode: agent.deviceCode });
    },
  },
  {
    ...operation('GET /agents'),
    query: listQuery(agentFilters),
    handle(world, call) {
      const mine = allOwned(call, agents);
      return list(call, mine, (one) => presentAgent(world, one), agentFilters);
    },
  },
  {
    ...operation('POST /agents/device-codes/:code/redeem', 'none'),
    handle(world, { params }) {
      const agent = redeemDeviceCode(world, params['code']!);
      const { id: agentId, name: agentName, accessToken, policy } = agent;
      return ok({ agentId, agentName, accessToken, policy: presentPolicy(policy) });
    },
  },
  {
    ...operation('GET /agents/:agentId'),
    handle: (world, call) => ok(presentAgent(world, ownedBy(call, agents, 'Agent', call.params['agentId']!))),
  },
  {
    ...operation('PATCH /agents/:agentId'),
    handle(world, call) {
      const agent = ownedBy(call, agents, 'Agent', call.params['agentId']!);
      agent.isPaused = (bodyOf(call)['isPaused'] as boolean | undefined) ?? agent.isPaused;
      agent.updatedAt = world.clock.now(agent.customerId);
      return ok(presentAgent(world, agent));
    },
  },
  {
    ...operation('DELETE /agents/:agentId'),
    handle(world, call) {
      deleteAgent(world, ownedBy(call, agents, 'Agent', call.params['agentId']!));
      return noContent();
    },
  },
  {
    ...operation('PATCH /agents/:agentId/policy'),
    handle(world, call) {
      const agent = ownedBy(call, agents, 'Agent', call.params['agentId']!);
      const body = { permissions: agent.policy.permissions, ...bodyOf(call) };
      world.behaviour.changePolicy(agent, readPolicy(body, agent.policy));
      return ok(presentAgent(world, agent));
    },
  },

  // What an agent sees of itself and of its customer's accounts.
  {
    ...operation('GET /agents/me', 'agent'),
    handle: (world, call) => ok(presentAgent(world, agentOf(call))),
  },
  {
    ...operation('GET /agents/me/internal-accounts', 'agent'),
    query: listQuery(internalAccountFilters),
    handle(world, call) {
      const mine = allSeen(call, internalAccounts);
      return list(call, mine, world.behaviour.presentInternalAccount, internalAccountFilters);
    },
  },
  {
    ...operation('GET /agents/me/external-accounts', 'agent'),
    query: listQuery(externalAccountFilters),
    handle(world, call) {
      const mine = allSeen(call, externalAccounts);
      return list(call, mine, world.behaviour.presentExternalAccount, externalAccountFilters);
    },
  },
];
