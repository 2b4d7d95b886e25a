import type { Call } from '../../core/call.ts';
import type { Replacements } from '../../core/replacement.ts';
import type { World } from '../../core/world.ts';
import { agents, type Agent } from '../../domain/agent.ts';
import { internalAccounts } from '../../domain/internal-account.ts';
import { mainPlatform } from '../../domain/platform.ts';
import type { Fault } from '../fault.ts';
import { field } from '../fields.ts';

/** Who may call an agent's operations, and what an agent sees. */
export const accessFaults: readonly Fault[] = [
  {
    name: 'redeemed-token-is-not-valid',
    breaks: 'AGENT-DEVICE-CODE-REDEEM',
    says: 'The token that redeeming a device code shows is not the one that is accepted.',
    replace: field('presentRedemption', 'accessToken').set('agt_not-the-one'),
  },
  {
    name: 'agents-created-without-credentials',
    breaks: 'AGENT-MANAGED-BY-PLATFORM',
    says: 'Agents can be managed without any credentials.',
    replace: managing((authorization) => authorization === undefined),
  },
  {
    name: 'agent-manages-agents',
    breaks: 'AGENT-MANAGED-BY-PLATFORM',
    says: 'An agent can create agents and change policies with its token.',
    replace: managing((authorization) => /^Bearer /i.test(authorization ?? '')),
  },
  {
    name: 'agent-lists-accounts-of-every-customer',
    breaks: 'AGENT-ONE-CUSTOMER',
    says: "An agent's lists hold the records of all customers.",
    replace: {
      agentReads: () => (_world, agent, record) =>
        record.customerId === agent.customerId && record.agentId === agent.id,
      agentSees: () => () => true,
    },
  },
  {
    name: 'agent-reads-actions-of-every-customer',
    breaks: 'AGENT-ACTION-NOT-VISIBLE-TO-OTHERS',
    says: 'Whoever knows the id of an action can read it.',
    replace: { agentReads: () => () => true },
  },
  {
    name: 'agent-operation-without-token',
    breaks: 'AUTH-AGENT-NONE',
    says: 'Without credentials an agent operation acts for the agent of the accounts that it names.',
    replace: actingFor((authorization) => authorization === undefined),
  },
  {
    name: 'missing-token-answers-403',
    breaks: 'AUTH-AGENT-NONE',
    says: 'Missing credentials of an agent are told as a missing permission.',
    replace: { refuseMissingBearer: () => (world) => world.rules.refuseForbidden(world, 'No token.') },
  },
  {
    name: 'any-token-accepted',
    breaks: 'AUTH-AGENT-WRONG-TOKEN',
    says: 'A token that was never issued is accepted.',
    replace: actingFor((authorization, known) => /^Bearer /i.test(authorization ?? '') && !known),
  },
  {
    name: 'unknown-token-answers-403',
    breaks: 'AUTH-AGENT-WRONG-TOKEN',
    says: 'A token that was never issued is told as a missing permission.',
    replace: { refuseUnknownToken: () => (world) => world.rules.refuseForbidden(world, 'Wrong token.') },
  },
  {
    name: 'agent-operation-takes-platform-credentials',
    breaks: 'AUTH-AGENT-REFUSES-BASIC',
    says: 'Platform credentials act for the agent of the accounts that the request names.',
    replace: actingFor((authorization) => /^Basic /i.test(authorization ?? '')),
  },
];

function managing(accepts: (authorization: string | undefined) => boolean): Replacements {
  return {
    identifyCaller: (original) => (world, call, route) =>
      /^\/agents(\/Agent:[^/]+(\/policy)?)?$/.test(call.path) && accepts(call.headers['authorization'])
        ? mainPlatform(world)
        : original(world, call, route),
  };
}

function actingFor(accepts: (authorization: string | undefined, known: boolean) => boolean): Replacements {
  return {
    identifyCaller: (original) => (world, call, route) => {
      const authorization = call.headers['authorization'];
      const token = world.rules.readBearer(world, authorization ?? '');
      const known = token !== undefined && world.rules.agentOfToken(world, token) !== undefined;
      const agent =
        route.auth === 'agent' && accepts(authorization, known) ? agentMeantBy(world, call) : undefined;
      return agent ?? original(world, call, route);
    },
  };
}

/** The agent of the customer whose account the body names, else the newest. */
function agentMeantBy(world: World, call: Call): Agent | undefined {
  const named = /InternalAccount:[0-9a-fA-F-]{36}/.exec(call.rawBody.toString('utf8'))?.[0];
  const customerId = named && internalAccounts.get(world, named)?.customerId;
  return agents.all(world).findLast((agent) => customerId === undefined || agent.customerId === customerId);
}
