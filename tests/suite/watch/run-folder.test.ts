import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { RunFolder } from '../../../suite/watch/run-folder.ts';
import { scratch } from '../../support/run-assay.ts';

const gone = (why: string) => ({ at: '2026-01-02T03:04:05.000Z', why });

test('the first to tell that the target has gone is believed by all', () => {
  const path = scratch('run');
  const [one, other] = [new RunFolder(path), new RunFolder(path)];
  expect(other.gone()).toBeUndefined();
  expect(one.tellGone(gone('first'))).toEqual(gone('first'));
  expect(other.tellGone(gone('second'))).toEqual(gone('first'));
  expect(new RunFolder(path).gone()).toEqual(gone('first'));
});

test('outages of one worker are known to the others', () => {
  const path = scratch('run');
  new RunFolder(path).tellOutage(1_000, 2_000);
  new RunFolder(path).tellOutage(5_000, 6_000);
  const other = new RunFolder(path);
  for (const [from, to, had] of [
    [0, 999, false],
    [0, 1_000, true],
    [1_500, 1_600, true],
    [2_001, 4_999, false],
    [2_000, 3_000, true],
    [5_500, 9_000, true],
  ] as const)
    expect(other.hadOutage(from, to), `${from} to ${to}`).toBe(had);
});

test('a line that another worker is writing is left out', () => {
  const path = scratch('run');
  new RunFolder(path).tellOutage(1_000, 2_000);
  writeFileSync(join(path, 'outages.ndjson'), '{"from":1000,"to":2000}\n{"from":30');
  writeFileSync(join(path, 'gone.json'), '{"at":');
  const other = new RunFolder(path);
  expect(other.hadOutage(0, 10_000)).toBe(true);
  expect(other.gone()).toBeUndefined();
});

test('a silence is shared, and forgotten', () => {
  const path = scratch('run');
  const [one, other] = [new RunFolder(path), new RunFolder(path)];
  one.tellSilence('GET /x/../../y?z', { count: 3, until: 9 });
  expect(other.silence('GET /x/../../y?z')).toEqual({ count: 3, until: 9 });
  expect(other.silence('GET /other')).toBeUndefined();
  other.tellSilence('GET /x/../../y?z', undefined);
  expect(one.silence('GET /x/../../y?z')).toBeUndefined();
});

test('without a folder a worker knows what it has seen itself', () => {
  const alone = new RunFolder(undefined);
  expect(alone.tellGone(gone('mine'))).toEqual(gone('mine'));
  expect(alone.gone()).toEqual(gone('mine'));
  alone.tellOutage(1, 2);
  expect(alone.hadOutage(0, 3)).toBe(true);
  alone.tellSilence('getMe', { count: 1, until: 2 });
  expect(alone.silence('getMe')).toEqual({ count: 1, until: 2 });
  alone.tellSilence('getMe', undefined);
  expect(alone.silence('getMe')).toBeUndefined();
});
