import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type TestInfo } from '@playwright/test';
import type { GiveUp } from '../../suite/need.ts';
import { CLOCK_TAG, Clock, ClockLock, ClockOffsets } from '../../suite/clock.ts';
import { RunFolder } from '../../suite/run/run-folder.ts';
import type { Profile } from '../../target/profile.ts';
import { Ladder } from '../../target/providers/ladder.ts';
import { CannotPrepare, type StateProvider } from '../../target/providers/state-provider.ts';
import { scratch } from '../support/run-assay.ts';

/** Whether something has not happened within so much time that it would have. */
async function waits(promise: Promise<unknown>): Promise<boolean> {
  let isDone = false;
  void promise.then(() => (isDone = true));
  // Whoever waits looks each 25 ms.
  await new Promise((resolve) => setTimeout(resolve, 150));
  return !isDone;
}

test('tests share the lock, and one that wants it alone waits for them', async () => {
  const folder = scratch('run');
  const [one, other] = [new ClockLock(folder), new ClockLock(folder)];
  const leaveFirst = await one.shared('a');
  const leaveSecond = await other.shared('b');
  const exclusive = one.exclusive();
  expect(await waits(exclusive)).toBe(true);
  leaveFirst();
  expect(await waits(exclusive)).toBe(true);
  leaveSecond();
  (await exclusive)();
});

test('while one holds it alone, all others wait', async () => {
  const folder = scratch('run');
  const leave = await new ClockLock(folder).exclusive();
  const [shared, exclusive] = [new ClockLock(folder).shared('a'), new ClockLock(folder).exclusive()];
  expect(await waits(Promise.race([shared, exclusive]))).toBe(true);
  leave();
  // Whoever is first, both get it.
  await Promise.all([shared.then((done) => done()), exclusive.then((done) => done())]);
});

/** The marks of a worker that died with the lock in its hands. */
function deadIn(folder: string): ClockLock {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  mkdirSync(join(folder, 'clock-lock'));
  writeFileSync(join(folder, 'clock-lock', 'shared-dead'), String(pid));
  writeFileSync(join(folder, 'clock-lock', 'exclusive'), String(pid));
  return new ClockLock(folder);
}

test('a worker that died keeps nobody waiting', async () => {
  (await deadIn(scratch('run')).shared('a'))();
  (await deadIn(scratch('run')).exclusive())();
});

test('what else the workers of a run tell each other keeps nobody waiting', async () => {
  const path = scratch('run');
  const folder = new RunFolder(path);
  folder.tellOutage(1, 2);
  folder.tellSilence('getMe', { count: 3, until: 4 });
  folder.tellGone({ at: '2026-01-02T03:04:05Z', why: 'it went' });
  (await new ClockLock(path).exclusive())();
  (await new ClockLock(path).shared('a'))();
});

/** The clock of a target that says this time of its own, in milliseconds ahead of ours, and what it was asked. */
function clockAhead(ms: number | undefined, offsets = new ClockOffsets(), more: Partial<Profile> = {}) {
  const stopped: string[] = [];
  const asked: unknown[] = [];
  let failure: Error | undefined = ms === undefined ? new CannotPrepare('there is no such state') : undefined;
  const fail = (error: Error | undefined) => void (failure = error);
  const provider = {
    setUp: (_state: string, params: unknown) => {
      asked.push(params);
      if (failure) throw failure;
      return Promise.resolve({ now: new Date(Date.now() + (ms ?? 0)).toISOString() });
    },
  } as unknown as StateProvider;
  const profile = { clock: 'customer', ...more } as Profile;
  const giveUp: GiveUp = (kind) => {
    stopped.push(kind);
    throw new Error(kind);
  };
  const testInfo = { tags: [CLOCK_TAG] } as unknown as TestInfo;
  return { clock: new Clock({ provider, profile, offsets, testInfo, giveUp }), asked, fail, stopped };
}

test('a target whose clock is ahead of ours is asked once for all customers that are made anew', async () => {
  const { clock, asked } = clockAhead(90_000);
  const [one, other] = [
    await clock.offset({ customerId: 'Customer:1' }),
    await clock.offset({ customerId: 'Customer:2' }),
  ];
  expect(Math.round(one / 1_000)).toBe(90);
  expect(other).toBe(one);
  expect(asked).toEqual([{ advanceSeconds: 0, customerId: 'Customer:1' }]);
});

test('customers that were there before may each be at a time of their own', async () => {
  const { clock, asked } = clockAhead(90_000);
  const rows = ['Customer:1', 'Customer:2'].map((customerId) => ({ customerId }));
  const file = { name: 'fixtures', setUp: () => Promise.resolve(rows.shift()) } as unknown as StateProvider;
  for (const state of [{}, {}])
    await clock.offset((await new Ladder([file]).setUp('agent', state)) as { customerId: string });
  expect(asked).toHaveLength(2);
});

for (const [what, ms, more, ends] of [
  ['a clock that cannot be moved', undefined, {}, true],
  ['a clock that is served', 0, {}, false],
  ['waiting that is allowed', undefined, { slow: true }, false],
  ['a URL, which may want to be told whose clock', undefined, { preparation: 'provider-states' }, false],
  ['a clock that the profile leaves alone', 0, { clock: 'none' }, true],
] as const)
  test(`${what}: its tests ${ends ? 'end before anything is made' : 'begin'}`, async () => {
    const { clock, stopped } = clockAhead(ms, undefined, { preparation: 'fixtures', ...more });
    await clock.mustBeMovable().catch(() => undefined);
    expect(stopped).toEqual(ends ? ['unprepared'] : []);
  });

test('a second of difference is none, and neither is a time that cannot be asked for', async () => {
  expect(await clockAhead(-900).clock.offset({ customerId: 'Customer:1' })).toBe(0);
  expect(await clockAhead(undefined).clock.offset({ customerId: 'Customer:1' })).toBe(0);
});

test('a look that failed for a moment is taken again, one that cannot be had is not', async () => {
  const { clock, asked, fail } = clockAhead(90_000);
  fail(new Error('the provider-states URL answered 503'));
  expect(await clock.offset({ customerId: 'Customer:1' })).toBe(0);
  fail(undefined);
  expect(Math.round((await clock.offset({ customerId: 'Customer:2' })) / 1_000)).toBe(90);
  expect(asked).toHaveLength(2);
  const without = clockAhead(undefined);
  await without.clock.offset({ customerId: 'Customer:1' });
  await without.clock.offset({ customerId: 'Customer:2' });
  expect(without.asked).toHaveLength(1);
});
