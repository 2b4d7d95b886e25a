import { expect, test } from '@playwright/test';
import { LateReads } from '../../suite/late-reads.ts';
import { readDialect } from '../../target/dialect/read-dialect.ts';

const ofANewTarget = () => LateReads.of(readDialect({}));

/** Shows what was written only with the third look. */
function lagging(): () => Promise<boolean> {
  let looks = 0;
  return () => Promise.resolve((looks += 1) > 2);
}

test('a look that must show nothing new waits twice as long as what was due took to show', async () => {
  const reads = ofANewTarget();
  const { seen, isLate } = await reads.untilShown('a list', lagging(), Boolean, 1_000);
  expect([seen, isLate]).toEqual([true, true]);

  const start = performance.now();
  await reads.settle('a list');
  expect(performance.now() - start).toBeGreaterThanOrEqual(2 * reads.latestMs('a list') - 2);
  expect(reads.isKnown('another list')).toBe(false);
});

test('what shows at once, and what never shows, makes nobody wait', async () => {
  const reads = ofANewTarget();
  await reads.untilShown('what is there', () => Promise.resolve(true), Boolean, 1_000);
  const { seen, isLate } = await reads.untilShown('what is not', () => Promise.resolve(false), Boolean, 50);
  expect([seen, isLate]).toEqual([false, false]);
  expect([reads.latestMs('what is there'), reads.latestMs('what is not')]).toEqual([0, 0]);
  expect(ofANewTarget().isKnown('what is there')).toBe(false);
});
