import { type LooseSchema, type Replacements, transferSchema } from '../../areas/behaviour.ts';
import type { Json } from '../../server/json.ts';
import { outside } from '../../world/ledger.ts';
import { fault, field } from '../fault.ts';
import { shownWrongly, inText } from '../shown-wrongly.ts';

const MAX = 2n ** 63n - 1n;

const details = (name: string) => field('presentTransferDetails', name);

/** What a transfer-out makes of its amount. */
export const amountFaults = [
  ...shownWrongly('presentTransferDetails', 'transfer details', {
    amount: [
      'TRANSFER-AMOUNT-LARGE-EXACT',
      ['shown-as-double', (value) => least(BigInt(Number(value)), MAX - 1023n)],
    ],
  }),
  fault(
    'fraction-rounded',
    'TRANSFER-AMOUNT-FRACTION',
    reading(
      (amount) => (amount['type'] = 'number'),
      (value) => (typeof value === 'number' ? Math.round(value) : value),
      ['format'],
    ),
  ),
  fault(
    'amount-as-text-accepted',
    'TRANSFER-AMOUNT-TEXT',
    reading(
      (amount) => {
        amount['type'] = ['integer', 'string'];
        amount['pattern'] = '^[0-9]+$';
      },
      (value) => (typeof value === 'string' ? BigInt(value) : value),
    ),
  ),
  fault(
    'amount-as-boolean-accepted',
    'TRANSFER-AMOUNT-TEXT',
    reading(
      (amount) => (amount['type'] = ['integer', 'boolean']),
      (value) => (typeof value === 'boolean' ? Number(value) : value),
    ),
  ),
  fault(
    'amount-beyond-int64-wrapped',
    'TRANSFER-AMOUNT-BEYOND-INT64',
    reading(
      unbounded,
      (value) => (BigInt(value as number) > MAX ? BigInt.asUintN(63, BigInt(value as number)) || 1n : value),
      ['format'],
    ),
  ),
  fault(
    'amount-beyond-int64-clipped',
    'TRANSFER-AMOUNT-BEYOND-INT64',
    reading(unbounded, (value) => (BigInt(value as number) > MAX ? MAX : value), ['format']),
  ),
  fault(
    'amount-read-as-double',
    'TRANSFER-AMOUNT-LARGE-EXACT',
    reading(undefined, (value) =>
      typeof value === 'bigint' ? least(BigInt(Number(value)), MAX - 1023n) : value,
    ),
  ),
  fault('negative-amount-pulls-money', 'TRANSFER-AMOUNT-NEGATIVE', {
    refuseAmount: (original) => (world, amount) => (amount < 0n ? amount : original(world, amount)),
    moveMoney: (original) => (world, action) => {
      const { amount, currency, sourceAccountId, destinationAccountId } = action.transfer!;
      if (amount >= 0n) return original(world, action);
      const from = outside(destinationAccountId);
      world.ledger.post({ from, to: sourceAccountId, amount: -amount, currency, reason: action.id });
    },
    deliverMoney: (original) => (world, action) => {
      if (action.transfer!.amount >= 0n) original(world, action);
    },
  }),
  fault('negative-amount-loses-its-sign', 'TRANSFER-AMOUNT-NEGATIVE', {
    refuseAmount: (original) => (world, amount) => (amount < 0n ? -amount : original(world, amount)),
  }),
];

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
    transferAmount: (original) => (world, source, value) =>
      original(world, source, value === undefined ? value : read(value)),
  };
}

function unbounded(amount: LooseSchema): void {
  delete amount['maximum'];
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

const OTHER = '00000000-0000-4000-8000-000000000000';

/** AgentTransferDetails, shown wrongly: name, broken rule, what it looks like, how. */
export const transferFieldFaults = [
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
  fault(
    'details-show-another-amount',
    'TRANSFER-DETAILS-AMOUNT-ECHO',
    details('amount').map((amount) => BigInt(amount as number) - 1n),
  ),
  fault('details-show-another-currency', 'TRANSFER-DETAILS-CURRENCY-ECHO', details('currency').set('CHF')),
  fault(
    'details-show-another-source',
    ['TRANSFER-DETAILS-SOURCE-ECHO', 'TRANSFER-IN-DETAILS-DIRECTION'],
    details('sourceAccountId').set(`InternalAccount:${OTHER}`),
  ),
  fault(
    'details-show-another-destination',
    ['TRANSFER-DETAILS-DESTINATION-ECHO', 'TRANSFER-IN-DETAILS-DIRECTION'],
    details('destinationAccountId').set(`ExternalAccount:${OTHER}`),
  ),
];
