import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { ConformanceReport } from '../../reports/model.ts';
import { childProject, failed, finding, passed, runChild, type ChildTest } from './child-run.ts';

const good: ChildTest = { title: 'a good one', rules: ['THING-A'], journal: { checks: [passed('THING-A')] } };
const bad: ChildTest = {
  title: 'a bad one',
  rules: ['THING-B'],
  journal: { checks: [failed('THING-B')], findings: [finding('THING-B')] },
  body: "throw new Error('expected 1, seen 2');",
};
const fail = (title: string, body: string): ChildTest => ({ title, rules: ['THING-B'], body });

test.describe.configure({ timeout: 60_000 });

test('a run without a violation ends with 0, and its summary starts with the denominator', async () => {
  const run = await runChild(childProject({ 'a.spec.ts': [good] }));
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(run.stdout).toContain('\nMUST 1 verified, 0 violated, 1 not verified\nSHOULD 0 verified');
  expect(run.report.verdict).toBe('conforming');
  expect(run.report.rules.map((rule) => [rule.id, rule.verdict, rule.reason])).toEqual([
    ['THING-A', 'verified', undefined],
    ['THING-B', 'not verified', 'No check exists yet.'],
    ['THING-C', 'not verified', 'No check exists yet.'],
  ]);
});

test('all files are written, nothing else is left in the folder', async () => {
  const project = childProject({ 'a.spec.ts': [good] });
  await runChild(project);
  for (const name of [
    'index.html',
    'conformance.json',
    'junit.xml',
    'exchanges.ndjson',
    'badge.svg',
    'badge.json',
  ]) {
    expect(existsSync(join(project.reports, name)), name).toBe(true);
  }
});

test('a violation ends with 1', async () => {
  const run = await runChild(childProject({ 'a.spec.ts': [good, bad] }));
  expect(run.code, run.stdout + run.stderr).toBe(1);
  expect(run.report.run.engineErrors).toEqual([]);
  expect(run.report.defects).toMatchObject([{ rule: 'THING-B', count: 1, message: 'expected 1, seen 2' }]);
  expect(run.stdout).toContain('violated THING-B: Statement of THING-B.');
});

test('a violation ends with 1 even if the test itself passed', async () => {
  const quiet: ChildTest = {
    title: bad.title,
    rules: bad.rules,
    journal: { findings: [finding('THING-B')] },
  };
  expect((await runChild(childProject({ 'a.spec.ts': [good, quiet] }))).code).toBe(1);
});

test('known violations end with 0, even if the test failed', async () => {
  const known: ChildTest = { ...bad, journal: { findings: [finding('THING-B', 'ticket 7')] } };
  const run = await runChild(childProject({ 'a.spec.ts': [good, known] }));
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(run.report.totals.MUST).toMatchObject({ verified: 1, known: 1, violated: 0 });
});

test('a test that crashes ends with 2 and blames no rule', async () => {
  const crash: ChildTest = { ...fail('crash', "throw new TypeError('oops');"), journal: {} };
  const run = await runChild(childProject({ 'a.spec.ts': [good, crash] }));
  expect(run.code).toBe(2);
  expect(run.report.verdict).toBe('not judged');
  expect(run.report.run.engineErrors).toEqual(['a.spec.ts › crash: oops']);
  expect(run.report.rules[1]).toMatchObject({ id: 'THING-B', verdict: 'inconclusive', reason: 'oops' });
});

test('a crash is not hidden by a known violation in the same test', async () => {
  const journal = { findings: [finding('THING-B', 'ticket 7')] };
  const crash: ChildTest = { ...fail('crash', "throw new TypeError('oops');"), journal };
  const run = await runChild(childProject({ 'a.spec.ts': [good, crash] }));
  expect(run.code, run.stdout + run.stderr).toBe(2);
  expect(run.report.run.engineErrors).toEqual(['a.spec.ts › crash: oops']);
  expect(run.report.rules[1]?.verdict).toBe('known');
});

test('a usage error ends with 2, says what to do, and shows no stack', async () => {
  const usageError = 'BASE_URL is not an address: write http://host:port/version.';
  const run = await runChild(childProject({ 'a.spec.ts': [bad] }, { usageError }));
  expect(run.code).toBe(2);
  expect(run.report).toMatchObject({ verdict: 'not judged', because: usageError, defects: [] });
  expect(run.stdout).toContain(`Not judged. ${usageError}`);
});

test('a run in which nothing was verified ends with 2', async () => {
  const unprepared: ChildTest = {
    ...good,
    journal: { unprepared: 'no state "agent"' },
    body: 'test.skip();',
  };
  const run = await runChild(childProject({ 'a.spec.ts': [unprepared] }));
  expect(run.code).toBe(2);
  expect(run.report.rules[0]?.reason).toBe('The target could not be prepared for it: no state "agent"');
});

