import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { WorkQueue } from '../../reports/work-queue.ts';

test('nothing is done in the turn in which it is added, and everything in its order, with turns for others', async () => {
  const queue = new WorkQueue();
  const done: string[] = [];
  queue.add(async () => {
    await turn();
    done.push('first');
    setImmediate(() => done.push('somebody else'));
  });
  queue.add(() => void done.push('second'));
  expect(done).toEqual([]);
  await queue.done();
  expect(done).toEqual(['first', 'somebody else', 'second']);
  // It has come to its end, and can be added to.
  queue.add(() => void done.push('third'));
  await queue.done();
  expect(done.at(-1)).toBe('third');
});

test('what a task throws is told at the end, and the others are done', async () => {
  const queue = new WorkQueue();
  let isDone = false;
  queue.add(() => {
    throw new Error('no room on the disk');
  });
  queue.add(() => void (isDone = true));
  await expect(queue.done()).rejects.toThrow('no room on the disk');
  expect(isDone).toBe(true);
});
