import { expect, test } from '@playwright/test';
import { canBeAsked, differs, LeavesTraces, outcomeOf } from '../../../proof/reach/watching.ts';
import type { Replacements } from '../../../sandbox/areas/behaviour.ts';
import type { Behave, Fault } from '../../../sandbox/faults/fault.ts';

/** A fault that puts something in place of `needsApproval`, which here says whether a number is above ten. */
function planted(replace: (original: Behave) => Behave): Fault {
  return {
    name: 'planted',
    breaks: 'TRANSFER-APPROVAL-PENDING',
    says: '',
    replace: { needsApproval: replace } as unknown as Replacements,
  };
}
const aboveTen: Behave = (amount) => (amount as number) > 10;
const differsFor = (fault: Fault, amount: number) =>
  differs(
    fault,
    'needsApproval',
    aboveTen,
    [amount],
    outcomeOf(() => aboveTen(amount)),
  );

const throws: Behave = () => {
  throw new Error('no');
};

test('a fault differs where its function gives something else; throwing is an outcome', () => {
  const fault = planted((original) => (amount) => original((amount as number) - 1));
  expect([10, 11, 12].map((amount) => differsFor(fault, amount))).toEqual([false, true, false]);
  const throwing = planted(() => throws);
  expect(differsFor(throwing, 1)).toBe(true);
  const given = outcomeOf(() => throws(1));
  expect(differs(throwing, 'needsApproval', aboveTen, [1], given)).toBe(false);
});

test('the original is not called again for what it was asked', () => {
  let calls = 0;
  const original: Behave = () => (calls += 1);
  const same = planted((rule) => rule);
  expect(differs(same, 'needsApproval', original, [1], { value: 7 })).toBe(false);
  expect(calls).toBe(0);
});

test('a fault that would leave traces counts as one that differs', () => {
  const fault = planted(() => () => {
    throw new LeavesTraces();
  });
  expect(differsFor(fault, 1)).toBe(true);
});

test('a function that keeps or changes something, or takes its time, is not asked beside the original', () => {
  const open = [
    planted(() => {
      const seen = new Set();
      return (amount) => seen.has(amount);
    }),
    planted(() => {
      let last: unknown;
      return (amount) => (last = [last, amount]);
    }),
    planted(() => async () => true),
    planted(() => (record) => delete (record as Record<string, unknown>)['amount']),
    planted(() => () => true),
  ];
  const asked = open.map((fault) => canBeAsked(fault, 'needsApproval'));
  expect(asked).toEqual([false, false, false, false, true]);
});

test('a rule that does something is not asked either', () => {
  const fault = { ...planted(() => () => true), replace: { moveMoney: () => () => undefined } } as Fault;
  expect(canBeAsked(fault, 'moveMoney')).toBe(false);
});
