import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { buildReport } from '../../reports/build.ts';
import { HISTORY_FILE, keepHistory, readHistory, sinceOf, type HistoryLine } from '../../reports/history.ts';
import { scratch } from '../support/run-assay.ts';
import { sampleInput } from './sample.ts';

const night = (day: number, defects: number, more: Partial<ReturnType<typeof sampleInput>> = {}) =>
  buildReport({ ...sampleInput({ defects }), startedAt: `2026-11-${day}T02:00:00.000Z`, ...more });
const { target } = night(10, 0);

test('one line a run: verdict, counts, defects, coverage, commit and target', () => {
  const dir = scratch('history');
  keepHistory(dir, night(10, 0));
  keepHistory(dir, night(11, 3, { commit: 'abc' }));
  const lines = readFileSync(join(dir, HISTORY_FILE), 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[1] as string)).toMatchObject({
    version: 1,
    startedAt: '2026-11-11T02:00:00.000Z',
    verdict: 'violated',
    commit: 'abc',
    target: { name: target.name, baseUrl: target.baseUrl, embedded: false },
    must: { violated: 3 },
    defects: [{ count: 3 }, { count: 2 }, { count: 1 }],
  });
  const { coverage } = JSON.parse(lines[0] as string) as HistoryLine;
  expect(coverage).toBeGreaterThan(0.3);
  expect(coverage).toBeLessThan(1);
});

test('parts, runs that were not judged or had not ended, and the same run twice leave it alone', () => {
  const dir = scratch('history');
  keepHistory(dir, night(10, 1, { partial: true }));
  keepHistory(dir, night(10, 0, { errors: ['oops'] }));
  keepHistory(dir, night(10, 1, { unfinished: { ran: 3, of: 9 }, ended: 'It goes on.' }));
  // A merge of parts that lacks one of them.
  keepHistory(dir, night(10, 1, { coverageOf: () => 'check' }));
  expect(readHistory(dir, target)).toEqual([]);
  keepHistory(dir, night(10, 1));
  keepHistory(dir, night(10, 1));
  expect(readHistory(dir, target)).toHaveLength(1);
});

test('another target has another history, and a torn line loses only itself', () => {
  const dir = scratch('history');
  const { assay } = sampleInput({ defects: 0 });
  keepHistory(dir, night(10, 0));
  keepHistory(dir, night(11, 0, { assay: { ...assay, target: { ...assay.target, name: 'Other' } } }));
  appendFileSync(join(dir, HISTORY_FILE), '{"version":1,"startedAt":"2026-');
  keepHistory(dir, night(12, 0));
  expect(readHistory(dir, target).map(({ startedAt }) => startedAt.slice(8, 10))).toEqual(['10', '12']);
});

test('a defect tells since when it is seen, and in how many runs', () => {
  const lines = [
    [10, false],
    [11, true],
    [12, false],
    [13, true],
  ].map(([day, sees]) => ({
    startedAt: `2026-11-${day}T02:00:00.000Z`,
    defects: sees ? [{ id: 'A' }] : [],
  })) as unknown as HistoryLine[];
  const now = '2026-11-14T02:00:00.000Z';
  expect(sinceOf('A', lines, now)).toEqual({
    first: '2026-11-11T02:00:00.000Z',
    rowFrom: '2026-11-13T02:00:00.000Z',
    seenIn: 3,
    of: 4,
  });
  expect(sinceOf('B', lines, now)).toEqual({ first: now, rowFrom: now, seenIn: 1, of: 1 });
});

test('defects are new, still there, or mended; what nobody judged is not mended', () => {
  const before = night(10, 3);
  const after = night(11, 2, { baseline: before });
  expect(after.comparison?.defects).toMatchObject({
    new: [],
    still: [expect.any(String), expect.any(String)],
    mended: [{ rule: expect.any(String) }],
  });
  const { tests } = sampleInput({ defects: 2 });
  const gone = before.defects.find(({ id }) => !after.defects.some((each) => each.id === id));
  const unjudged = night(11, 2, {
    baseline: before,
    tests: tests.filter((test) => !test.rules.includes(gone?.rule ?? '')),
  });
  expect(unjudged.comparison?.defects?.mended).toEqual([]);
  expect(night(12, 3, { baseline: night(11, 1) }).comparison?.defects?.new).toHaveLength(2);
});
