import { addExternalAccount, internalAccounts } from '../../areas/accounts/records.ts';
import { type Agent, agents } from '../../areas/agents/records.ts';
import { mainPlatform } from '../../areas/auth/records.ts';
import { customers } from '../../areas/customers/records.ts';
import { anything, type Replacements, transferSchema } from '../../areas/replacement.ts';
import type { Call } from '../../server/call.ts';
import { componentSchema } from '../../server/contract-schemas.ts';
import { refuse, Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { type Fault, field } from '../fault.ts';

/** Which transfer-outs are accepted, and how the others are refused. */
export const refusingFaults: readonly Fault[] = [
  {
    name: 'every-transfer-refused',
    breaks: 'TRANSFER-ACCEPTED',
    says: 'Every transfer-out is refused with 400.',
    replace: {
      runTransfer: () => async (world) =>
        world.rules.presentRefusal(new Refusal(400, 'INVALID_INPUT', 'No.')),
    },
  },
  {
    name: 'foreign-source-accepted',
    breaks: 'TRANSFER-SOURCE-FOREIGN',
    says: 'Whose account the source is, is not looked at.',
    replace: { refuseForeignSource: () => (_world, _agent, account) => account },
  },
  {
    name: 'foreign-destination-accepted',
    breaks: 'TRANSFER-DESTINATION-FOREIGN',
    says: 'Whose account the destination is, is not looked at.',
    replace: { refuseForeignDestination: () => (_world, _agent, account) => account },
  },
  {
    name: 'unknown-source-answers-400',
    breaks: 'TRANSFER-SOURCE-UNKNOWN',
    says: 'A source that does not exist is an invalid parameter.',
    replace: {
      refuseUnknownSource: () => () => new Refusal(400, 'INVALID_INPUT', 'The source is not valid.'),
    },
  },
  {
    name: 'unknown-source-answers-403',
    breaks: 'TRANSFER-SOURCE-UNKNOWN',
    says: 'A source that does not exist is forbidden.',
    replace: {
      refuseUnknownSource: () => (world) => world.rules.refuseForbidden('Not your account.'),
    },
  },
  {
    name: 'unknown-destination-answers-400',
    breaks: 'TRANSFER-DESTINATION-UNKNOWN',
    says: 'A destination that does not exist is an invalid parameter.',
    replace: {
      refuseUnknownDestination: () => () =>
        refuse(new Refusal(400, 'INVALID_BANK_ACCOUNT', 'The destination is not valid.')),
    },
  },
  {
    name: 'unknown-destination-accepted',
    breaks: 'TRANSFER-DESTINATION-UNKNOWN',
    says: 'A destination that does not exist is opened on the way.',
    replace: {
      refuseUnknownDestination: () => (world, agent, id) => ({
        ...addExternalAccount(world, customers.get(world, agent.customerId)!, 'USD'),
        id,
      }),
    },
  },
  {
    name: 'invalid-fields-answer-500',
    breaks: 'TRANSFER-INVALID-STATUS',
    says: 'A transfer-out body of the wrong shape answers 500.',
    replace: {
      readBody: (original) => (world, call, route) =>
        onInvalid(() => original(world, call, route), call.path, 500, 'INTERNAL_ERROR'),
    },
  },
  {
    name: 'invalid-fields-answer-422',
    breaks: 'TRANSFER-INVALID-STATUS',
    says: 'A transfer-out body of the wrong shape answers 422.',
    replace: {
      readBody: (original) => (world, call, route) =>
        onInvalid(() => original(world, call, route), call.path, 422, 'INVALID_INPUT'),
    },
  },
  {
    name: 'invalid-fields-answer-403',
    breaks: 'TRANSFER-INVALID-STATUS',
    says: 'A transfer-out body of the wrong shape is forbidden.',
    replace: {
      readBody: (original) => (world, call, route) =>
        onInvalid(() => original(world, call, route), call.path, 403, 'FORBIDDEN'),
    },
  },
  {
    name: 'rail-required',
    breaks: 'TRANSFER-RAIL-DEFAULT',
    says: 'A destination without a rail is refused.',
    replace: { defaultRail: () => () => refuse(new Refusal(400, 'INVALID_INPUT', 'Name a paymentRail.')) },
  },
  {
    name: 'only-default-rail-accepted',
    breaks: 'TRANSFER-RAIL-SUPPORTED',
    says: 'Of the supported rails only the first is taken.',
    replace: {
      chooseRail: (original) => (world, destination, wanted) =>
        wanted === undefined || wanted === destination.rails[0]
          ? original(world, destination, wanted)
          : world.rules.refuseRail(destination, wanted),
    },
  },
  {
    name: 'last-supported-rail-refused',
    breaks: 'TRANSFER-RAIL-SUPPORTED',
    says: 'The last of the supported rails is refused.',
    replace: {
      chooseRail: (original) => (world, destination, wanted) =>
        wanted !== undefined && wanted === destination.rails.at(-1) && destination.rails.length > 1
          ? world.rules.refuseRail(destination, wanted)
          : original(world, destination, wanted),
    },
  },
  {
    name: 'unsupported-rail-accepted',
    breaks: 'TRANSFER-RAIL-UNSUPPORTED',
    says: 'A rail is taken whether or not the destination supports it.',
    replace: { refuseRail: () => (_world, _destination, wanted) => wanted },
  },
  {
    name: 'unknown-rail-accepted',
    breaks: 'TRANSFER-RAIL-UNKNOWN',
    says: 'A rail outside the enumeration is taken for no rail at all.',
    replace: {
      requestSchema: transferSchema((schema) => anything(schema.properties['destination']!, 'paymentRail')),
      chooseRail: (original) => (world, destination, wanted) =>
        original(world, destination, isRail(wanted) ? wanted : undefined),
    },
  },
  {
    name: 'lower-case-rail-accepted',
    breaks: 'TRANSFER-RAIL-UNKNOWN',
    says: 'Rails are compared without regard to case.',
    replace: {
      requestSchema: transferSchema((schema) => {
        const rail = schema.properties['destination']!.properties['paymentRail']!;
        rail['enum'] = (rail['enum'] as string[]).flatMap((name) => [name, name.toLowerCase()]);
      }),
      chooseRail: (original) => (world, destination, wanted) =>
        original(world, destination, wanted?.toUpperCase()),
    },
  },
];

function onInvalid<T>(read: () => T, path: string, status: number, code: string): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal && error.status === 400 && error.details && path.endsWith('/transfer-out')) {
      throw new Refusal(status, code, error.message);
    }
    throw error;
  }
}

function isRail(wanted: unknown): boolean {
  return (componentSchema('PaymentRail')['enum'] as unknown[]).includes(wanted);
}

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
    replace: { refuseMissingBearer: () => (world) => refuse(world.rules.refuseForbidden('No token.')) },
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
    replace: { refuseUnknownToken: () => (world) => refuse(world.rules.refuseForbidden('Wrong token.')) },
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
      const token = world.rules.readBearer(authorization ?? '');
      const known = token !== undefined && world.rules.agentOfToken(token) !== undefined;
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
