import { addExternalAccount, externalAccounts, internalAccounts } from '../../areas/accounts/records.ts';
import { type Agent, agents } from '../../areas/agents/records.ts';
import { mainPlatform } from '../../areas/platform/records.ts';
import { customers } from '../../areas/customers/records.ts';
import { quotes } from '../../areas/quotes/records.ts';
import { anything, type Replacements, transferSchema } from '../../areas/behaviour.ts';
import type { NewAction } from '../../areas/transfers/submission-behaviour.ts';
import { transactions } from '../../areas/transfers/records.ts';
import type { Call } from '../../server/area.ts';
import { componentSchema } from '../../server/contract-schemas.ts';
import type { JsonObject } from '../../server/json.ts';
import { refuse, Refusal, refusalOf, refusedAs } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { asking, giving, coded, yes } from '../../areas/replacements.ts';
import { breaking, fault, within } from '../fault.ts';
import { shownWrongly } from '../shown-wrongly.ts';

const MANAGING = /^\/agents(\/Agent:[^/]+(\/policy)?)?$/;

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

/** Which transfer-outs are accepted, and how the others are refused. */
export const accessFaults = [
  fault('every-transfer-refused', 'TRANSFER-ACCEPTED', {
    runTransfer: () => async (world) =>
      world.behaviour.presentRefusal(new Refusal(400, 'INVALID_INPUT', 'No.')),
  }),
  fault('foreign-source-accepted', ['TRANSFER-SOURCE-FOREIGN', 'TRANSFER-IN-SCOPED'], {
    refuseForeignSource: () => (_world, _agent, account) => account,
  }),
  ...breaking('TRANSFER-DESTINATION-FOREIGN', {
    'foreign-destination-waits-where-every-action-does': within(
      'submitTransferOut',
      { refuseForeignDestination: () => (_world, _agent, account) => account },
      ({ policy }: Agent) => policy.defaultExecutionMode === 'APPROVAL_REQUIRED',
    ),
  }),
  ...breaking('TRANSFER-SOURCE-FOREIGN', {
    'both-accounts-foreign-accepted': asTheirOwner('readTransferOut'),
    'foreign-source-waits-for-approval': within(
      'submitTransferOut',
      { refuseForeignSource: () => (_world, _agent, account) => account },
      ({ policy }: Agent, { amount }: JsonObject) =>
        policy.approvalThresholds !== undefined && Number(amount) > policy.approvalThresholds.amount,
    ),
  }),
  fault('transfer-in-between-foreign-accounts', 'TRANSFER-IN-SCOPED', asTheirOwner('readTransferIn')),
  fault('transfer-in-to-foreign-account', 'TRANSFER-IN-SCOPED', {
    ...within('readTransferIn', { refuseForeignSource: () => (_world, _agent, account) => account }),
  }),
  fault('transfer-in-from-foreign-account', 'TRANSFER-IN-SCOPED', {
    ...within('readTransferIn', { refuseForeignDestination: () => (_world, _agent, account) => account }),
  }),
  fault('foreign-destination-accepted', ['TRANSFER-DESTINATION-FOREIGN', 'TRANSFER-IN-SCOPED'], {
    refuseForeignDestination: () => (_world, _agent, account) => account,
  }),
  ...breaking('TRANSFER-SOURCE-UNKNOWN', {
    'unknown-source-answers-400': { refuseUnknownSource: coded('INVALID_INPUT', 400) },
    'unknown-source-answers-403': { refuseUnknownSource: coded('FORBIDDEN', 403) },
  }),
  fault('unknown-destination-answers-400', 'TRANSFER-DESTINATION-UNKNOWN', {
    refuseUnknownDestination: () => () =>
      refuse(new Refusal(400, 'INVALID_BANK_ACCOUNT', 'The destination is not valid.')),
  }),
  fault('unknown-destination-accepted', 'TRANSFER-DESTINATION-UNKNOWN', {
    refuseUnknownDestination: () => (world, agent, id) => ({
      ...addExternalAccount(world, customers.get(world, agent.customerId)!, 'USD'),
      id,
    }),
  }),
  fault('invalid-fields-answer-500', 'TRANSFER-INVALID-STATUS', invalidAnswers(500, 'INTERNAL_ERROR')),
  fault('null-answers-500', 'TRANSFER-INVALID-STATUS', {
    readBody: (original) => (world, call, route) =>
      /(Information|Payment)":null/.test(call.rawBody.toString())
        ? refuse(new Refusal(500, 'INTERNAL_ERROR', 'Something broke on the way.'))
        : original(world, call, route),
  }),
  fault('invalid-fields-answer-422', 'TRANSFER-INVALID-STATUS', invalidAnswers(422, 'INVALID_INPUT')),
  fault('invalid-fields-answer-403', 'TRANSFER-INVALID-STATUS', invalidAnswers(403, 'FORBIDDEN')),
  fault('rail-required', ['TRANSFER-RAIL-DEFAULT', 'TRANSFER-ACCEPTED'], {
    defaultRail: () => () => refuse(new Refusal(400, 'INVALID_INPUT', 'Name a paymentRail.')),
  }),
  fault('only-default-rail-accepted', 'TRANSFER-RAIL-SUPPORTED', {
    chooseRail: (original) => (world, destination, wanted) =>
      wanted === undefined || wanted === destination.rails[0]
        ? original(world, destination, wanted)
        : world.behaviour.refuseRail(destination, wanted),
  }),
  fault('last-supported-rail-refused', 'TRANSFER-RAIL-SUPPORTED', {
    chooseRail: (original) => (world, destination, wanted) =>
      wanted !== undefined && wanted === destination.rails.at(-1) && destination.rails.length > 1
        ? world.behaviour.refuseRail(destination, wanted)
        : original(world, destination, wanted),
  }),
  ...breaking('TRANSFER-RAIL-UNSUPPORTED', {
    'unsupported-rail-accepted': { refuseRail: () => (_world, _destination, wanted) => wanted },
    'unsupported-rail-waits-for-approval': {
      readTransferOut: (original) => (world, agent, body) => {
        const { paymentRail: _rail, ...destination } = body['destination'] as JsonObject;
        const withoutRail = original(world, agent, { ...body, destination });
        const isRefused = refusalOf(() => void original(world, agent, body)) !== undefined;
        return isRefused && world.behaviour.needsApproval(agent, withoutRail.transfer!)
          ? withoutRail
          : original(world, agent, body);
      },
    },
  }),
  fault('unknown-rail-accepted', 'TRANSFER-RAIL-UNKNOWN', {
    requestSchema: transferSchema((schema) => anything(schema.properties['destination']!, 'paymentRail')),
    chooseRail: asking((destination, wanted) => [destination, isRail(wanted) ? wanted : undefined]),
  }),
  fault('lower-case-rail-accepted', 'TRANSFER-RAIL-UNKNOWN', {
    requestSchema: transferSchema((schema) => {
      const rail = schema.properties['destination']!.properties['paymentRail']!;
      rail['enum'] = (rail['enum'] as string[]).flatMap((name) => [name, name.toLowerCase()]);
    }),
    chooseRail: asking((destination, wanted) => [destination, wanted?.toUpperCase()]),
  }),

  // Who may call an agent's operations, and what an agent sees.
  ...shownWrongly('POST /agents/device-codes/:code/redeem', 'redemption', {
    accessToken: ['AGENT-DEVICE-CODE-REDEEM', ['redeemed-token-is-not-valid', () => 'agt_not-the-one']],
  }),
  ...breaking('AGENT-MANAGED-BY-PLATFORM', {
    'agents-created-without-credentials': managing((authorization) => authorization === undefined),
    'agent-manages-agents': managing((authorization) => /^Bearer /i.test(authorization ?? '')),
    'any-platform-manages-agents': asAnyPlatform(MANAGING),
  }),
  fault('agent-lists-accounts-of-every-customer', 'AGENT-ONE-CUSTOMER', {
    agentReads: () => (_world, agent, record) =>
      record.customerId === agent.customerId && record.agentId === agent.id,
    agentSees: yes,
  }),
  fault('agent-lists-transactions-of-every-customer', 'AGENT-ONE-CUSTOMER', {
    agentSees: (original) => (world, agent, record) =>
      transactions.all(world).some((one) => one === record) || original(world, agent, record),
  }),
  fault('agent-reads-actions-of-every-customer', 'AGENT-ACTION-NOT-VISIBLE-TO-OTHERS', { agentReads: yes }),
  ...breaking('AUTH-AGENT-NONE', {
    'missing-token-answers-403': {
      refuseMissingBearer: () => (world) => refuse(world.behaviour.refuseForbidden('No token.')),
    },
  }),
  fault('unknown-token-answers-403', 'AUTH-AGENT-WRONG-TOKEN', {
    refuseUnknownToken: () => (world) => refuse(world.behaviour.refuseForbidden('Wrong token.')),
  }),
  fault('token-compared-without-case', 'AUTH-AGENT-WRONG-TOKEN', {
    agentOfToken: (original) => (world, token) =>
      original(world, token) ??
      agents.all(world).find((agent) => agent.accessToken?.toLowerCase() === token.toLowerCase()),
  }),
  fault('token-compared-to-its-length', 'AUTH-AGENT-WRONG-TOKEN', {
    agentOfToken: (original) => (world, token) =>
      original(world, token) ??
      agents.all(world).find(({ accessToken }) => accessToken && token.startsWith(accessToken)),
  }),
];

/** Whoever is a platform is taken for the main one there. */
export function asAnyPlatform(path: RegExp): Replacements {
  return {
    identifyCaller: giving((caller, world, call) =>
      caller?.kind === 'platform' && path.test(call.path) ? mainPlatform(world) : caller,
    ),
  };
}

function managing(accepts: (authorization: string | undefined) => boolean): Replacements {
  return {
    identifyCaller: (original) => (world, call, route) =>
      MANAGING.test(call.path) && accepts(call.headers['authorization'])
        ? mainPlatform(world)
        : original(world, call, route),
  };
}

/** The agent of the customer whose account or quote the request names, else the newest. */
export function agentMeantBy(world: World, call: Call): Agent | undefined {
  const named = /InternalAccount:[0-9a-fA-F-]{36}/.exec(call.rawBody.toString('utf8'))?.[0] ?? '';
  const owned = internalAccounts.get(world, named) ?? quotes.get(world, call.params['quoteId'] ?? '');
  const customerId = owned?.customerId;
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
