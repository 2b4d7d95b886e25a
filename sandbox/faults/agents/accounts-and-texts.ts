import { externalAccounts, internalAccounts } from '../../areas/accounts/records.ts';
import type { Agent } from '../../areas/agents/records.ts';
import { anything, type Replacements, transferSchema } from '../../areas/behaviour.ts';
import type { Call } from '../../server/area.ts';
import { isObject, type Json, type JsonObject, textOf } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import { fault } from '../fault.ts';

/** A transfer-out body whose source or destination is missing or of the wrong form. */
export const referenceFaults = [
  fault('missing-body-takes-defaults', 'TRANSFER-BODY-REQUIRED', {
    readBody: (original) => (world, call, route) =>
      isTransfer(call) && call.rawBody.length === 0
        ? defaults(world, call.caller as Agent)
        : original(world, call, route),
  }),
  fault(
    'missing-source-takes-first-account',
    ['TRANSFER-SOURCE-REQUIRED', 'TRANSFER-INVALID-STATUS'],
    repaired(
      (body, world, agent) => ({ source: defaults(world, agent).source, ...body }),
      (schema) => anything(schema, 'source'),
    ),
  ),
  fault(
    'missing-source-id-takes-first-account',
    'TRANSFER-SOURCE-ACCOUNT-ID-REQUIRED',
    repaired(
      (body, world, agent) => ({
        ...body,
        source: { ...defaults(world, agent).source, ...(body['source'] as JsonObject) },
      }),
      (schema) => (schema.properties['source']!.required = []),
    ),
  ),
  fault(
    'missing-destination-takes-first-account',
    ['TRANSFER-DESTINATION-REQUIRED', 'TRANSFER-INVALID-STATUS'],
    repaired(
      (body, world, agent) => ({ destination: defaults(world, agent).destination, ...body }),
      (schema) => anything(schema, 'destination'),
    ),
  ),
  fault(
    'missing-destination-id-takes-first-account',
    'TRANSFER-DESTINATION-ACCOUNT-ID-REQUIRED',
    repaired(
      (body, world, agent) => ({
        ...body,
        destination: { ...defaults(world, agent).destination, ...(body['destination'] as JsonObject) },
      }),
      (schema) => (schema.properties['destination']!.required = []),
    ),
  ),
  fault(
    'source-type-ignored',
    'TRANSFER-SOURCE-FORM',
    repaired(
      (body, world, agent) =>
        withId(body, 'source', (id) => accountLike(id, 'InternalAccount', world, agent)),
      (schema) => delete schema.properties['source']!.properties['accountId']!['pattern'],
    ),
  ),
  fault(
    'destination-type-ignored',
    'TRANSFER-DESTINATION-FORM',
    repaired(
      (body, world, agent) =>
        withId(body, 'destination', (id) => accountLike(id, 'ExternalAccount', world, agent)),
      (schema) => delete schema.properties['destination']!.properties['accountId']!['pattern'],
    ),
  ),
  fault(
    'source-as-text-accepted',
    'TRANSFER-REFERENCE-TYPES',
    repaired(
      (body) =>
        typeof body['source'] === 'string' ? { ...body, source: { accountId: body['source'] } } : body,
      (schema) =>
        (schema.properties['source'] = {
          anyOf: [schema.properties['source'], { type: 'string' }],
          properties: {},
        }),
    ),
  ),
  fault(
    'account-id-in-a-list-accepted',
    'TRANSFER-REFERENCE-TYPES',
    repaired(
      (body) =>
        withId(body, 'destination', (id) =>
          Array.isArray(id) ? textOf((id as readonly Json[])[0]) : textOf(id),
        ),
      (schema) => {
        const ids = schema.properties['destination']!.properties;
        ids['accountId'] = { anyOf: [ids['accountId'], { type: 'array' }], properties: {} };
      },
    ),
  ),
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

/** Remittance information and purpose of a transfer-out. */
export const textFaults = [
  fault('remittance-limit-one-too-low', 'TRANSFER-REMITTANCE-ACCEPTED', {
    requestSchema: remittance((maximum) => maximum - 1),
  }),
  fault('remittance-counted-in-bytes', 'TRANSFER-REMITTANCE-ACCEPTED', {
    countCharacters: () => (_world, text) => Buffer.byteLength(text),
  }),
  fault('remittance-limit-one-too-high', 'TRANSFER-REMITTANCE-MAX', {
    requestSchema: remittance((maximum) => maximum + 1),
  }),
  fault('remittance-cut-at-the-limit', 'TRANSFER-REMITTANCE-MAX', {
    requestSchema: remittance(() => Number.MAX_SAFE_INTEGER),
  }),
  fault('remittance-letters-only', 'TRANSFER-REMITTANCE-FREE-FORM', {
    requestSchema: transferSchema(
      (schema) => (schema.properties['remittanceInformation']!['pattern'] = '^[A-Za-z0-9 ]*$'),
    ),
  }),
  fault('remittance-as-number-accepted', 'TRANSFER-REMITTANCE-TYPE', {
    requestSchema: transferSchema((schema) => delete schema.properties['remittanceInformation']!['type']),
  }),
  fault('remittance-required', ['TRANSFER-REMITTANCE-OPTIONAL', 'TRANSFER-ACCEPTED'], {
    requestSchema: transferSchema((schema) => schema.required!.push('remittanceInformation')),
  }),
  fault('last-purpose-unknown', 'TRANSFER-PURPOSE-ACCEPTED', {
    requestSchema: transferSchema((schema) =>
      (schema.properties['purposeOfPayment']!['enum'] as string[]).pop(),
    ),
  }),
  fault('unknown-purpose-accepted', 'TRANSFER-PURPOSE-UNKNOWN', {
    requestSchema: transferSchema((schema) => delete schema.properties['purposeOfPayment']!['enum']),
  }),
  fault('purpose-always-required', ['TRANSFER-PURPOSE-OPTIONAL', 'TRANSFER-ACCEPTED'], {
    purposeNeeded: () => () => true,
  }),
  fault('purpose-does-not-help-where-required', 'TRANSFER-PURPOSE-GEOGRAPHY', {
    purposeGiven: (original) => (world, destination, purpose) =>
      original(world, destination, world.behaviour.purposeNeeded(destination) ? undefined : purpose),
  }),
];

function remittance(change: (maximum: number) => number): NonNullable<Replacements['requestSchema']> {
  return transferSchema(({ properties }) => {
    const schema = properties['remittanceInformation']!;
    schema['maxLength'] = change(schema['maxLength'] as number);
  });
}
