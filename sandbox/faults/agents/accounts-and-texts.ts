import { externalAccounts, internalAccounts } from '../../areas/accounts/records.ts';
import type { Agent } from '../../areas/agents/records.ts';
import { anything, type Replacements, transferSchema } from '../../areas/behaviour.ts';
import type { Call } from '../../server/area.ts';
import { isObject, type Json, type JsonObject, textOf } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import { faultsOf } from '../fault.ts';

/** A transfer-out body whose source or destination is missing or of the wrong form. */
export const referenceFaults = faultsOf([
  [
    'missing-body-takes-defaults',
    'TRANSFER-BODY-REQUIRED',
    "A transfer-out without a body moves one unit between the customer's first accounts.",
    {
      readBody: (original) => (world, call, route) =>
        isTransfer(call) && call.rawBody.length === 0
          ? defaults(world, call.caller as Agent)
          : original(world, call, route),
    },
  ],
  [
    'missing-source-takes-first-account',
    'TRANSFER-SOURCE-REQUIRED',
    'A transfer-out without source is taken from the first account.',
    repaired(
      (body, world, agent) => ({ source: defaults(world, agent).source, ...body }),
      (schema) => anything(schema, 'source'),
    ),
    ['TRANSFER-INVALID-STATUS'],
  ],
  [
    'missing-source-id-takes-first-account',
    'TRANSFER-SOURCE-ACCOUNT-ID-REQUIRED',
    'A source without accountId means the first account.',
    repaired(
      (body, world, agent) => ({
        ...body,
        source: { ...defaults(world, agent).source, ...(body['source'] as JsonObject) },
      }),
      (schema) => (schema.properties['source']!.required = []),
    ),
  ],
  [
    'missing-destination-takes-first-account',
    'TRANSFER-DESTINATION-REQUIRED',
    'A transfer-out without destination goes to the first account.',
    repaired(
      (body, world, agent) => ({ destination: defaults(world, agent).destination, ...body }),
      (schema) => anything(schema, 'destination'),
    ),
    ['TRANSFER-INVALID-STATUS'],
  ],
  [
    'missing-destination-id-takes-first-account',
    'TRANSFER-DESTINATION-ACCOUNT-ID-REQUIRED',
    'A destination without accountId means the first account.',
    repaired(
      (body, world, agent) => ({
        ...body,
        destination: { ...defaults(world, agent).destination, ...(body['destination'] as JsonObject) },
      }),
      (schema) => (schema.properties['destination']!.required = []),
    ),
  ],
  [
    'source-type-ignored',
    'TRANSFER-SOURCE-FORM',
    'Only the uuid of the source counts, and any id of another type means the first account.',
    repaired(
      (body, world, agent) =>
        withId(body, 'source', (id) => accountLike(id, 'InternalAccount', world, agent)),
      (schema) => delete schema.properties['source']!.properties['accountId']!['pattern'],
    ),
  ],
  [
    'destination-type-ignored',
    'TRANSFER-DESTINATION-FORM',
    'Only the uuid of the destination counts, and any id of another type means the first account.',
    repaired(
      (body, world, agent) =>
        withId(body, 'destination', (id) => accountLike(id, 'ExternalAccount', world, agent)),
      (schema) => delete schema.properties['destination']!.properties['accountId']!['pattern'],
    ),
  ],
  [
    'source-as-text-accepted',
    'TRANSFER-REFERENCE-TYPES',
    'A source that is a plain text is taken for its accountId.',
    repaired(
      (body) =>
        typeof body['source'] === 'string' ? { ...body, source: { accountId: body['source'] } } : body,
      (schema) =>
        (schema.properties['source'] = {
          anyOf: [schema.properties['source'], { type: 'string' }],
          properties: {},
        }),
    ),
  ],
  [
    'account-id-in-a-list-accepted',
    'TRANSFER-REFERENCE-TYPES',
    'An accountId in a list of one is taken out of it.',
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
  ],
]);

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
export const textFaults = faultsOf([
  [
    'remittance-limit-one-too-low',
    'TRANSFER-REMITTANCE-ACCEPTED',
    'Remittance information of the maximum length is refused.',
    { requestSchema: remittance((maximum) => maximum - 1) },
  ],
  [
    'remittance-counted-in-bytes',
    'TRANSFER-REMITTANCE-ACCEPTED',
    'The limit of remittance information is one of bytes.',
    { countCharacters: () => (_world, text) => Buffer.byteLength(text) },
  ],
  [
    'remittance-limit-one-too-high',
    'TRANSFER-REMITTANCE-MAX',
    'Remittance information one character too long is accepted.',
    { requestSchema: remittance((maximum) => maximum + 1) },
  ],
  [
    'remittance-cut-at-the-limit',
    'TRANSFER-REMITTANCE-MAX',
    'Remittance information that is too long is cut and accepted.',
    { requestSchema: remittance(() => Number.MAX_SAFE_INTEGER) },
  ],
  [
    'remittance-letters-only',
    'TRANSFER-REMITTANCE-FREE-FORM',
    'Remittance information with punctuation is refused.',
    {
      requestSchema: transferSchema(
        (schema) => (schema.properties['remittanceInformation']!['pattern'] = '^[A-Za-z0-9 ]*$'),
      ),
    },
  ],
  [
    'remittance-as-number-accepted',
    'TRANSFER-REMITTANCE-TYPE',
    'Remittance information that is a number or a list is turned into text.',
    {
      requestSchema: transferSchema((schema) => delete schema.properties['remittanceInformation']!['type']),
    },
  ],
  [
    'remittance-required',
    'TRANSFER-REMITTANCE-OPTIONAL',
    'A transfer-out without remittance information is refused.',
    { requestSchema: transferSchema((schema) => schema.required!.push('remittanceInformation')) },
    ['TRANSFER-ACCEPTED'],
  ],
  [
    'last-purpose-unknown',
    'TRANSFER-PURPOSE-ACCEPTED',
    'The last of the purposes is not known.',
    {
      requestSchema: transferSchema((schema) =>
        (schema.properties['purposeOfPayment']!['enum'] as string[]).pop(),
      ),
    },
  ],
  [
    'unknown-purpose-accepted',
    'TRANSFER-PURPOSE-UNKNOWN',
    'Any text is a purpose of payment.',
    {
      requestSchema: transferSchema((schema) => delete schema.properties['purposeOfPayment']!['enum']),
    },
  ],
  [
    'purpose-always-required',
    'TRANSFER-PURPOSE-OPTIONAL',
    'A purpose is asked for whatever the destination.',
    { purposeNeeded: () => () => true },
    ['TRANSFER-ACCEPTED'],
  ],
  [
    'purpose-does-not-help-where-required',
    'TRANSFER-PURPOSE-GEOGRAPHY',
    'Where a purpose is asked for, a transfer-out with one is refused too.',
    {
      purposeGiven: (original) => (world, destination, purpose) =>
        original(world, destination, world.behaviour.purposeNeeded(destination) ? undefined : purpose),
    },
  ],
]);

function remittance(change: (maximum: number) => number): NonNullable<Replacements['requestSchema']> {
  return transferSchema(({ properties }) => {
    const schema = properties['remittanceInformation']!;
    schema['maxLength'] = change(schema['maxLength'] as number);
  });
}
