import { expect, test } from '@playwright/test';
import { roundsOf } from '../../suite/measure.ts';

const sent = (atMs: number, milliseconds: number) => ({ at: new Date(atMs).toISOString(), milliseconds });

test('what is sent at the same time is one round, and what follows is another', () => {
  expect(roundsOf([])).toBe(0);
  expect(roundsOf([sent(0, 10), sent(10, 10), sent(25, 5)])).toBe(3);
  expect(roundsOf([sent(0, 10), sent(1, 10), sent(2, 10), sent(30, 10)])).toBe(2);
  // One that takes long beside a row of others adds nothing to the row.
  expect(roundsOf([sent(0, 100), sent(0, 10), sent(20, 10), sent(40, 10)])).toBe(3);
});
