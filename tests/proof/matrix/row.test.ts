import { expect, test } from '@playwright/test';
import { isGood, rowOf } from '../../../proof/matrix/row.ts';
import type { WorldVerdict } from '../../../proof/judge.ts';
import type { RuleReport, Verdict } from '../../../reports/model.ts';
import type { Fault } from '../../../sandbox/faults/fault.ts';

const fault: Fault = { name: 'f', breaks: 'A-RULE', also: ['B-RULE'], says: '', replace: {} };
const verified = new Set(['A-RULE', 'B-RULE', 'C-RULE']);

function saying(verdicts: Readonly<Record<string, Verdict>>, crashed: readonly string[] = []): WorldVerdict {
  const rules = Object.entries(verdicts).map(
    ([id, verdict]) => ({ id, verdict, reason: 'so' }) as RuleReport,
  );
  return { rules, crashed };
}

test('caught by its own rule and nobody else is good', () => {
  const row = rowOf(
    fault,
    saying({ 'A-RULE': 'violated', 'B-RULE': 'violated', 'C-RULE': 'verified' }),
    verified,
    { run: 3, reaching: 3 },
  );
  expect(row).toEqual({
    fault: 'f',
    breaks: 'A-RULE',
    fate: 'caught',
    also: ['B-RULE'],
    tests: 3,
    reaching: 3,
  });
  expect(isGood(row)).toBe(true);
});

for (const [what, verdicts, tests, fate] of [
  ['missed', { 'A-RULE': 'verified' }, 3, 'missed'],
  ['in doubt', { 'A-RULE': 'inconclusive' }, 3, 'in doubt'],
  ['without a test', { 'A-RULE': 'verified' }, 0, 'never reached'],
] as const)
  test(`a fault that is ${what} is red`, () => {
    const row = rowOf(fault, saying(verdicts), verified, { run: tests, reaching: 3 });
    expect(row.fate).toBe(fate);
    expect(isGood(row)).toBe(false);
  });

test('a wrong accusation is red, though the fault is caught', () => {
  const row = rowOf(fault, saying({ 'A-RULE': 'violated', 'C-RULE': 'violated' }), verified, {
    run: 3,
    reaching: 3,
  });
  expect(row.wrongly).toEqual(['C-RULE']);
  expect(isGood(row)).toBe(false);
});

test('a mistake of the suite is red', () => {
  expect(
    isGood(rowOf(fault, saying({ 'A-RULE': 'violated' }, ['a test: no']), verified, { run: 3, reaching: 3 })),
  ).toBe(false);
});
