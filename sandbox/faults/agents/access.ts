import { addExternalAccount, externalAccounts, internalAccounts } from '../../areas/accounts/records.ts';
import { type Agent, agents } from '../../areas/agents/records.ts';
import { mainPlatform } from '../../areas/platform/records.ts';
import { customers } from '../../areas/customers/records.ts';
import { anything, type Replacements, transferSchema } from '../../areas/behaviour.ts';
import type { NewAction } from '../../areas/transfers/submission-behaviour.ts';
import { transactions } from '../../areas/transfers/records.ts';
import type { Call } from '../../server/area.ts';
import { componentSchema } from '../../server/contract-schemas.ts';
import type { JsonObject } from '../../server/json.ts';
import { refuse, Refusal, refusalOf, refusedAs } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { faultsOf, within } from '../fault.ts';
import { shownWrongly } from '../shown-wrongly.ts';

/** Which transfer-outs are accepted, and how the others are refused. */
export const refusingFaults = faultsOf([
  [
    'every-transfer-refused',
    'TRANSFER-ACCEPTED',
    'Every transfer-out is refused with 400.',
    {
      runTransfer: () => async (world) =>
        world.behaviour.presentRefusal(new Refusal(400, 'INVALID_INPUT', 'No.')),
    },
  ],
  [
    'foreign-source-accepted',
    'TRANSFER-SOURCE-FOREIGN',
    'Whose account the source is, is not looked at.',
    { refuseForeignSource: () => (_world, _agent, account) => account },
    ['TRANSFER-IN-SCOPED'],
  ],
  [
    'both-accounts-foreign-accepted',
    'TRANSFER-SOURCE-FOREIGN',
    'The two accounts of a transfer-out must have one owner, whoever that is.',
    asTheirOwner('readTransferOut'),
  ],
  [
    'transfer-in-between-foreign-accounts',
    'TRANSFER-IN-SCOPED',
    'The two accounts of a transfer-in must have one owner, whoever that is.',
    asTheirOwner('readTransferIn'),
  ],
  [
    'foreign-source-waits-for-approval',
    'TRANSFER-SOURCE-FOREIGN',
    'Whose account the source is, is not looked at where the platform has to approve.',
    within(
      'submitTransferOut',
      { refuseForeignSource: () => (_world, _agent, account) => account },
      ({ policy }: Agent, { amount }: JsonObject) =>
        policy.approvalThresholds !== undefined && Number(amount) > policy.approvalThresholds.amount,
    ),
  ],
  [
    'transfer-in-to-foreign-account',
    'TRANSFER-IN-SCOPED',
    'Whose account a transfer-in goes to, is not looked at.',
    within('readTransferIn', { refuseForeignSource: () => (_world, _agent, account) => account }),
  ],
  [
    'transfer-in-from-foreign-account',
    'TRANSFER-IN-SCOPED',
    'Whose account a transfer-in comes from, is not looked at.',
    within('readTransferIn', { refuseForeignDestination: () => (_world, _agent, account) => account }),
  ],
  [
    'foreign-destination-accepted',
    'TRANSFER-DESTINATION-FOREIGN',
    'Whose account the destination is, is not looked at.',
    { refuseForeignDestination: () => (_world, _agent, account) => account },
    ['TRANSFER-IN-SCOPED'],
  ],
  [
    'unknown-source-answers-400',
    'TRANSFER-SOURCE-UNKNOWN',
    'A source that does not exist is an invalid parameter.',
    {
      refuseUnknownSource: () => () => new Refusal(400, 'INVALID_INPUT', 'The source is not valid.'),
    },
  ],
  [
    'unknown-source-answers-403',
    'TRANSFER-SOURCE-UNKNOWN',
    'A source that does not exist is forbidden.',
    {
      refuseUnknownSource: () => (world) => world.behaviour.refuseForbidden('Not your account.'),
    },
  ],
  [
    'unknown-destination-answers-400',
    'TRANSFER-DESTINATION-UNKNOWN',
    'A destination that does not exist is an invalid parameter.',
    {
      refuseUnknownDestination: () => () =>
        refuse(new Refusal(400, 'INVALID_BANK_ACCOUNT', 'The destination is not valid.')),
    },
  ],
  [
    'unknown-destination-accepted',
    'TRANSFER-DESTINATION-UNKNOWN',
    'A destination that does not exist is opened on the way.',
    {
      refuseUnknownDestination: () => (world, agent, id) => ({
        ...addExternalAccount(world, customers.get(world, agent.customerId)!, 'USD'),
        id,
      }),
    },
  ],
  [
    'invalid-fields-answer-500',
    'TRANSFER-INVALID-STATUS',
    'A transfer-out body of the wrong shape answers 500.',
    invalidAnswers(500, 'INTERNAL_ERROR'),
  ],
  [
    'invalid-fields-answer-422',
    'TRANSFER-INVALID-STATUS',
    'A transfer-out body of the wrong shape answers 422.',
    invalidAnswers(422, 'INVALID_INPUT'),
  ],
  [
    'invalid-fields-answer-403',
    'TRANSFER-INVALID-STATUS',
    'A transfer-out body of the wrong shape is forbidden.',
    invalidAnswers(403, 'FORBIDDEN'),
  ],
  [
    'rail-required',
    'TRANSFER-RAIL-DEFAULT',
    'A destination without a rail is refused.',
    { defaultRail: () => () => refuse(new Refusal(400, 'INVALID_INPUT', 'Name a paymentRail.')) },
    ['TRANSFER-ACCEPTED'],
  ],
  [
    'only-default-rail-accepted',
    'TRANSFER-RAIL-SUPPORTED',
    'Of the supported rails only the first is taken.',
    {
      chooseRail: (original) => (world, destination, wanted) =>
        wanted === undefined || wanted === destination.rails[0]
          ? original(world, destination, wanted)
          : world.behaviour.refuseRail(destination, wanted),
    },
  ],
  [
    'last-supported-rail-refused',
    'TRANSFER-RAIL-SUPPORTED',
    'The last of the supported rails is refused.',
    {
      chooseRail: (original) => (world, destination, wanted) =>
        wanted !== undefined && wanted === destination.rails.at(-1) && destination.rails.length > 1
          ? world.behaviour.refuseRail(destination, wanted)
          : original(world, destination, wanted),
    },
  ],
  [
    'unsupported-rail-accepted',
    'TRANSFER-RAIL-UNSUPPORTED',
    'A rail is taken whether or not the destination supports it.',
    { refuseRail: () => (_world, _destination, wanted) => wanted },
  ],
  [
    'unsupported-rail-waits-for-approval',
    'TRANSFER-RAIL-UNSUPPORTED',
    'Where the platform has to approve, nobody looks at the rail.',
    {
      readTransferOut: (original) => (world, agent, body) => {
        const { paymentRail: _rail, ...destination } = body['destination'] as JsonObject;
        const withoutRail = original(world, agent, { ...body, destination });
        const isRefused = refusalOf(() => void original(world, agent, body)) !== undefined;
        return isRefused && world.behaviour.needsApproval(agent, withoutRail.transfer!)
          ? withoutRail
          : original(world, agent, body);
      },
    },
  ],
  [
    'unknown-rail-accepted',
    'TRANSFER-RAIL-UNKNOWN',
    'A rail outside the enumeration is taken for no rail at all.',
    {
      requestSchema: transferSchema((schema) => anything(schema.properties['destination']!, 'paymentRail')),
      chooseRail: (original) => (world, destination, wanted) =>
        original(world, destination, isRail(wanted) ? wanted : undefined),
    },
  ],
  [
    'lower-case-rail-accepted',
    'TRANSFER-RAIL-UNKNOWN',
    'Rails are compared without regard to case.',
    {
      requestSchema: transferSchema((schema) => {
        const rail = schema.properties['destination']!.properties['paymentRail']!;
        rail['enum'] = (rail['enum'] as string[]).flatMap((name) => [name, name.toLowerCase()]);
      }),
      chooseRail: (original) => (world, destination, wanted) =>
        original(world, destination, wanted?.toUpperCase()),
    },
  ],
]);

