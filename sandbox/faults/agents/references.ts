import type { Call } from '../../core/call.ts';
import { isObject, textOf, type Json, type JsonObject } from '../../core/json.ts';
import type { Replacements } from '../../core/replacement.ts';
import type { World } from '../../core/world.ts';
import type { Agent } from '../../domain/agent.ts';
import { externalAccounts } from '../../domain/external-account.ts';
import { internalAccounts } from '../../domain/internal-account.ts';
import type { Fault } from '../fault.ts';
import { anything, transferSchema } from '../../core/loosened.ts';

/** A transfer-out body whose source or destination is missing or of the wrong form. */
export const referenceFaults: readonly Fault[] = [
  {
    name: 'missing-body-takes-defaults',
    breaks: 'TRANSFER-BODY-REQUIRED',
    says: "A transfer-out without a body moves one unit between the customer's first accounts.",
    replace: {
      readBody: (original) => (world, call, route) =>
        isTransfer(call) && call.rawBody.length === 0
          ? defaults(world, call.caller as Agent)
          : original(world, call, route),
    },
  },
  {
    name: 'missing-source-takes-first-account',
    breaks: 'TRANSFER-SOURCE-REQUIRED',
    also: ['TRANSFER-INVALID-STATUS'],
    says: 'A transfer-out without source is taken from the first account.',
    replace: repaired(
      (body, world, agent) => ({ source: defaults(world, agent).source, ...body }),
      (schema) => anything(schema, 'source'),
    ),
  },
  {
    name: 'missing-source-id-takes-first-account',
    breaks: 'TRANSFER-SOURCE-ACCOUNT-ID-REQUIRED',
    says: 'A source without accountId means the first account.',
    replace: repaired(
      (body, world, agent) => ({
        ...body,
        source: { ...defaults(world, agent).source, ...(body['source'] as JsonObject) },
      }),
      (schema) => (schema.properties['source']!.required = []),
    ),
  },
  {
    name: 'missing-destination-takes-first-account',
    breaks: 'TRANSFER-DESTINATION-REQUIRED',
    also: ['TRANSFER-INVALID-STATUS'],
    says: 'A transfer-out without destination goes to the first account.',
    replace: repaired(
      (body, world, agent) => ({ destination: defaults(world, agent).destination, ...body }),
      (schema) => anything(schema, 'destination'),
    ),
  },
  {
    name: 'missing-destination-id-takes-first-account',
    breaks: 'TRANSFER-DESTINATION-ACCOUNT-ID-REQUIRED',
    says: 'A destination without accountId means the first account.',
    replace: repaired(
      (body, world, agent) => ({
        ...body,
        destination: { ...defaults(world, agent).destination, ...(body['destination'] as JsonObject) },
      }),
      (schema) => (schema.properties['destination']!.required = []),
    ),
  },
  {
    name: 'source-type-ignored',
    breaks: 'TRANSFER-SOURCE-FORM',
    says: 'Only the uuid of the source counts, and any id of another type means the first account.',
    replace: repaired(
      (body, world, agent) =>
        withId(body, 'source', (id) => accountLike(id, 'InternalAccount', world, agent)),
      (schema) => delete schema.properties['source']!.properties['accountId']!['pattern'],
    ),
  },
  {
    name: 'destination-type-ignored',
    breaks: 'TRANSFER-DESTINATION-FORM',
    says: 'Only the uuid of the destination counts, and any id of another type means the first account.',
    replace: repaired(
      (body, world, agent) =>
        withId(body, 'destination', (id) => accountLike(id, 'ExternalAccount', world, agent)),
      (schema) => delete schema.properties['destination']!.properties['accountId']!['pattern'],
    ),
  },
  {
    name: 'source-as-text-accepted',
    breaks: 'TRANSFER-REFERENCE-TYPES',
    says: 'A source that is a plain text is taken for its accountId.',
    replace: repaired(
      (body) =>
        typeof body['source'] === 'string' ? { ...body, source: { accountId: body['source'] } } : body,
      (schema) =>
        (schema.properties['source'] = {
          anyOf: [schema.properties['source'], { type: 'string' }],
          properties: {},
        }),
    ),
  },
  {
    name: 'account-id-in-a-list-accepted',
    breaks: 'TRANSFER-REFERENCE-TYPES',
    says: 'An accountId in a list of one is taken out of it.',
    replace: repaired(
      (body) =>
        withId(body, 'destination', (id) =>
          Array.isArray(id) ? textOf((id as readonly Json[])[0]) : textOf(id),
        ),
      (schema) => {
        const ids = schema.properties['destination']!.properties;
        ids['accountId'] = { anyOf: [ids['accountId'], { type: 'array' }], properties: {} };
      },
    ),
  },
];

type Repair = (body: JsonObject, world: World, agent: Agent) => JsonObject;

/** A body that is no longer refused, and what the service then makes of it. */
function repaired(repair: Repair, change: Parameters<typeof transferSchema>[0]): Replacements {
  return {
    requestSchema: transferSchema(change),
    readTransferOut: (original) => (world, agent, body) => original(world, agent, repair(body, world, agent)),
  };
}

function isTransfer(call: Call): boolean {
  return call.path === '/agents/me/transfer-out';
}

function defaults(world: World, agent: Agent) {
  const mine = <T extends { id: string; customerId: string }>(rows: readonly T[]) =>
    rows.find((row) => row.customerId === agent.customerId);
  return {
    source: { accountId: mine(internalAccounts.all(world))?.id ?? '' },
    destination: { accountId: mine(externalAccounts.all(world))?.id ?? '' },
    amount: 1,
  };
}

function withId(
  body: JsonObject,
  side: 'source' | 'destination',
  change: (id: Json | undefined) => string,
): JsonObject {
  const reference = body[side];
  return isObject(reference)
    ? { ...body, [side]: { ...reference, accountId: change(reference['accountId']) } }
    : body;
}

function accountLike(
  id: Json | undefined,
  type: 'InternalAccount' | 'ExternalAccount',
  world: World,
  agent: Agent,
): string {
  if (textOf(id).startsWith(`${type}:`)) return textOf(id);
  const renamed = `${type}:${textOf(id).replace(/^.*:/, '').toLowerCase()}`;
  const table = type === 'InternalAccount' ? internalAccounts : externalAccounts;
  if (table.of(world).has(renamed)) return renamed;
  return type === 'InternalAccount'
    ? defaults(world, agent).source.accountId
    : defaults(world, agent).destination.accountId;
}
