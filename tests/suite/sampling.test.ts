import { expect, test } from '@playwright/test';
import { effortOf } from '../../suite/sampling.ts';
import { depthOf } from '../../target/environment.ts';
import { UsageError } from '../../target/usage-error.ts';

test('a depth that is none is told in one sentence', () => {
  expect(depthOf({})).toBe('standard');
  expect(depthOf({ DEPTH: 'deep' })).toBe('deep');
  expect(() => depthOf({ DEPTH: 'deeper' })).toThrow(UsageError);
  expect(() => depthOf({ DEPTH: 'deeper' })).toThrow(
    'DEPTH is "deeper", which is no depth: set it to quick, standard or deep.',
  );
});

test('quick tries fewer inputs and deep many more', () => {
  const runs = (DEPTH: string) => effortOf(24, undefined, { DEPTH }).runs;
  expect(runs('quick')).toBe(8);
  expect(runs('standard')).toBe(24);
  expect(runs('deep')).toBe(480);
});

test('no depth tries fewer than three inputs, unless fewer were asked for', () => {
  expect(effortOf(4, undefined, { DEPTH: 'quick' }).runs).toBe(3);
  expect(effortOf(2, undefined, { DEPTH: 'quick' }).runs).toBe(2);
});

test('each depth has a budget of time', () => {
  const milliseconds = (DEPTH: string) => effortOf(1, undefined, { DEPTH }).milliseconds;
  expect(milliseconds('quick')).toBeLessThan(milliseconds('standard'));
  expect(milliseconds('standard')).toBeLessThan(milliseconds('deep'));
});
