import { mkdirSync, readFileSync, readdirSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { claimFolder, MARKER, refuseForeignFiles, checkReportFolder } from '../../reports/folder/folder.ts';
import { clearReports, writeFiles } from '../../reports/write/write-files.ts';
import { UsageError } from '../../target/usage-error.ts';
import type { ConformanceReport } from '../../reports/verdicts/model.ts';
import { HISTORY_FILE } from '../../reports/folder/history.ts';
import { PLAYWRIGHT, childEnvironment, reportIn, root, runAssay, scratch } from '../support/run-assay.ts';

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

test('a run that is pointed at a folder of somebody else ends with one sentence, and touches nothing', async () => {
  test.setTimeout(60_000);
  const folder = scratch('folder');
  file(folder, 'index.html');
  file(folder, 'junit.xml');
  const { code, output } = await runAssay({ REPORT_DIR: folder }, ['specs/agents/approval.spec.ts']);
  expect(code, output).toBe(2);
  expect(output).toMatch(/REPORT_DIR .* holds files that Assay did not make \(index\.html, junit\.xml\)/);
  expect(readdirSync(folder).sort()).toEqual(['index.html', 'junit.xml']);
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe('mine');
});

test('a folder, there or not yet there, is left as it was', () => {
  const parent = scratch('folder');
  checkReportFolder(join(parent, 'a/b/c'));
  expect(readdirSync(parent)).toEqual([]);
  file(parent, 'file');
  checkReportFolder(parent);
  expect(readdirSync(parent)).toEqual(['file']);
});

test('a file, a path through a file, and a file system without folders are refused', () => {
  const taken = join(scratch('folder'), 'file');
  writeFileSync(taken, 'x');
  for (const [folder, why] of [
    [taken, 'it is a file'],
    [join(taken, 'below'), 'a part of its path is a file'],
    ...(existsSync('/proc/self') ? [['/proc/assay/reports', 'that file system takes no folders']] : []),
  ] as const)
    expect(() => checkReportFolder(folder)).toThrow(
      new UsageError(`REPORT_DIR ${folder} cannot be used: ${why}. Choose a folder that can be written.`),
    );
});

test('a run that is killed leaves the report of what has run, and says which part that is', async () => {
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
  await expect.poll(() => reportIn(folder)?.run.unfinished?.ran ?? 0, { timeout: 90_000 }).toBeGreaterThan(2);
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
});
