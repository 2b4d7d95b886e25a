import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { claimFolder } from '../../reports/folder/folder.ts';
import { finding } from './sample.ts';
import { bad, childProject, good, runChild, slow, type ChildTest } from './child-run.ts';

test.describe.configure({ timeout: 180_000 });

test('known violations end with 0, though Playwright saw their tests fail', async () => {
  const known: ChildTest = {
    ...bad,
    journal: { findings: [finding({ rule: 'THING-B', known: 'ticket 7' })] },
  };
  const { code, output, report } = await runChild(childProject({ 'a.spec.ts': [good, known] }));
  expect(code, output).toBe(0);
  expect(report.totals.MUST).toMatchObject({ verified: 1, known: 1, violated: 0 });
});

const ENDED = 'Not part of this run: the run ended before its test could run.';

test('an interrupted run still writes its reports, and ends with 2', async () => {
  const project = childProject({ 'a.spec.ts': [good, slow, good] });
  const run = await runChild(project, [], { interruptAfter: 'READY' });
  expect(run.code, run.output).toBe(2);
  expect(run.report).toMatchObject({
    verdict: 'not judged',
    run: { partial: false, tests: { didNotRun: 2 } },
    rules: [{}, { verdict: 'not verified', reason: ENDED }, {}],
  });
  expect(run.report.because).toContain('The run was interrupted. 2 tests did not run; ');
  expect(existsSync(join(project.reports, 'index.html'))).toBe(true);
});

const filesOf = (dir: string, below = '') =>
  (readdirSync(dir, { recursive: true }) as string[])
    .filter((name) => name.startsWith(below) && /\.\w+$/.test(name))
    .sort()
    .map((name) => [name, readFileSync(join(dir, name), 'utf8')]);

test('runs in one folder: a whole one, its failed test, two of nothing, and a part', async () => {
  const project = childProject({ 'a.spec.ts': [good, bad] });
  expect((await runChild(project)).code).toBe(1);

  const again = await runChild(project, ['--last-failed']);
  expect(again.code).toBe(1);
  expect(again.report.rules.map(({ verdict, inScope }) => [verdict, inScope])).toEqual([
    ['not verified', false],
    ['violated', undefined],
    ['not verified', false],
  ]);
  // With the whole run.
  expect(again.report.comparison).toMatchObject({ newlyViolated: [], noLongerVerified: [] });

  const files = filesOf(project.reports);
  expect(files.length).toBeGreaterThan(6);
  const nothing = await runChild(project, ['-g', 'no such test']);
  expect(nothing.code).toBe(2);
  expect(nothing.output).toContain('Not judged. No test matches what was chosen');
  expect(nothing.output).not.toMatch(/^\s+at /m);
  const listing = await runChild(project, ['--list']);
  expect(listing.code, listing.output).toBe(0);
  expect(listing.output).not.toContain('judged');
  expect(filesOf(project.reports)).toEqual(files);

  const baselines = filesOf(project.reports, 'baselines');
  expect(baselines).toHaveLength(1);
  const part = await runChild(project, ['-g', '@THING-A']);
  expect(part.code, part.output).toBe(0);
  expect(part.report).toMatchObject({
    verdict: 'conforming',
    run: { partial: true, scope: { named: 1 } },
    rules: [{}, { id: 'THING-B', inScope: false }, {}],
  });
  expect(part.output).toContain('\nA part of the suite: judged on 1 of the 2 MUST rules that apply.\nMUST 1');
  expect(filesOf(project.reports, 'baselines')).toEqual(baselines);
});

test('shards, merged from blobs, give the report of the whole run; a merge that misses one is incomplete', async () => {
  const project = childProject({ 'a.spec.ts': [good], 'b.spec.ts': [bad] });
  const within = (folder: string) => ({ ...project, reports: join(project.dir, folder) });
  // One file each: with a folder, the second shard would remove what the first one left.
  const blob = (at: number) => ({
    env: { PLAYWRIGHT_BLOB_OUTPUT_FILE: join(project.dir, 'blobs', `${at}.zip`) },
  });
  const blobs = join(project.dir, 'blobs');
  const merge = (folder: string) =>
    runChild(within(folder), ['merge-reports', '-c', 'playwright.config.ts', blobs]);

  const shard = await runChild(within('shard'), ['--shard=1/2', '--add-reporter=blob'], blob(1));
  expect(shard.code, shard.output).toBe(0);
  expect(shard.report.run.partial).toBe(true);
  expect(shard.report.rules[1]?.reason).toContain('Not part of this run');

  const missing = await merge('missing');
  expect(missing.code, missing.output).toBe(2);
  expect(missing.report).toMatchObject({ verdict: 'incomplete', run: { partial: false } });
  expect(missing.report.open).toEqual([
    { mend: 'run the whole suite, or merge all of its shards', rules: ['THING-B'] },
  ]);

  await runChild(within('other'), ['--shard=2/2', '--reporter=blob'], blob(2));
  // What an earlier run left to Allure goes.
  const allure = join(project.dir, 'merged/allure-results');
  mkdirSync(allure, { recursive: true });
  writeFileSync(join(allure, 'old-result.json'), '{}');
  claimFolder(join(project.dir, 'merged'));
  const merged = await merge('merged');
  expect(merged.code, merged.output).toBe(1);
  expect(merged.report.rules.map(({ verdict }) => verdict)).toEqual(['verified', 'violated', 'not verified']);
  expect(merged.report.run.partial).toBe(false);
  const results = readdirSync(allure).filter((name) => name.endsWith('-result.json'));
  expect(results).toHaveLength(2);
  expect(results).not.toContain('old-result.json');
});
