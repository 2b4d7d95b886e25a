import { expect, test } from '@playwright/test';
import { coveredBy } from '../../../proof/matrix/generated.ts';
import type { DefaultWorld } from '../../../proof/reach/default-world.ts';
import { faults } from '../../../sandbox/faults/index.ts';

const worldThatCalled = (...rules: readonly string[]): DefaultWorld => ({
  tests: [],
  outcomes: new Map([
    ['one', { test: 'one', attempts: [], milliseconds: 1, reached: { rules, faults: [] } }],
    ['unwatched', { test: 'unwatched', attempts: [], milliseconds: 1 }],
  ]),
});

test('a fault is covered where a function that it replaces was called, whatever came of it', () => {
  const [fault] = faults;
  const [rule = ''] = Object.keys(fault?.replace ?? {});
  const covered = coveredBy(faults, worldThatCalled(rule));
  expect(covered).toContain(fault);
  expect(covered.every(({ replace }) => rule in replace)).toBe(true);
  expect(covered.length).toBeLessThan(faults.length);
});

test('where nothing was called nothing is covered', () => {
  expect(coveredBy(faults, worldThatCalled())).toEqual([]);
});
