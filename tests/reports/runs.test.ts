import { existsSync, readdirSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { claimFolder } from '../../reports/folder.ts';
import {
  alsoGood,
  bad,
  childProject,
  finding,
  good,
  runChild,
  type ChildResult,
  type ChildTest,
} from './child-run.ts';

const fail = (title: string, body: string): ChildTest => ({ title, rules: ['THING-B'], body });

test.describe.configure({ timeout: 60_000 });

test('known violations end with 0, even if the test failed', async () => {
  const known: ChildTest = { ...bad, journal: { findings: [finding('THING-B', 'ticket 7')] } };
  const run = await runChild(childProject({ 'a.spec.ts': [good, known] }));
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(run.report.totals.MUST).toMatchObject({ verified: 1, known: 1, violated: 0 });
});

test('test.only is no choice of the user: the rest stays in the scope', async () => {
  const project = childProject({ 'a.spec.ts': [good, alsoGood] });
  const file = join(project.dir, 'a.spec.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replace('test("a good one"', 'test.only("a good one"'));
  const run = await runChild(project);
  expect(run.code).toBe(2);
  expect(run.report).toMatchObject({ verdict: 'incomplete', run: { partial: false } });
  expect(run.report.open).toEqual([
    { mend: 'run the whole suite, or merge all of its shards', rules: ['THING-B'] },
  ]);
});

test('tests that the runner gave up on are not passed over', async () => {
  const project = childProject({ 'a.spec.ts': [fail('crash', "throw new Error('oops');"), good] });
  const run = await runChild(project, ['test', '--max-failures=1']);
  expect(run.code).toBe(2);
  expect(run.report.run.tests.didNotRun).toBe(1);
  expect(run.report.rules[0]).toMatchObject({
    verdict: 'not verified',
    reason: 'Not part of this run: the run ended before its test could run.',
  });
});

test('an interrupted run still writes its reports, and ends with 2', async () => {
  const slow: ChildTest = {
    ...fail('slow', "process.stdout.write('READY'); await new Promise(() => {});"),
  };
  const project = childProject({ 'a.spec.ts': [good, slow] });
  const run = await runChild(project, ['test'], { interruptAfter: 'READY' });
  expect(run.report.because).toBe(
    'The run was interrupted. 1 test did not run; 1 of the 2 MUST rules that apply is verified.',
  );
  expect(run.report).toMatchObject({ verdict: 'not judged', run: { partial: false } });
  expect(run.code, run.stdout + run.stderr).toBe(2);
  expect(run.report.rules[0]?.verdict).toBe('verified');
  expect(existsSync(join(project.reports, 'index.html'))).toBe(true);
});

test('an interrupted run with a violation ends with 1', async () => {
  const slow = fail('slow', "process.stdout.write('READY'); await new Promise(() => {});");
  const run = await runChild(childProject({ 'a.spec.ts': [bad, slow] }), ['test'], {
    interruptAfter: 'READY',
  });
  expect(run.code, run.stdout + run.stderr).toBe(1);
});

const filesOf = (dir: string) =>
  Object.fromEntries(
    (existsSync(dir) ? (readdirSync(dir, { recursive: true }) as string[]) : [])
      .filter((name) => /\.\w+$/.test(name))
      .map((name) => [name, readFileSync(join(dir, name), 'utf8')]),
  );

/** A run, and what lay in the report folder before and after it. */
interface Step extends ChildResult {
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
}

const NOTHING = [['-g', 'no such test'], ['no-such-file'], ['--list'], ['--list', '-g', 'no such test']];

test.describe(() => {
  // One worker makes the runs, each of which follows the one before it.
  test.describe.configure({ mode: 'default' });
  const steps = new Map<string, Step>();
  const step = (name: string) => steps.get(name) as Step;
  test.beforeAll(async () => {
    test.setTimeout(240_000);
    const project = childProject({ 'a.spec.ts': [good, bad] });
    const run = async (name: string, args: readonly string[] = []) => {
      const before = filesOf(project.reports);
      const result = await runChild(project, ['test', ...args]);
      steps.set(name, { ...result, before, after: filesOf(project.reports) });
    };
    await run('first');
    await run('last failed', ['--last-failed']);
    await run('whole');
    for (const args of NOTHING) await run(args.join(' '), args);
    await run('part', ['-g', '@THING-A']);
  });

  for (const args of NOTHING)
    test(`${args.join(' ')} touches nothing of the last run`, () => {
      const run = step(args.join(' '));
      expect(Object.keys(run.before).length).toBeGreaterThan(6);
      expect(run.after).toEqual(run.before);
      if (args[0] === '--list') return;
      expect(run.code).toBe(2);
      expect(run.stdout).toContain('Not judged. No test matches what was chosen');
      expect(run.stderr + run.stdout).not.toMatch(/^\s+at /m);
    });

  test('a listing ends with 0', () => {
    const run = step('--list');
    expect(run.code, run.stdout + run.stderr).toBe(0);
    expect(run.stdout).not.toContain('judged');
  });

  test('a part is judged on the rules that its tests name, and leaves the baseline alone', () => {
    const run = step('part');
    expect(run.code, run.stdout + run.stderr).toBe(0);
    expect(run.report).toMatchObject({
      verdict: 'conforming',
      run: { partial: true, scope: { named: 1 } },
    });
    expect(run.stdout).toContain(
      '\nA part of the suite: judged on 1 of the 2 MUST rules that apply.\nMUST 1',
    );
    expect(run.report.rules[1]).toMatchObject({ id: 'THING-B', inScope: false });
    const baselines = (files: Step['before']) =>
      Object.entries(files).filter(([name]) => name.startsWith('baselines'));
    expect(baselines(run.before)).toHaveLength(1);
    expect(baselines(run.after)).toEqual(baselines(run.before));
  });

  test('--last-failed runs the failed test again, and compares with the last complete run', () => {
    const again = step('last failed');
    expect(again.code).toBe(1);
    expect(again.report.rules.map((rule) => [rule.verdict, rule.inScope])).toEqual([
      ['not verified', false],
      ['violated', undefined],
      ['not verified', false],
    ]);
    expect(again.report.comparison).toMatchObject({ newlyViolated: [], noLongerVerified: [] });
    expect(step('whole').report.comparison).toMatchObject({ newlyViolated: [], newlyFixed: [] });
  });
});

const reporter = (name: string) =>
  JSON.stringify(fileURLToPath(new URL(`../../reports/${name}.ts`, import.meta.url)));
const WITH_ALLURE = `reporter: [['dot'], [${reporter('allure')}], [${reporter('reporter')}, options]],`;
const resultsIn = (dir: string) =>
  readdirSync(join(dir, 'allure-results')).filter((name) => name.endsWith('-result.json'));

test.describe(() => {
  test.describe.configure({ mode: 'default' });
  let shard: ChildResult;
  let merged: ChildResult;
  let missing: ChildResult;
  let allure: readonly string[];
  test.beforeAll(async () => {
    test.setTimeout(180_000);
    const project = childProject({ 'a.spec.ts': [good], 'b.spec.ts': [bad] }, {}, WITH_ALLURE);
    const within = (folder: string) => ({ ...project, reports: join(project.dir, folder) });
    // One file each: with a folder, the second shard would remove what the first one left.
    const blob = (at: number) => ({
      env: { PLAYWRIGHT_BLOB_OUTPUT_FILE: join(project.dir, 'blobs', `${at}.zip`) },
    });
    const merge = (folder: string) =>
      runChild(within(folder), ['merge-reports', '-c', 'playwright.config.ts', join(project.dir, 'blobs')]);
    shard = await runChild(within('shard'), ['test', '--shard=1/2', '--add-reporter=blob'], blob(1));
    missing = await merge('missing');
    await runChild(within('other'), ['test', '--shard=2/2', '--reporter=blob'], blob(2));
    merged = await merge('merged');
    allure = resultsIn(join(project.dir, 'merged'));
  });

  test('shards, merged from blobs, give the report of the whole run', () => {
    expect(merged.code, merged.stdout + merged.stderr).toBe(1);
    expect(merged.report.rules.map((rule) => rule.verdict)).toEqual(['verified', 'violated', 'not verified']);
    expect(merged.report.run.partial).toBe(false);
  });

  test('merging blobs works with Allure', () => {
    expect(allure).toHaveLength(2);
  });

  test('a shard on its own says that the rest is not part of it', () => {
    expect(shard.code, shard.stdout + shard.stderr).toBe(0);
    expect(shard.report.run.partial).toBe(true);
    expect(shard.report.rules[1]?.reason).toContain('Not part of this run');
  });

  test('a merge that misses a blob is incomplete, not a part', () => {
    expect(missing.code, missing.stdout + missing.stderr).toBe(2);
    expect(missing.report).toMatchObject({ verdict: 'incomplete', run: { partial: false } });
    expect(missing.report.open).toMatchObject([{ rules: ['THING-B'] }]);
  });
});

test('results lie beside the other reports, without those of the last run', async () => {
  const child = childProject({ 'a.spec.ts': [good, alsoGood] }, {}, WITH_ALLURE);
  mkdirSync(join(child.reports, 'allure-results'), { recursive: true });
  writeFileSync(join(child.reports, 'allure-results', 'old-result.json'), '{}');
  claimFolder(child.reports);
  const run = await runChild(child);
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(resultsIn(child.reports)).toHaveLength(2);
  expect(resultsIn(child.reports)).not.toContain('old-result.json');
});
