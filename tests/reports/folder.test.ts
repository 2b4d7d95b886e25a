import { mkdirSync, readFileSync, readdirSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { claimFolder, MARKER, refuseForeignFiles } from '../../reports/folder/folder.ts';
import { clearReports, writeFiles } from '../../reports/write/write-files.ts';
import { UsageError } from '../../target/usage-error.ts';
import type { ConformanceReport } from '../../reports/verdicts/model.ts';
import { HISTORY_FILE, keepHistory, readHistory } from '../../reports/folder/history.ts';
import { NIGHTLY, PLAYWRIGHT, childEnvironment, reportIn, root, scratch } from '../support/run-assay.ts';
import { doctor } from '../../doctor/doctor.ts';
import { baselineFile, chosenBaseline, keepBaseline, readBaseline } from '../../reports/folder/baseline.ts';
import { buildReport } from '../../reports/verdicts/build-report.ts';
import { sampleReport, sampleInput } from './sample.ts';

const file = (folder: string, name: string, text = 'mine') => writeFileSync(join(folder, name), text);

test('an empty folder, one that is not there yet, and one that Assay made are taken', () => {
  const folder = scratch('folder');
  refuseForeignFiles(join(folder, 'not-there'));
  refuseForeignFiles(folder);
  file(folder, 'history.ndjson', '');
  mkdirSync(join(folder, 'baselines'));
  refuseForeignFiles(folder);
  claimFolder(folder);
  file(folder, 'notes.txt');
  refuseForeignFiles(folder);
  // A version that marked nothing left a report.
  const old = scratch('folder');
  file(old, 'conformance.json', JSON.stringify({ schemaVersion: 2, run: { assay: '0.1.0' } }));
  file(old, 'index.html');
  refuseForeignFiles(old);
});

for (const [what, names] of [
  ['a page', ['index.html']],
  ['a file of another name', ['notes.txt']],
  ['a conformance.json of something else', ['conformance.json']],
  ['results of another Allure', ['allure-results']],
  ['many files', ['a', 'b', 'c', 'd', 'e']],
] as const)
  test(`${what} of somebody else is left alone, and the folder refused by name`, () => {
    const folder = scratch('folder');
    for (const name of names) file(folder, name);
    expect(() => refuseForeignFiles(folder)).toThrow(UsageError);
    expect(() => refuseForeignFiles(folder)).toThrow(
      names.length > 3 ? /\(a, b, c and 2 more\): choose an empty or a new folder\.$/ : names[0],
    );
    expect(readdirSync(folder)).toEqual([...names]);
  });

test('in a folder of its own Assay removes its own files and nothing else', () => {
  const folder = scratch('folder');
  writeFiles(folder, { 'index.html': 'x', 'reproduce/A.mjs': 'x', 'exchanges.ndjson': ['a\n', 'b\n'] });
  expect(readFileSync(join(folder, 'exchanges.ndjson'), 'utf8')).toBe('a\nb\n');
  file(folder, 'notes.txt');
  file(folder, 'history.ndjson');
  file(join(folder, 'reproduce'), 'notes.txt');
  clearReports(folder);
  expect(readdirSync(folder).sort()).toEqual([MARKER, 'history.ndjson', 'notes.txt', 'reproduce']);
  expect(readdirSync(join(folder, 'reproduce'))).toEqual(['notes.txt']);
});

test(
  'a run that is killed leaves the report of what has run, and says which part that is',
  NIGHTLY,
  async () => {
    test.setTimeout(120_000);
    const folder = scratch('killed');
    const args = ['test', '--output', join(folder, 'results'), 'specs/agents', 'specs/errors'];
    const child = spawn(process.execPath, [PLAYWRIGHT, ...args], {
      cwd: root,
      env: childEnvironment({
        REPORT_DIR: folder,
        WORKERS: '1',
        // However fast the machine is, the run goes on when the report is written for the second time.
        PACE: '20',
        ASSAY_WORLD: 'fault.approval-threshold-ignored',
      }),
      stdio: 'ignore',
      // A group of its own, so that workers and sandbox die with it at one stroke.
      detached: true,
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    await expect
      .poll(() => reportIn(folder)?.run.unfinished?.ran ?? 0, { timeout: 90_000 })
      .toBeGreaterThan(2);
    process.kill(-(child.pid as number), 'SIGKILL');
    await ended;

    const left = reportIn(folder) as ConformanceReport;
    const { unfinished, parts } = left.run;
    expect(unfinished?.of).toBeGreaterThan(unfinished?.ran ?? Number.POSITIVE_INFINITY);
    expect(parts?.['agents']?.ran).toBe(unfinished?.ran);
    expect(parts?.['errors']).toMatchObject({ ran: 0 });
    expect(['violated', 'not judged']).toContain(left.verdict);
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    expect(page).toContain('This run is not at its end:');
    expect(page).toContain('Not at all: errors.');
    // The exchanges are there to the last test that ended, and no night counts half a run.
    const lines = readFileSync(join(folder, 'exchanges.ndjson'), 'utf8').trimEnd().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(left.run.exchanges);
    expect(existsSync(join(folder, HISTORY_FILE))).toBe(false);
    expect(existsSync(join(folder, 'baselines'))).toBe(false);
  },
);

const { report } = sampleReport({ defects: 0 });
const night = (day: number, defects: number, more: Partial<ReturnType<typeof sampleInput>> = {}) =>
  buildReport({ ...sampleInput({ defects }), startedAt: `2026-11-${day}T02:00:00.000Z`, ...more });
const { target } = night(10, 0);

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