/** A transfer-out body of the wrong shape is refused in another way. */
function invalidAnswers(status: number, code: string): Replacements {
  return {
    readBody: (original) => (world, call, route) =>
      refusedAs(
        () => original(world, call, route),
        (refusal) =>
          refusal.status === 400 && refusal.details && call.path.endsWith('/transfer-out')
            ? new Refusal(status, code, refusal.message)
            : refusal,
      ),
  };
}

function isRail(wanted: unknown): boolean {
  return (componentSchema('PaymentRail')['enum'] as unknown[]).includes(wanted);
}

/** Who may call an agent's operations, and what an agent sees. */
export const accessFaults = [
  ...shownWrongly('presentRedemption', 'redemption', {
    accessToken: ['AGENT-DEVICE-CODE-REDEEM', ['redeemed-token-is-not-valid', () => 'agt_not-the-one']],
  }),
  ...faultsOf([
    [
      'agents-created-without-credentials',
      'AGENT-MANAGED-BY-PLATFORM',
      'Agents can be managed without any credentials.',
      managing((authorization) => authorization === undefined),
    ],
    [
      'agent-manages-agents',
      'AGENT-MANAGED-BY-PLATFORM',
      'An agent can create agents and change policies with its token.',
      managing((authorization) => /^Bearer /i.test(authorization ?? '')),
    ],
    [
      'agent-lists-accounts-of-every-customer',
      'AGENT-ONE-CUSTOMER',
      "An agent's lists hold the records of all customers.",
      {
        agentReads: () => (_world, agent, record) =>
          record.customerId === agent.customerId && record.agentId === agent.id,
        agentSees: () => () => true,
      },
    ],
    [
      'agent-lists-transactions-of-every-customer',
      'AGENT-ONE-CUSTOMER',
      "An agent's list of transactions holds those of all customers.",
      {
        agentSees: (original) => (world, agent, record) =>
          transactions.all(world).some((one) => one === record) || original(world, agent, record),
      },
    ],
    [
      'agent-reads-actions-of-every-customer',
      'AGENT-ACTION-NOT-VISIBLE-TO-OTHERS',
      'Whoever knows the id of an action can read it.',
      { agentReads: () => () => true },
    ],
    [
      'agent-operation-without-token',
      'AUTH-AGENT-NONE',
      'Without credentials an agent operation acts for the agent of the accounts that it names.',
      actingFor((authorization) => authorization === undefined),
    ],
    [
      'missing-token-answers-403',
      'AUTH-AGENT-NONE',
      'Missing credentials of an agent are told as a missing permission.',
      { refuseMissingBearer: () => (world) => refuse(world.behaviour.refuseForbidden('No token.')) },
    ],
    [
      'any-token-accepted',
      'AUTH-AGENT-WRONG-TOKEN',
      'A token that was never issued is accepted.',
      actingFor((authorization, known) => /^Bearer /i.test(authorization ?? '') && !known),
    ],
    [
      'unknown-token-answers-403',
      'AUTH-AGENT-WRONG-TOKEN',
      'A token that was never issued is told as a missing permission.',
      { refuseUnknownToken: () => (world) => refuse(world.behaviour.refuseForbidden('Wrong token.')) },
    ],
    [
      'agent-operation-takes-platform-credentials',
      'AUTH-AGENT-REFUSES-BASIC',
      'Platform credentials act for the agent of the accounts that the request names.',
      actingFor((authorization) => /^Basic /i.test(authorization ?? '')),
    ],
    [
      'transfer-in-takes-platform-credentials',
      'AUTH-AGENT-REFUSES-BASIC',
      'Platform credentials pull money in for the agent of the accounts that the request names.',
      actingFor(
        (authorization, _known, path) =>
          path.endsWith('/transfer-in') && /^Basic /i.test(authorization ?? ''),
      ),
    ],
    [
      'token-compared-without-case',
      'AUTH-AGENT-WRONG-TOKEN',
      'Tokens that differ in letter case alone are one token, as the database compares text.',
      {
        agentOfToken: (original) => (world, token) =>
          original(world, token) ??
          agents.all(world).find((agent) => agent.accessToken?.toLowerCase() === token.toLowerCase()),
      },
    ],
  ]),
];

