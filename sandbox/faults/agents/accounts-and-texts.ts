import { externalAccounts, internalAccounts } from '../../areas/accounts/records.ts';
import type { Agent } from '../../areas/agents/records.ts';
import { anything, type Replacements, transferSchema } from '../../areas/replacement.ts';
import type { Call } from '../../server/call.ts';
import { isObject, type Json, type JsonObject, textOf } from '../../server/json.ts';
import { refuse, Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import type { Fault } from '../fault.ts';

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

/** Remittance information and purpose of a transfer-out. */
export const textFaults: readonly Fault[] = [
  {
    name: 'remittance-limit-one-too-low',
    breaks: 'TRANSFER-REMITTANCE-ACCEPTED',
    says: 'Remittance information of the maximum length is refused.',
    replace: { requestSchema: remittance((maximum) => maximum - 1) },
  },
  {
    name: 'remittance-counted-in-bytes',
    breaks: 'TRANSFER-REMITTANCE-ACCEPTED',
    says: 'The limit of remittance information is one of bytes.',
    replace: { countCharacters: () => (_world, text) => Buffer.byteLength(text) },
  },
  {
    name: 'remittance-limit-one-too-high',
    breaks: 'TRANSFER-REMITTANCE-MAX',
    says: 'Remittance information one character too long is accepted.',
    replace: { requestSchema: remittance((maximum) => maximum + 1) },
  },
  {
    name: 'remittance-cut-at-the-limit',
    breaks: 'TRANSFER-REMITTANCE-MAX',
    says: 'Remittance information that is too long is cut and accepted.',
    replace: { requestSchema: remittance(() => Number.MAX_SAFE_INTEGER) },
  },
  {
    name: 'remittance-letters-only',
    breaks: 'TRANSFER-REMITTANCE-FREE-FORM',
    says: 'Remittance information with punctuation is refused.',
    replace: {
      requestSchema: transferSchema(
        (schema) => (schema.properties['remittanceInformation']!['pattern'] = '^[A-Za-z0-9 ]*$'),
      ),
    },
  },
  {
    name: 'remittance-as-number-accepted',
    breaks: 'TRANSFER-REMITTANCE-TYPE',
    says: 'Remittance information that is a number or a list is turned into text.',
    replace: {
      requestSchema: transferSchema((schema) => delete schema.properties['remittanceInformation']!['type']),
    },
  },
  {
    name: 'remittance-required',
    breaks: 'TRANSFER-REMITTANCE-OPTIONAL',
    says: 'A transfer-out without remittance information is refused.',
    replace: { requestSchema: transferSchema((schema) => schema.required!.push('remittanceInformation')) },
  },
  {
    name: 'purpose-self-refused',
    breaks: 'TRANSFER-PURPOSE-ACCEPTED',
    says: 'The purpose SELF is taken for a payment to oneself.',
    replace: {
      purposeGiven: (original) => (world, destination, purpose) =>
        purpose === 'SELF'
          ? refuse(new Refusal(400, 'SELF_PAYMENT', 'Not to yourself.'))
          : original(world, destination, purpose),
    },
  },
  {
    name: 'last-purpose-unknown',
    breaks: 'TRANSFER-PURPOSE-ACCEPTED',
    says: 'The last of the purposes is not known.',
    replace: {
      requestSchema: transferSchema((schema) =>
        (schema.properties['purposeOfPayment']!['enum'] as string[]).pop(),
      ),
    },
  },
  {
    name: 'unknown-purpose-accepted',
    breaks: 'TRANSFER-PURPOSE-UNKNOWN',
    says: 'Any text is a purpose of payment.',
    replace: {
      requestSchema: transferSchema((schema) => delete schema.properties['purposeOfPayment']!['enum']),
    },
  },
  {
    name: 'purpose-always-required',
    breaks: 'TRANSFER-PURPOSE-OPTIONAL',
    says: 'A purpose is asked for whatever the destination.',
    replace: { purposeNeeded: () => () => true },
  },
  {
    name: 'purpose-does-not-help-where-required',
    breaks: 'TRANSFER-PURPOSE-GEOGRAPHY',
    says: 'Where a purpose is asked for, a transfer-out with one is refused too.',
    replace: {
      purposeGiven: (original) => (world, destination, purpose) =>
        original(world, destination, world.rules.purposeNeeded(destination) ? undefined : purpose),
    },
  },
];

function remittance(change: (maximum: number) => number): NonNullable<Replacements['requestSchema']> {
  return transferSchema(({ properties }) => {
    const schema = properties['remittanceInformation']!;
    schema['maxLength'] = change(schema['maxLength'] as number);
  });
}
