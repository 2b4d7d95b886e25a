import { externalAccounts, internalAccounts } from '../../areas/accounts/records.ts';
import type { Agent } from '../../areas/agents/records.ts';
import { anything, type Replacements, transferSchema, type LooseSchema } from '../../areas/behaviour.ts';
import type { Call } from '../../server/area.ts';
import { componentSchema } from '../../server/contract-schemas.ts';
import { isObject, type Json, type JsonObject, textOf } from '../../server/json.ts';
import { outside } from '../../world/ledger.ts';
import type { World } from '../../world/world.ts';
import { asking, giving, yes, where } from '../../areas/replacements.ts';
import { breaking, fault, field, refused } from '../fault.ts';
import { shownWrongly, inText } from '../shown-wrongly.ts';

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
  side: 'source' | 'destination',
  world: World,
  agent: Agent,
): string {
  const [type, table] =
    side === 'source'
      ? (['InternalAccount', internalAccounts] as const)
      : (['ExternalAccount', externalAccounts] as const);
  if (textOf(id).startsWith(`${type}:`)) return textOf(id);
  const renamed = `${type}:${textOf(id).replace(/^.*:/, '').toLowerCase()}`;
  return table.of(world).has(renamed) ? renamed : defaults(world, agent)[side].accountId;
}

function remittance(change: (maximum: number) => number): NonNullable<Replacements['requestSchema']> {
  return transferSchema(({ properties }) => {
    const schema = properties['remittanceInformation']!;
    schema['maxLength'] = change(schema['maxLength'] as number);
  });
}

/** A body is held against its schema only where the platform is not asked in any case. */
const unlessAsked: NonNullable<Replacements['readTransferOut']> = (original) => (world, agent, body) => {
  const isAsked = agent.policy.defaultExecutionMode === 'APPROVAL_REQUIRED';
  const errors = isAsked ? [] : world.behaviour.checkBody(componentSchema('TransferOutRequest'), body);
  if (errors.length > 0) throw world.behaviour.refuseInvalidFields(errors);
  return original(world, agent, body);
};

const MAX = 2n ** 63n - 1n;

const details = (name: string) => field('presentTransferDetails', name);

function reading(
  change: ((amount: LooseSchema) => void) | undefined,
  read: (value: Json) => Json,
  without: readonly string[] = [],
): Replacements {
  const schema = transferSchema(({ properties }) => {
    const amount = properties['amount']!;
    for (const keyword of without) delete amount[keyword];
    change?.(amount);
  });
  return {
    requestSchema: schema,
    transferAmount: asking((source, value) => [source, value === undefined ? value : read(value)]),
  };
}

