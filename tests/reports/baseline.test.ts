import { existsSync, mkdtempSync, writeFileSync, appendFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { doctor } from '../../doctor/doctor.ts';
import { baselineFile, chosenBaseline, keepBaseline, readBaseline } from '../../reports/baseline.ts';
import { compare, sameTarget } from '../../reports/compare.ts';
import { observationsOf } from '../../reports/observed.ts';
import { buildReport } from '../../reports/build-report.ts';
import { HISTORY_FILE, keepHistory, readHistory, sinceOf, type HistoryLine } from '../../reports/history.ts';
import { journal, record, sampleReport, sampleInput } from './sample.ts';
import { scratch } from '../support/run-assay.ts';

const { report } = sampleReport({ defects: 0 });
const rules = (...verdicts: readonly (readonly [string, string])[]) =>
  verdicts.map(([id, verdict]) => ({ id, verdict })) as unknown as typeof report.rules;

test('newly violated, newly fixed, and no longer verified are three things', () => {
  const before = {
    ...report,
    rules: rules(
      ['A-A', 'verified'],
      ['B-B', 'violated'],
      ['C-C', 'violated'],
      ['D-D', 'verified'],
      ['E-E', 'violated'],
    ),
  };
  const now = rules(
    ['A-A', 'violated'],
    ['B-B', 'verified'],
    ['C-C', 'not verified'],
    ['D-D', 'inconclusive'],
    ['E-E', 'violated'],
    ['F-F', 'violated'],
  );
  expect(compare(before, now, [])).toMatchObject({
    newlyViolated: ['A-A', 'F-F'],
    newlyFixed: ['B-B'],
    noLongerVerified: ['D-D'],
  });
});

test('a file that is no report is no baseline', () => {
  const dir = mkdtempSync(join(tmpdir(), 'baseline-'));
  for (const [name, text] of [
    ['a', ''],
    ['b', 'null'],
    ['c', '{"schemaVersion":1,"rules":[],"observations":[]}'],
    ['d', '{"schemaVersion":2}'],
  ] as const) {
    writeFileSync(join(dir, name), text);
    expect(readBaseline(join(dir, name)), text).toBeUndefined();
  }
  expect(readBaseline(join(dir, 'missing'))).toBeUndefined();
  writeFileSync(join(dir, 'e'), JSON.stringify(report));
  expect(readBaseline(join(dir, 'e'))?.verdict).toBe('incomplete');
});

const keeping = (more: Partial<typeof report>) => {
  const dir = mkdtempSync(join(tmpdir(), 'baseline-'));
  const run = { ...report, ...more };
  keepBaseline(dir, run);
  return existsSync(baselineFile(dir, run.target));
};

test('a judged run of the whole suite is kept to compare with, whatever it found', () => {
  expect(keeping({ verdict: 'conforming' })).toBe(true);
  expect(keeping({ verdict: 'violated' })).toBe(true);
  expect(keeping({ verdict: 'incomplete' })).toBe(true);
  expect(keeping({ verdict: 'not judged' })).toBe(false);
  expect(keeping({ run: { ...report.run, partial: true } })).toBe(false);
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

test('a BASELINE that is no report is refused in one sentence; workers do not ask again', () => {
  expect(chosenBaseline({})).toBeUndefined();
  expect(() => chosenBaseline({ BASELINE: 'no/such.json' })).toThrow(
    "BASELINE no/such.json is not a conformance.json of this version: give the path of an earlier run's report, or unset it.",
  );
  expect(chosenBaseline({ BASELINE: 'no/such.json', TEST_WORKER_INDEX: '0' })).toBeUndefined();
});

test('a BASELINE that is no report is told before any test', async () => {
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
