import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { WalletClock } from '../../suite/api/wallet/clock.ts';
import { type Clock, ClockLock } from '../../suite/clock.ts';
import type { Need } from '../../suite/need.ts';
import { scratch } from '../support/run-assay.ts';
import { answered } from './answered.ts';

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

const HOUR_MS = 3_600_000;

for (const aheadMs of [HOUR_MS, -HOUR_MS]) {
  test(`a target's clock is reckoned with, ${aheadMs > 0 ? 'ahead of' : 'behind'} ours`, async () => {
    const clock = { advance: async (seconds: number) => seconds * 1_000 } as Clock;
    const need = { that: (value: unknown) => expect(value).toBeTruthy() } as unknown as Need;
    const wallet = new WalletClock({ clock, need }, 'Customer:1');
    const text = JSON.stringify({ expiresAt: new Date(Date.now() + 2 * HOUR_MS) });
    const answer = answered(200, { text, headers: { date: new Date(Date.now() + aheadMs).toUTCString() } });
    const near = (ms: number, expected: number) => expect(Math.abs(ms - expected)).toBeLessThan(5_000);
    const from = (at: Date) => at.getTime() - Date.now();

    near(from(wallet.earliestNow(answer)), Math.min(0, aheadMs));
    near(from(wallet.latestNow(answer)), Math.max(0, aheadMs));
    near(wallet.secondsLeft(answer) * 1_000, 2 * HOUR_MS - aheadMs);

    await wallet.letPass(60);
    near(from(wallet.latestNow(answer)), 60_000);
    near(wallet.secondsLeft(answer) * 1_000, 2 * HOUR_MS - 60_000);
  });
}
