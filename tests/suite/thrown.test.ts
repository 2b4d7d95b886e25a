import { expect, test } from '@playwright/test';
import { Unanswered } from '../../suite/answer.ts';
import { expect as matchers } from '../../suite/matchers.ts';
import { Reads } from '../../suite/reads.ts';
import { incomparable, obstacleIn } from '../../suite/thrown.ts';

function thrownBy(assertion: () => void): unknown {
  try {
    assertion();
  } catch (error) {
    return error;
  }
  throw new Error('it passed');
}

test('a value of another kind than is compared accuses nobody, and is no mistake of the suite', () => {
  const error = thrownBy(() => matchers('12' as unknown as number).toBeLessThan(20));
  expect(incomparable(error)).toContain('received value must be a number');
  expect(obstacleIn(error, new Reads())).toBeInstanceOf(Unanswered);
});

test('a failed assertion is no obstacle, and any other error is one', () => {
  expect(
    obstacleIn(
      thrownBy(() => matchers(12).toBe(13)),
      new Reads(),
    ),
  ).toBeUndefined();
  const mistake = new TypeError('no such thing');
  expect(incomparable(mistake)).toBeUndefined();
  expect(obstacleIn(mistake, new Reads())).toBe(mistake);
});
