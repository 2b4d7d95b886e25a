import { expect, test } from '@playwright/test';
import { eventually } from '../../suite/eventually.ts';

test('the last look is made when the time is up, and not a pause later', async () => {
  const looks: number[] = [];
  const start = performance.now();
  const last = await eventually(
    async () => looks.push(performance.now() - start),
    () => false,
    100,
  );
  expect(last).toBe(looks.length);
  // Pauses of 20, 50 and 100 ms would end at 170.
  expect(looks.at(-1)).toBeGreaterThanOrEqual(99);
  // A timer may fire a moment early, and is then set once more.
  expect(looks.length).toBeGreaterThanOrEqual(4);
  expect(looks.length).toBeLessThan(10);
});
