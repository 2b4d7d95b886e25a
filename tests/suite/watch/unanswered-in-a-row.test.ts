import { expect, test } from '@playwright/test';
import { RunFolder } from '../../../suite/watch/run-folder.ts';
import { UnansweredInARow } from '../../../suite/watch/unanswered-in-a-row.ts';
import { scratch } from '../../support/run-assay.ts';
import { fakeTime } from './fake-time.ts';

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

test('an answer in between starts anew', () => {
  const { one, call } = workers();
  for (const answered of [false, false, true, false, false]) call(one, 'getMe', answered);
  expect(one.leftAlone('getMe')).toBeUndefined();
});

test('calls that were under way together count once', () => {
  const { one, time } = workers();
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
