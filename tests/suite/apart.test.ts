import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Apart } from '../../suite/apart.ts';
import { RunFolder } from '../../suite/watch/run-folder.ts';
import { scratch } from '../support/run-assay.ts';

/** Whether something has not happened within so much time that it would have. */
async function waits(promise: Promise<unknown>): Promise<boolean> {
  let isDone = false;
  void promise.then(() => (isDone = true));
  // Whoever waits looks each 25 ms.
  await new Promise((resolve) => setTimeout(resolve, 150));
  return !isDone;
}

test('tests run beside each other, and one that is alone waits for them', async () => {
  const folder = scratch('run');
  const [one, other] = [new Apart(folder), new Apart(folder)];
  const leaveFirst = await one.beside('a');
  const leaveSecond = await other.beside('b');
  const alone = one.alone();
  expect(await waits(alone)).toBe(true);
  leaveFirst();
  expect(await waits(alone)).toBe(true);
  leaveSecond();
  (await alone)();
});

test('while one runs alone, all others wait', async () => {
  const folder = scratch('run');
  const leave = await new Apart(folder).alone();
  const [beside, alone] = [new Apart(folder).beside('a'), new Apart(folder).alone()];
  expect(await waits(Promise.race([beside, alone]))).toBe(true);
  leave();
  // Whoever is first, both come to their turn.
  await Promise.all([beside.then((done) => done()), alone.then((done) => done())]);
});

/** The marks of a worker that died in the middle of its turn. */
function deadIn(folder: string): Apart {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  mkdirSync(join(folder, 'turns'));
  writeFileSync(join(folder, 'turns', 'beside-dead'), String(pid));
  writeFileSync(join(folder, 'turns', 'exclusive'), String(pid));
  return new Apart(folder);
}

test('a worker that died keeps nobody waiting beside it', async () =>
  (await deadIn(scratch('run')).beside('a'))());

test('a worker that died keeps nobody waiting to be alone', async () =>
  (await deadIn(scratch('run')).alone())());

test('what else the workers of a run tell each other keeps nobody waiting', async () => {
  const path = scratch('run');
  const folder = new RunFolder(path);
  folder.tellOutage(1, 2);
  folder.tellSilence('getMe', { count: 3, until: 4 });
  folder.tellGone({ at: '2026-01-02T03:04:05Z', why: 'it went' });
  (await new Apart(path).alone())();
  (await new Apart(path).beside('a'))();
});
