import type { Json } from '../../core/json.ts';
import type { Replacements } from '../../core/replacement.ts';
import type { Fault } from '../fault.ts';
import { field } from '../fields.ts';
import { transferSchema, type LooseSchema } from '../../core/loosened.ts';

const MAX = 2n ** 63n - 1n;

/** What a transfer-out makes of its amount. */
export const amountFaults: readonly Fault[] = [
  {
    name: 'fraction-rounded',
    breaks: 'TRANSFER-AMOUNT-FRACTION',
    says: 'A fraction of the smallest unit is rounded and accepted.',
    replace: reading(
      (amount) => (amount['type'] = 'number'),
      (value) => (typeof value === 'number' ? Math.round(value) : value),
      ['format'],
    ),
  },
  {
    name: 'amount-as-text-accepted',
    breaks: 'TRANSFER-AMOUNT-TEXT',
    says: 'An amount in quotes is read as a number.',
    replace: reading(
      (amount) => {
        amount['type'] = ['integer', 'string'];
        amount['pattern'] = '^[0-9]+$';
      },
      (value) => (typeof value === 'string' ? BigInt(value) : value),
    ),
  },
  {
    name: 'amount-as-boolean-accepted',
    breaks: 'TRANSFER-AMOUNT-TEXT',
    says: 'The amount true is read as 1.',
    replace: reading(
      (amount) => (amount['type'] = ['integer', 'boolean']),
      (value) => (typeof value === 'boolean' ? Number(value) : value),
    ),
  },
  {
    name: 'amount-beyond-int64-wrapped',
    breaks: 'TRANSFER-AMOUNT-BEYOND-INT64',
    says: 'Of an amount beyond int64 the low 63 bits are taken.',
    replace: reading(
      unbounded,
      (value) => (BigInt(value as number) > MAX ? BigInt.asUintN(63, BigInt(value as number)) || 1n : value),
      ['format'],
    ),
  },
  {
    name: 'amount-beyond-int64-clipped',
    breaks: 'TRANSFER-AMOUNT-BEYOND-INT64',
    says: 'An amount beyond int64 becomes the largest one.',
    replace: reading(unbounded, (value) => (BigInt(value as number) > MAX ? MAX : value), ['format']),
  },
  {
    name: 'amount-read-as-double',
    breaks: 'TRANSFER-AMOUNT-LARGE-EXACT',
    says: 'An amount above 2^53 loses its last digits when it is read.',
    replace: reading(undefined, (value) =>
      typeof value === 'bigint' ? least(BigInt(Number(value)), MAX - 1023n) : value,
    ),
  },
  {
    name: 'amount-shown-as-double',
    breaks: 'TRANSFER-AMOUNT-LARGE-EXACT',
    says: 'An amount above 2^53 loses its last digits when it is shown.',
    replace: field('presentTransferDetails', 'amount').map((value) =>
      least(BigInt(Number(value)), MAX - 1023n),
    ),
  },
  {
    name: 'negative-amount-pulls-money',
    breaks: 'TRANSFER-AMOUNT-NEGATIVE',
    says: 'A negative amount is transferred from the destination to the source.',
    replace: {
      refuseAmount: (original) => (world, amount) => (amount < 0n ? amount : original(world, amount)),
    },
  },
  {
    name: 'negative-amount-loses-its-sign',
    breaks: 'TRANSFER-AMOUNT-NEGATIVE',
    says: 'A negative amount is transferred as if it were positive.',
    replace: {
      refuseAmount: (original) => (world, amount) => (amount < 0n ? -amount : original(world, amount)),
    },
  },
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
