import { bodyOf, platformOf } from '../../core/call.ts';
import type { JsonObject } from '../../core/json.ts';
import { unlessRefused } from '../../core/refusal.ts';
import { created, noContent, ok } from '../../core/reply.ts';
import type { Route } from '../../core/route.ts';
import { addAgent, agents } from '../../domain/agent.ts';
import { list } from '../list.ts';
import { ownedBy, ownedCustomer } from '../owned.ts';
import { policySchema, readPolicy } from './policy-schema.ts';

/** Platforms create, steer and delete agents. */
export const managingRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/agents',
    auth: 'platform',
    body: {
      type: 'object',
      required: ['name', 'customerId', 'policy'],
      properties: {
        name: { type: 'string', minLength: 1 },
        customerId: { type: 'string' },
        policy: policySchema,
      },
    },
    handle(call) {
      const { world } = call;
      const body = bodyOf(call);
      const customer = ownedCustomer(call, body['customerId'] as string);
      const agent = addAgent(
        world,
        customer,
        body['name'] as string,
        readPolicy(world, body['policy'] as JsonObject),
      );
      return created({ agent: world.rules.presentAgent(world, agent), deviceCode: agent.deviceCode });
    },
  },
  {
    method: 'GET',
    path: '/agents',
    auth: 'platform',
    handle(call) {
      const { world } = call;
      const mine = agents
        .all(world)
        .filter((agent) => world.rules.platformOwns(world, platformOf(call), agent));
      return list(world, mine, world.rules.presentAgent);
    },
  },
  {
    method: 'POST',
    path: '/agents/device-codes/:code/redeem',
    auth: 'none',
    handle({ world, params }) {
      const agent = unlessRefused(world.rules.redeemDeviceCode(world, params['code']!));
      return ok(world.rules.presentRedemption(world, agent));
    },
  },
  {
    method: 'GET',
    path: '/agents/:agentId',
    auth: 'platform',
    handle: (call) =>
      ok(call.world.rules.presentAgent(call.world, ownedBy(call, agents, 'Agent', call.params['agentId']!))),
  },
  {
    method: 'PATCH',
    path: '/agents/:agentId',
    auth: 'platform',
    body: { type: 'object', properties: { isPaused: { type: 'boolean' } } },
    handle(call) {
      const { world } = call;
      const agent = ownedBy(call, agents, 'Agent', call.params['agentId']!);
      agent.isPaused = (bodyOf(call)['isPaused'] as boolean | undefined) ?? agent.isPaused;
      agent.updatedAt = world.clock.now(agent.customerId);
      return ok(world.rules.presentAgent(world, agent));
    },
  },
  {
    method: 'DELETE',
    path: '/agents/:agentId',
    auth: 'platform',
    handle(call) {
      call.world.rules.deleteAgent(call.world, ownedBy(call, agents, 'Agent', call.params['agentId']!));
      return noContent();
    },
  },
  {
    method: 'PATCH',
    path: '/agents/:agentId/policy',
    auth: 'platform',
    body: { ...policySchema, required: [] },
    handle(call) {
      const { world } = call;
      const agent = ownedBy(call, agents, 'Agent', call.params['agentId']!);
      const body = { permissions: agent.policy.permissions, ...bodyOf(call) };
      world.rules.changePolicy(world, agent, readPolicy(world, body, agent.policy));
      return ok(world.rules.presentAgent(world, agent));
    },
  },
];
