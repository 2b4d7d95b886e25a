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
  PERMISSIONS,
  presentAgent,
  readPolicy,
  redeemDeviceCode,
} from './records.ts';

const currency = { type: 'string', pattern: '^[A-Z0-9]{3,12}$' };

const amount = { type: 'integer', minimum: 0, maximum: Number(2n ** 63n - 1n) };

/** The interface shows no policy; this is what real deployments take. */
const policySchema = {
  type: 'object',
  required: ['permissions'],
  properties: {
    permissions: { type: 'array', items: { enum: PERMISSIONS } },
    defaultExecutionMode: { enum: ['AUTO', 'APPROVAL_REQUIRED'] },
    spendingLimits: {
      type: 'object',
      required: ['currency'],
      properties: {
        currency,
        perTransactionLimit: amount,
        dailyLimit: amount,
        dailyTransactionLimit: amount,
        monthlyLimit: amount,
      },
    },
    approvalThresholds: {
      type: 'object',
      required: ['currency', 'amount'],
      properties: { currency, amount },
    },
    accountRestrictions: {
      type: 'object',
      properties: { allowedAccountIds: { type: 'array', items: { type: 'string' } } },
    },
  },
} as const;

const agentFilters: Filters<Agent> = {
  customerId: ({ customerId }) => customerId,
  isPaused: ({ isPaused }) => String(isPaused),
};

/** Platforms create, steer and delete agents. */
export const managingRoutes: readonly Route[] = [
  {
    ...operation('POST /agents'),
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
        readPolicy(body['policy'] as JsonObject),
      );
      return created({ agent: presentAgent(world, agent), deviceCode: agent.deviceCode });
    },
  },
  {
    ...operation('GET /agents'),
    query: listQuery(agentFilters),
    handle(call) {
      const { world } = call;
      const mine = allOwned(call, agents);
      return list(call, mine, (one) => presentAgent(world, one), agentFilters);
    },
  },
  {
    ...operation('POST /agents/device-codes/:code/redeem', 'none'),
    handle({ world, params }) {
      const agent = redeemDeviceCode(world, params['code']!);
      return ok(world.behaviour.presentRedemption(agent));
    },
  },
  {
    ...operation('GET /agents/:agentId'),
    handle: (call) => ok(presentAgent(call.world, ownedBy(call, agents, 'Agent', call.params['agentId']!))),
  },
  {
    ...operation('PATCH /agents/:agentId'),
    body: { type: 'object', properties: { isPaused: { type: 'boolean' } } },
    handle(call) {
      const { world } = call;
      const agent = ownedBy(call, agents, 'Agent', call.params['agentId']!);
      agent.isPaused = (bodyOf(call)['isPaused'] as boolean | undefined) ?? agent.isPaused;
      agent.updatedAt = world.clock.now(agent.customerId);
      return ok(presentAgent(world, agent));
    },
  },
  {
    ...operation('DELETE /agents/:agentId'),
    handle(call) {
      deleteAgent(call.world, ownedBy(call, agents, 'Agent', call.params['agentId']!));
      return noContent();
    },
  },
  {
    ...operation('PATCH /agents/:agentId/policy'),
    body: { ...policySchema, required: [] },
    handle(call) {
      const { world } = call;
      const agent = ownedBy(call, agents, 'Agent', call.params['agentId']!);
      const body = { permissions: agent.policy.permissions, ...bodyOf(call) };
      world.behaviour.changePolicy(agent, readPolicy(body, agent.policy));
      return ok(presentAgent(world, agent));
    },
  },
];

/** What an agent sees of itself and of its customer's accounts. */
export const ownRoutes: readonly Route[] = [
  {
    ...operation('GET /agents/me', 'agent'),
    handle: (call) => ok(presentAgent(call.world, agentOf(call))),
  },
  {
    ...operation('GET /agents/me/internal-accounts', 'agent'),
    query: listQuery(internalAccountFilters),
    handle(call) {
      const { world } = call;
      const mine = allSeen(call, internalAccounts);
      return list(call, mine, world.behaviour.presentInternalAccount, internalAccountFilters);
    },
  },
  {
    ...operation('GET /agents/me/external-accounts', 'agent'),
    query: listQuery(externalAccountFilters),
    handle(call) {
      const { world } = call;
      const mine = allSeen(call, externalAccounts);
      return list(call, mine, world.behaviour.presentExternalAccount, externalAccountFilters);
    },
  },
];
