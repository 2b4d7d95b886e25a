import { existsSync, writeFileSync, appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { doctor } from '../../doctor/doctor.ts';
import { baselineFile, chosenBaseline, keepBaseline, readBaseline } from '../../reports/folder/baseline.ts';
import { compare, sameTarget } from '../../reports/verdicts/compare.ts';
import { observationsOf } from '../../reports/verdicts/observed.ts';
import { buildReport } from '../../reports/verdicts/build-report.ts';
import {
  HISTORY_FILE,
  keepHistory,
  readHistory,
  sinceOf,
  type HistoryLine,
} from '../../reports/folder/history.ts';
import { journal, record, sampleReport, sampleInput } from './sample.ts';
import { scratch } from '../support/run-assay.ts';

const { report } = sampleReport({ defects: 0 });
const rules = (verdicts: Readonly<Record<string, string>>) =>
  Object.entries(verdicts).map(([id, verdict]) => ({ id, verdict })) as unknown as typeof report.rules;

const night = (day: number, defects: number, more: Partial<ReturnType<typeof sampleInput>> = {}) =>
  buildReport({ ...sampleInput({ defects }), startedAt: `2026-11-${day}T02:00:00.000Z`, ...more });
const { target } = night(10, 0);

test('newly violated, newly fixed, and no longer verified are three things', () => {
  const before = rules({ A: 'verified', B: 'violated', C: 'violated', D: 'verified', E: 'violated' });
  const now = rules({
    ...{ A: 'violated', B: 'verified', C: 'not verified', D: 'inconclusive', E: 'violated', F: 'violated' },
  });
  expect(compare({ ...report, rules: before }, now, [])).toMatchObject({
    newlyViolated: ['A', 'F'],
    newlyFixed: ['B'],
    noLongerVerified: ['D'],
  });
});

test('a file that is no report is no baseline', () => {
  const file = join(scratch('baseline'), 'file');
  expect(readBaseline(file)).toBeUndefined();
  const texts = ['', 'null', '{"schemaVersion":1,"rules":[],"observations":[]}', '{"schemaVersion":2}'];
  for (const text of texts) {
    writeFileSync(file, text);
    expect(readBaseline(file), text).toBeUndefined();
  }
  writeFileSync(file, JSON.stringify(report));
  expect(readBaseline(file)?.verdict).toBe('incomplete');
});

test('every target has a baseline of its own; an embedded one keeps it on another port', () => {
  const file = (more: Partial<typeof report.target>) => baselineFile('out', { ...report.target, ...more });
  const own = file({});
  expect(own).toMatch(/^out\/baselines\/[a-z0-9-]+\.json$/);
  expect(file({ name: 'Example payments sandbox' })).not.toBe(own);
  expect(file({ baseUrl: 'https://other.example.test/2025-10-13' })).not.toBe(own);
  expect(file({ embedded: true, baseUrl: 'a' })).toBe(file({ embedded: true, baseUrl: 'b' }));
  expect(file({ name: '../../etc/x' })).toMatch(/^out\/baselines\/[a-z0-9-]+\.json$/);
});

test('a BASELINE that is no report is refused in one sentence, before any test; workers do not ask again', async () => {
  expect(chosenBaseline({})).toBeUndefined();
  expect(() => chosenBaseline({ BASELINE: 'no/such.json' })).toThrow(
    "BASELINE no/such.json is not a conformance.json of this version: give the path of an earlier run's report, or unset it.",
  );
  expect(chosenBaseline({ BASELINE: 'no/such.json', TEST_WORKER_INDEX: '0' })).toBeUndefined();
  const refused = doctor({ BASELINE: 'no/such.json' }, () => undefined, { namesRules: false });
  await expect(refused).rejects.toThrow(/^BASELINE no\/such\.json is not a/);
});

test('an embedded target is the same on another port, a service is not', () => {
  const target = report.target;
  const elsewhere = { ...target, baseUrl: 'http://127.0.0.1:2' };
  expect(sameTarget(target, elsewhere)).toBe(false);
  expect(sameTarget({ ...target, embedded: true }, { ...elsewhere, embedded: true })).toBe(true);
});

test('observations: distinct answers are counted, unasked questions stay, the last answers stand beside', () => {
  const answer = (value: unknown) =>
    record({ journal: journal({ observations: [{ question: 'q-one', answer: value, exchanges: ['1'] }] }) });
  const questions = ['q-one', 'q-two'].map((id) => ({
    id,
    section: 'S',
    question: `${id}?`,
    area: 'general',
  }));
  const first = observationsOf([answer({ a: 1, b: 2 }), answer({ b: 2, a: 1 }), answer('x')], questions);
  expect(first[0]?.answers.map(({ answer: value, count }) => [value, count])).toEqual([
    [{ a: 1, b: 2 }, 2],
    ['x', 1],
  ]);
  expect(first[1]?.answers).toEqual([]);
  const second = observationsOf([answer('y')], questions, { observations: first });
  expect(second[0]?.before).toEqual([{ a: 1, b: 2 }, 'x']);
  expect(compare({ ...report, observations: first }, [], second).changedObservations).toEqual(['q-one']);
});

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
    // By weight, and then by how often they were seen.
    defects: [{ count: 3 }, { count: 1 }, { count: 2 }],
  });
  const { coverage } = JSON.parse(lines[0] as string) as HistoryLine;
  expect(coverage).toBeGreaterThan(0.3);
  expect(coverage).toBeLessThan(1);
});

const accepted = new Map(report.rules.map(({ id }) => [id, 'so']));
for (const [what, run, isKept] of [
  ['a conforming run', night(10, 0, { accepted }), true],
  ['a violated run', night(10, 1), true],
  ['an incomplete run', night(10, 0), true],
  ['a run that was not judged', night(10, 0, { errors: ['oops'] }), false],
  ['a part', night(10, 1, { partial: true }), false],
  ['a run that had not ended', night(10, 1, { unfinished: { ran: 3, of: 9 }, ended: 'It goes on.' }), false],
  ['a merge that lacks a part', night(10, 1, { coverageOf: () => 'check' }), false],
] as const)
  test(`${what} is ${isKept ? 'kept to compare with, and is history, once' : 'neither kept nor history'}`, () => {
    const dir = scratch('history');
    keepBaseline(dir, run);
    for (let time = 0; time < 2; time += 1) keepHistory(dir, run);
    expect(existsSync(baselineFile(dir, target))).toBe(isKept);
    expect(readHistory(dir, target)).toHaveLength(isKept ? 1 : 0);
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
  const lines = [10, 11, 12, 13].map((day) => ({
    startedAt: `2026-11-${day}T02:00:00.000Z`,
    defects: day % 2 === 1 ? [{ id: 'A' }] : [],
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
