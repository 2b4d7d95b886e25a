import { expect, test } from '@playwright/test';
import { type Silence, RunFolder } from '../../../suite/run/run-folder.ts';
import { Watch, type WatchOptions, UnansweredInARow } from '../../../suite/watch/watch.ts';
import { scratch } from '../../support/run-assay.ts';
import { fakeTime } from './fake-time.ts';

const START = 1_000_000;

/** A watch over somebody who is well outside of the given times, in milliseconds from the start. */
function watched(
  away: readonly [from: number, to: number][],
  options: Partial<WatchOptions> = {},
  lookMs = 10,
) {
  const time = fakeTime(START);
  const looks: number[] = [];
  const outages: [number, number][] = [];
  const watch = new Watch({
    look: async () => {
      looks.push(time.at - START);
      time.at += lookMs;
      return away.some(([from, to]) => time.at - START >= from && time.at - START < to)
        ? 'it is away'
        : undefined;
    },
    forGood: true,
    onAway: (from, to) => outages.push([from - START, to - START]),
    time,
    ...options,
  });
  return { watch, time, looks, outages };
}

const EVER = Number.POSITIVE_INFINITY;

test('who is well is looked at once, and nobody waits', async () => {
  const { watch, looks, outages } = watched([]);
  expect(await watch.suspect(START)).toBe(true);
  expect(await watch.ready()).toBeUndefined();
  expect([looks, outages]).toEqual([[0], []]);
});

test('who is away for a moment is waited for, and the outage is told', async () => {
  const { watch, time, outages } = watched([[0, 5_000]]);
  expect(await watch.suspect(START - 100)).toBe(false);
  expect(await watch.ready()).toBeUndefined();
  expect(time.at - START).toBeGreaterThanOrEqual(5_000);
  expect(time.at - START).toBeLessThan(6_000);
  expect(outages).toEqual([[-100, time.at - START]]);
});

test('who stays away is given up, with since when and why, and is not looked at again', async () => {
  const { watch, time, looks } = watched([[0, EVER]]);
  expect(await watch.suspect(START)).toBe(false);
  expect(time.at - START).toBeLessThan(16_000);
  const looked = looks.length;
  time.at += 3_600_000;
  expect(await watch.ready()).toMatchObject({ since: START, why: 'it is away' });
  expect(await watch.suspect(time.at)).toBe(false);
  expect(looks).toHaveLength(looked);
});

test('a request that used up all patience leaves some for looking', async () => {
  const { watch, time } = watched([[0, 3_000]]);
  time.at += 1_000;
  // Sent a minute ago, and lost only now.
  expect(await watch.suspect(START - 60_000)).toBe(false);
  expect(await watch.ready()).toBeUndefined();
});

test('all who ask at once share one look and its outcome, and while somebody waits, everybody does', async () => {
  const well = watched([]);
  expect(await Promise.all([1, 2, 3].map(() => well.watch.suspect(START)))).toEqual([true, true, true]);
  expect(well.looks).toHaveLength(1);
  const { watch, time } = watched([[0, 5_000]]);
  const first = watch.suspect(START);
  expect(await watch.ready()).toBeUndefined();
  expect(time.at - START).toBeGreaterThanOrEqual(5_000);
  expect(await first).toBe(false);
});

test('what another worker has found out ends the waiting', async () => {
  const { watch, time } = watched([[0, EVER]], { knownGone: () => 'another found it gone' });
  expect(await watch.suspect(START)).toBe(false);
  expect(time.at).toBe(START);
  expect((await watch.ready())?.why).toBe('another found it gone');
});

test('who may come back is looked at again later, and forgiven', async () => {
  const { watch, time, looks } = watched([[0, 60_000]], { forGood: false });
  await watch.suspect(START);
  const looked = looks.length;
  expect(await watch.ready()).toMatchObject({ why: 'it is away' });
  expect(looks, 'not at once').toHaveLength(looked);
  time.at = START + 59_000;
  expect(await watch.ready()).toBeDefined();
  time.at = START + 65_000;
  expect(await watch.ready()).toBeUndefined();
});

test('one who hangs costs a small part of the time', async () => {
  const { watch, time, looks } = watched([[0, EVER]], { forGood: false }, 3_000);
  await watch.suspect(START);
  const [looked, from] = [looks.length, time.at];
  while (time.at < from + 300_000) {
    await watch.ready();
    time.at += 50;
  }
  expect((looks.length - looked) * 3_000).toBeLessThan(300_000 / 9);
});

test('a new worker learns who was given up, and old ones that somebody has looked again', async () => {
  let kept: Silence | undefined;
  const remembered = { get: () => kept, set: (silence: Silence | undefined) => void (kept = silence) };
  const old = watched([[0, EVER]], { forGood: false, remembered });
  await old.watch.suspect(START);
  const fresh = watched([[0, EVER]], { forGood: false, remembered });
  fresh.time.at = old.time.at;
  expect(await fresh.watch.ready()).toMatchObject({ since: START, why: 'it is away' });
  expect(fresh.looks).toEqual([]);
  fresh.time.at += 5_000;
  expect(await fresh.watch.ready()).toBeDefined();
  expect(fresh.looks).toHaveLength(1);
  old.time.at = fresh.time.at;
  const looked = old.looks.length;
  expect(await old.watch.ready()).toBeDefined();
  expect(old.looks).toHaveLength(looked);
});

/** Two workers of one run. */
function workers() {
  const folder = scratch('run');
  const time = fakeTime();
  const worker = () => new UnansweredInARow(new RunFolder(folder), () => time.at);
  /** One call, which takes a second. */
  const call = (who: UnansweredInARow, kind: string, answered: boolean) => {
    const at = time.at;
    time.at += 1_000;
    who.note(kind, answered, at);
  };
  return { one: worker(), other: worker(), worker, time, call };
}

test('three calls in a row without an answer, and the operation is left alone, by a new worker too', () => {
  const { one, worker, call } = workers();
  for (let i = 0; i < 2; i += 1) call(one, 'transferOut', false);
  expect(one.leftAlone('transferOut')).toBeUndefined();
  call(one, 'transferOut', false);
  const why = 'not sent: the last 3 calls of this operation got no answer';
  expect(one.leftAlone('transferOut')).toBe(why);
  expect(worker().leftAlone('transferOut')).toBe(why);
  expect(one.leftAlone('getMe')).toBeUndefined();
});

test('an answer in between starts anew, and calls that were under way together count once', () => {
  const { one, time, call } = workers();
  for (const answered of [false, false, true, false, false]) call(one, 'getMe', answered);
  expect(one.leftAlone('getMe')).toBeUndefined();
  const at = time.at;
  time.at += 1_000;
  for (let i = 0; i < 10; i += 1) one.note('transferOut', false, at);
  expect(one.leftAlone('transferOut')).toBeUndefined();
});

test('after a minute one call may try again, and one more silence leaves it alone again', () => {
  const { one, time, call } = workers();
  for (let i = 0; i < 3; i += 1) call(one, 'getMe', false);
  time.at += 60_000;
  expect(one.leftAlone('getMe')).toBeUndefined();
  call(one, 'getMe', false);
  expect(one.leftAlone('getMe')).toContain('the last 4 calls');
  time.at += 60_000;
  call(one, 'getMe', true);
  call(one, 'getMe', false);
  expect(one.leftAlone('getMe')).toBeUndefined();
});
