import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { WorkQueue } from '../../reports/work-queue.ts';

test('nothing is done in the turn in which it is added, and everything in its order', async () => {
  const backlog = new WorkQueue();
  const done: number[] = [];
  for (const each of [1, 2, 3])
    backlog.add(async () => {
      if (each === 1) await turn();
      done.push(each);
    });
  expect(done).toEqual([]);
  await backlog.done();
  expect(done).toEqual([1, 2, 3]);
});

test('between two tasks there is a turn for others', async () => {
  const backlog = new WorkQueue();
  const order: string[] = [];
  backlog.add(() => void setImmediate(() => order.push('somebody else')));
  backlog.add(() => void order.push('second task'));
  await backlog.done();
  expect(order).toEqual(['somebody else', 'second task']);
});

test('what a task throws is told at the end, and the others are done', async () => {
  const backlog = new WorkQueue();
  let isDone = false;
  backlog.add(() => {
    throw new Error('no room on the disk');
  });
  backlog.add(() => void (isDone = true));
  await expect(backlog.done()).rejects.toThrow('no room on the disk');
  expect(isDone).toBe(true);
});

test('it can be added to when it has come to its end', async () => {
  const backlog = new WorkQueue();
  await backlog.done();
  backlog.add(() => {});
  await backlog.done();
  let isDone = false;
  backlog.add(() => void (isDone = true));
  await backlog.done();
  expect(isDone).toBe(true);
});