test('a filter that matches nothing ends with 2', async () => {
  expect((await runChild(childProject({ 'a.spec.ts': [good] }), ['test', '-g', 'no such test'])).code).toBe(
    2,
  );
});

test('a filtered run reports the rest as not verified', async () => {
  const run = await runChild(childProject({ 'a.spec.ts': [good, bad] }), ['test', '-g', '@THING-A']);
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(run.report.run.partial).toBe(true);
  expect(run.report.rules[1]?.reason).toContain('Not part of this run');
});

test('--last-failed runs the failed test again', async () => {
  const project = childProject({ 'a.spec.ts': [good, bad] });
  await runChild(project);
  const again = await runChild(project, ['test', '--last-failed']);
  expect(again.code).toBe(1);
  expect(again.report.rules.map((rule) => rule.verdict)).toEqual([
    'not verified',
    'violated',
    'not verified',
  ]);
  expect(again.report.comparison).toMatchObject({ newlyViolated: [], noLongerVerified: ['THING-A'] });
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
  expect(run.report).toMatchObject({ verdict: 'not judged', run: { partial: true } });
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

test('journals written as files are read too', async () => {
  const run = await runChild(childProject({ 'a.spec.ts': [{ ...good, as: 'path' }] }));
  expect(run.code, run.stdout + run.stderr).toBe(0);
});

test('a journal that cannot be read is an error of the run', async () => {
  const broken: ChildTest = {
    title: 'broken',
    rules: ['THING-A'],
    body: "await info.attach('assay-journal', { body: '{', contentType: 'application/json' });",
  };
  const run = await runChild(childProject({ 'a.spec.ts': [good, broken] }));
  expect(run.code).toBe(2);
  expect(run.report.run.engineErrors).toEqual(['a.spec.ts › broken: its journal cannot be read']);
});

test('only the last result of a retried test counts', async () => {
  const flaky: ChildTest = {
    title: 'flaky',
    rules: ['THING-A'],
    body: `if (info.retry === 0) throw new Error('first');
      await info.attach('assay-journal', { body: ${JSON.stringify(
        JSON.stringify({ version: 1, rules: ['THING-A'], checks: [passed('THING-A')] }),
      )}, contentType: 'application/json' });`,
  };
  const run = await runChild(childProject({ 'a.spec.ts': [flaky] }), ['test', '--retries=1']);
  expect(run.code, run.stdout + run.stderr).toBe(0);
});

test('shards, merged from blobs, give the report of the whole run', async () => {
  const project = childProject({ 'a.spec.ts': [good], 'b.spec.ts': [bad] });
  for (const shard of [1, 2]) {
    // One file each: with a folder, the second shard would remove what the first one left.
    const env = { PLAYWRIGHT_BLOB_OUTPUT_FILE: join(project.dir, 'blobs', `${shard}.zip`) };
    await runChild(project, ['test', `--shard=${shard}/2`, '--reporter=blob'], { env });
  }
  const merged = await runChild(project, [
    'merge-reports',
    '-c',
    'playwright.config.ts',
    join(project.dir, 'blobs'),
  ]);
  expect(merged.code, merged.stdout + merged.stderr).toBe(1);
  expect(merged.report.rules.map((rule) => rule.verdict)).toEqual(['verified', 'violated', 'not verified']);
  expect(merged.report.run.partial).toBe(false);
});

test('a shard on its own says that the rest is not part of it', async () => {
  const project = childProject({ 'a.spec.ts': [good], 'b.spec.ts': [bad] });
  const run = await runChild(project, ['test', '--shard=1/2']);
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(run.report.run.partial).toBe(true);
  expect(run.report.rules[1]?.reason).toContain('Not part of this run');
});

test('the last report is put away at the start of a run', async () => {
  const project = childProject({ 'a.spec.ts': [good] });
  await runChild(project);
  await runChild(project);
  const previous = JSON.parse(readFileSync(join(project.reports, 'previous.json'), 'utf8')) as {
    verdict: string;
  };
  expect(previous.verdict).toBe('conforming');
});

test('a run that could not start is no run to compare with', async () => {
  const project = childProject({ 'a.spec.ts': [good] });
  await runChild(project);
  const file = join(project.reports, 'conformance.json');
  const report = JSON.parse(readFileSync(file, 'utf8')) as ConformanceReport;
  await runChild(project);
  writeFileSync(
    file,
    JSON.stringify({ ...report, rules: [], run: { ...report.run, usageError: 'Nobody answers.' } }),
  );
  const run = await runChild(project);
  expect(run.report.comparison).toMatchObject({ newlyViolated: [], newlyFixed: [] });
  const previous = JSON.parse(
    readFileSync(join(project.reports, 'previous.json'), 'utf8'),
  ) as ConformanceReport;
  expect(previous.run.usageError).toBeUndefined();
});
