import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ClockLock } from '../../suite/clock.ts';
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