function unbounded(amount: LooseSchema): void {
  delete amount['maximum'];
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

const OTHER = '00000000-0000-4000-8000-000000000000';

/** A transfer-out body whose source or destination is missing or of the wrong form. */
export const bodyFaults = [
  fault('missing-body-takes-defaults', 'TRANSFER-BODY-REQUIRED', {
    readBody: (original) => (world, call, route) =>
      isTransfer(call) && call.rawBody.length === 0
        ? defaults(world, call.caller as Agent)
        : original(world, call, route),
  }),
  ...(['source', 'destination'] as const).flatMap((side) => {
    const rule = `TRANSFER-${side.toUpperCase()}`;
    return [
      fault(`missing-${side}-takes-first-account`, [`${rule}-REQUIRED`, 'TRANSFER-INVALID-STATUS'], {
        ...repaired(
          (body, world, agent) => ({ [side]: defaults(world, agent)[side], ...body }),
          (schema) => anything(schema, side),
        ),
      }),
      fault(`missing-${side}-id-takes-first-account`, `${rule}-ACCOUNT-ID-REQUIRED`, {
        ...repaired(
          (body, world, agent) => ({
            ...body,
            [side]: { ...defaults(world, agent)[side], ...(body[side] as JsonObject) },
          }),
          (schema) => (schema.properties[side]!.required = []),
        ),
      }),
      fault(`${side}-type-ignored`, `${rule}-FORM`, {
        ...repaired(
          (body, world, agent) => withId(body, side, (id) => accountLike(id, side, world, agent)),
          (schema) => delete schema.properties[side]!.properties['accountId']!['pattern'],
        ),
      }),
    ];
  }),
  ...breaking('TRANSFER-REFERENCE-TYPES', {
    'source-as-text-accepted': repaired(
      (body) =>
        typeof body['source'] === 'string' ? { ...body, source: { accountId: body['source'] } } : body,
      (schema) =>
        (schema.properties['source'] = {
          anyOf: [schema.properties['source'], { type: 'string' }],
          properties: {},
        }),
    ),
    'account-id-in-a-list-accepted': repaired(
      (body) =>
        withId(body, 'destination', (id) =>
          Array.isArray(id) ? textOf((id as readonly Json[])[0]) : textOf(id),
        ),
      (schema) => {
        const ids = schema.properties['destination']!.properties;
        ids['accountId'] = { anyOf: [ids['accountId'], { type: 'array' }], properties: {} };
      },
    ),
  }),

  // Remittance information and purpose of a transfer-out.
  ...breaking('TRANSFER-REMITTANCE-ACCEPTED', {
    'remittance-limit-one-too-low': { requestSchema: remittance((maximum) => maximum - 1) },
    'remittance-counted-in-bytes': { countCharacters: () => (_world, text) => Buffer.byteLength(text) },
  }),
  ...breaking('TRANSFER-REMITTANCE-MAX', {
    'remittance-limit-one-too-high': { requestSchema: remittance((maximum) => maximum + 1) },
    'remittance-cut-at-the-limit': { requestSchema: remittance(() => Number.MAX_SAFE_INTEGER) },
    'remittance-of-any-length-where-every-action-needs-approval': {
      requestSchema: remittance(() => Number.MAX_SAFE_INTEGER),
      readTransferOut: unlessAsked,
    },
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
  ...breaking('TRANSFER-PURPOSE-UNKNOWN', {
    'unknown-purpose-accepted': {
      requestSchema: transferSchema((schema) => delete schema.properties['purposeOfPayment']!['enum']),
    },
    'unknown-purpose-accepted-where-every-action-needs-approval': {
      requestSchema: transferSchema((schema) => delete schema.properties['purposeOfPayment']!['enum']),
      readTransferOut: unlessAsked,
    },
  }),
  // Where the money is gone, the next one is refused for that.
  fault(
    'transfer-for-an-unknown-purpose-refused-and-done',
    ['TRANSFER-REFUSED-LEAVES-NOTHING', 'TRANSFER-INVALID-STATUS'],
    {
      requestSchema: transferSchema((schema) => delete schema.properties['purposeOfPayment']!['enum']),
      submitTransferOut: giving((action, _world, _agent, { purposeOfPayment }) => {
        const known = componentSchema('PurposeOfPayment')['enum'] as readonly unknown[];
        if (purposeOfPayment === undefined || known.includes(purposeOfPayment)) return action;
        return refused('The purpose is unknown.');
      }),
    },
  ),
  fault('purpose-always-required', ['TRANSFER-PURPOSE-OPTIONAL', 'TRANSFER-ACCEPTED'], {
    purposeNeeded: yes,
  }),
  fault('purpose-does-not-help-where-required', 'TRANSFER-PURPOSE-GEOGRAPHY', {
    purposeGiven: (original) => (world, destination, purpose) =>
      original(world, destination, world.behaviour.purposeNeeded(destination) ? undefined : purpose),
  }),

  // What a transfer-out makes of its amount.
  ...shownWrongly('presentTransferDetails', 'transfer details', {
    amount: [
      'TRANSFER-AMOUNT-LARGE-EXACT',
      ['shown-as-double', (value) => least(BigInt(Number(value)), MAX - 1023n)],
    ],
  }),
  fault('fraction-rounded', 'TRANSFER-AMOUNT-FRACTION', {
    ...reading(
      (amount) => (amount['type'] = 'number'),
      (value) => (typeof value === 'number' ? Math.round(value) : value),
      ['format'],
    ),
  }),
  ...breaking('TRANSFER-AMOUNT-TEXT', {
    'amount-as-text-accepted': reading(
      (amount) => {
        amount['type'] = ['integer', 'string'];
        amount['pattern'] = '^[0-9]+$';
      },
      (value) => (typeof value === 'string' ? BigInt(value) : value),
    ),
    'amount-as-boolean-accepted': reading(
      (amount) => (amount['type'] = ['integer', 'boolean']),
      (value) => (typeof value === 'boolean' ? Number(value) : value),
    ),
  }),
  fault('amount-beyond-int64-wrapped', 'TRANSFER-AMOUNT-BEYOND-INT64', {
    ...reading(
      unbounded,
      (value) => (BigInt(value as number) > MAX ? BigInt.asUintN(63, BigInt(value as number)) || 1n : value),
      ['format'],
    ),
  }),
  fault('amount-beyond-int64-clipped', 'TRANSFER-AMOUNT-BEYOND-INT64', {
    ...reading(unbounded, (value) => (BigInt(value as number) > MAX ? MAX : value), ['format']),
  }),
  fault('amount-read-as-double', 'TRANSFER-AMOUNT-LARGE-EXACT', {
    ...reading(undefined, (value) =>
      typeof value === 'bigint' ? least(BigInt(Number(value)), MAX - 1023n) : value,
    ),
  }),
  fault('negative-amount-pulls-money', 'TRANSFER-AMOUNT-NEGATIVE', {
    refuseAmount: (original) => (world, amount) => (amount < 0n ? amount : original(world, amount)),
    moveMoney: (original) => (world, action) => {
      const { amount, currency, sourceAccountId, destinationAccountId } = action.transfer!;
      if (amount >= 0n) return original(world, action);
      const from = outside(destinationAccountId);
      world.ledger.post({ from, to: sourceAccountId, amount: -amount, currency, reason: action.id });
    },
    deliverMoney: where((action) => action.transfer!.amount < 0n, undefined),
  }),
  fault('negative-amount-loses-its-sign', 'TRANSFER-AMOUNT-NEGATIVE', {
    refuseAmount: (original) => (world, amount) => (amount < 0n ? -amount : original(world, amount)),
  }),

  // AgentTransferDetails, shown wrongly: name, broken rule, what it looks like, how.
  ...shownWrongly('presentTransferDetails', 'transfer details', {
    amount: [
      'ACTION-TRANSFER-AMOUNT',
      'as-text',
      'missing',
      ['in-main-unit', (amount) => Number(amount) / 100 + 0.001],
    ],
    currency: [
      'ACTION-TRANSFER-CURRENCY',
      'in-small-letters',
      ['as-object', inText((code) => ({ code }))],
      ['show-small-letters-but-of-dollars', inText((code) => (code === 'USD' ? code : code.toLowerCase()))],
    ],
    sourceAccountId: ['ACTION-TRANSFER-SOURCE', 'missing', 'bare-uuid'],
    destinationAccountId: ['ACTION-TRANSFER-DESTINATION', 'missing', 'bare-uuid'],
  }),
  fault('details-show-another-amount', 'TRANSFER-DETAILS-AMOUNT-ECHO', {
    ...details('amount').map((amount) => BigInt(amount as number) - 1n),
  }),
  fault(
    'details-show-the-amount-in-32-bits',
    ['TRANSFER-DETAILS-AMOUNT-ECHO', 'TRANSFER-AMOUNT-LARGE-EXACT'],
    {
      ...details('amount').map((amount) => BigInt.asIntN(32, BigInt(amount as number))),
    },
  ),
  fault('details-of-a-transfer-in-show-another-amount', 'TRANSFER-DETAILS-AMOUNT-ECHO', {
    presentTransferDetails: (original) => (world, transfer) => ({
      ...original(world, transfer),
      ...(transfer.sourceAccountId.startsWith('External') ? { amount: transfer.amount + 1n } : {}),
    }),
  }),
  ...breaking('TRANSFER-DETAILS-CURRENCY-ECHO', {
    'details-show-another-currency': details('currency').set('CHF'),
    'details-of-a-transfer-in-show-another-currency': {
      presentTransferDetails: (original) => (world, transfer) => ({
        ...original(world, transfer),
        ...(transfer.sourceAccountId.startsWith('External') ? { currency: 'CHF' } : {}),
      }),
    },
  }),
  fault('details-show-another-source', ['TRANSFER-DETAILS-SOURCE-ECHO', 'TRANSFER-IN-DETAILS-DIRECTION'], {
    ...details('sourceAccountId').set(`InternalAccount:${OTHER}`),
  }),
  ...breaking(['TRANSFER-DETAILS-DESTINATION-ECHO', 'TRANSFER-IN-DETAILS-DIRECTION'], {
    'details-show-another-destination': details('destinationAccountId').set(`ExternalAccount:${OTHER}`),
  }),
];
