import { expect, test } from '@playwright/test';
import { Alarms, Clock } from '../../../sandbox/world/clock.ts';

function world() {
  const clock = new Clock(() => 1_000_000);
  return { clock, alarms: new Alarms(clock) };
}

test('alarms ring when the clock has passed them, in the order of their times', () => {
  const { clock, alarms } = world();
  const rung: string[] = [];
  alarms.set(1_020_000, () => rung.push('second'));
  alarms.set(1_010_000, () => {
    rung.push('first');
    alarms.set(1_015_000, () => rung.push('set by the first'));
  });
  clock.advance(9);
  expect(rung).toEqual([]);
  clock.advance(11);
  expect(rung).toEqual(['first', 'set by the first', 'second']);
});

test('nothing rings after the end', () => {
  const { clock, alarms } = world();
  let count = 0;
  alarms.set(1_001_000, () => count++);
  alarms.stop();
  alarms.set(1_001_000, () => count++);
  clock.advance(60);
  expect(count).toBe(0);
});