function managing(accepts: (authorization: string | undefined) => boolean): Replacements {
  return {
    identifyCaller: (original) => (world, call, route) =>
      /^\/agents(\/Agent:[^/]+(\/policy)?)?$/.test(call.path) && accepts(call.headers['authorization'])
        ? mainPlatform(world)
        : original(world, call, route),
  };
}

function actingFor(
  accepts: (authorization: string | undefined, known: boolean, path: string) => boolean,
): Replacements {
  return {
    identifyCaller: (original) => (world, call, route) => {
      const authorization = call.headers['authorization'];
      const token = world.behaviour.readBearer(authorization ?? '');
      const known = token !== undefined && world.behaviour.agentOfToken(token) !== undefined;
      const agent =
        route.auth === 'agent' && accepts(authorization, known, call.path)
          ? agentMeantBy(world, call)
          : undefined;
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

/** Reads a transfer for the agent of whoever owns both of its accounts. */
function asTheirOwner(reader: 'readTransferOut' | 'readTransferIn'): Replacements {
  return {
    [reader]:
      (original: ReadTransfer): ReadTransfer =>
      (world, agent, body) => {
        const [source, destination] = ['source', 'destination'].map((end) => {
          const { accountId } = body[end] as { accountId: string };
          return (internalAccounts.get(world, accountId) ?? externalAccounts.get(world, accountId))
            ?.customerId;
        });
        const owner = source !== undefined && source === destination ? source : agent.customerId;
        return original(world, { ...agent, customerId: owner }, body);
      },
  };
}

type ReadTransfer = (world: World, agent: Agent, body: JsonObject) => NewAction;
