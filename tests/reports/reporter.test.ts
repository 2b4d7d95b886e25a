import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { childProject, failed, finding, passed, runChild, type ChildTest } from './child-run.ts';

const good: ChildTest = { title: 'a good one', rules: ['THING-A'], journal: { checks: [passed('THING-A')] } };
const alsoGood: ChildTest = {
  title: 'another good one',
  rules: ['THING-B'],
  journal: { checks: [passed('THING-B')] },
};
const bad: ChildTest = {
  title: 'a bad one',
  rules: ['THING-B'],
  journal: { checks: [failed('THING-B')], findings: [finding('THING-B')] },
  body: "throw new Error('expected 1, seen 2');",
};
const fail = (title: string, body: string): ChildTest => ({ title, rules: ['THING-B'], body });

test.describe.configure({ timeout: 60_000 });

test('a run that verified every MUST ends with 0, and its summary starts with the denominator', async () => {
  const run = await runChild(childProject({ 'a.spec.ts': [good, alsoGood] }));
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(run.stdout).toContain('\nMUST 2 verified, 0 violated, 0 not verified\nSHOULD 0 verified');
  expect(run.report.verdict).toBe('conforming');
});

test('a run that leaves a MUST open ends with 2, and says what would mend it', async () => {
  const run = await runChild(childProject({ 'a.spec.ts': [good] }));
  expect(run.code, run.stdout + run.stderr).toBe(2);
  expect(run.report.verdict).toBe('incomplete');
  expect(run.report.rules.map((rule) => [rule.id, rule.verdict, rule.reason])).toEqual([
    ['THING-A', 'verified', undefined],
    ['THING-B', 'not verified', 'No check exists yet.'],
    ['THING-C', 'not verified', 'No check exists yet.'],
  ]);
  const mend = 'wait for Assay: it has no check of this rule yet';
  expect(run.report.open).toEqual([{ mend, rules: ['THING-B'] }]);
  expect(run.stdout).toContain(`Incomplete. No MUST rule was found violated, but 1 of the 2 MUST rules`);
  expect(run.stdout).toContain(`  ${mend}: 1 rule\n`);
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
  expect(run.stdout).toContain('violated THING-B: expected 1, seen 2');
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
  expect(run.report.verdict).toBe('incomplete');
  expect(run.report.rules[0]?.reason).toBe('The target could not be prepared for it: no state "agent"');
});

const filesOf = (dir: string) =>
  Object.fromEntries(
    (readdirSync(dir, { recursive: true }) as string[])
      .filter((name) => /\.\w+$/.test(name))
      .map((name) => [name, readFileSync(join(dir, name), 'utf8')]),
  );

for (const args of [['-g', 'no such test'], ['no-such-file'], ['--list'], ['--list', '-g', 'no such test']]) {
  test(`${args.join(' ')} touches nothing of the last run`, async () => {
    const project = childProject({ 'a.spec.ts': [good, bad] });
    await runChild(project);
    const before = filesOf(project.reports);
    expect(Object.keys(before).length).toBeGreaterThan(6);
    const run = await runChild(project, ['test', ...args]);
    expect(filesOf(project.reports)).toEqual(before);
    if (args[0] === '--list') return;
    expect(run.code).toBe(2);
    expect(run.stdout).toContain('Not judged. No test matches what was chosen');
    expect(run.stderr + run.stdout).not.toMatch(/^\s+at /m);
  });
}

test('a listing ends with 0', async () => {
  const run = await runChild(childProject({ 'a.spec.ts': [bad] }), ['test', '--list']);
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(run.stdout).not.toContain('judged');
});

test('a part is judged on the rules that its tests name, and leaves the baseline alone', async () => {
  const project = childProject({ 'a.spec.ts': [good, bad] });
  await runChild(project);
  const baselines = () => filesOf(join(project.reports, 'baselines'));
  const before = baselines();
  const run = await runChild(project, ['test', '-g', '@THING-A']);
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(run.report).toMatchObject({ verdict: 'conforming', run: { partial: true, scope: { named: 1 } } });
  expect(run.stdout).toContain('\nA part of the suite: judged on 1 of the 2 MUST rules that apply.\nMUST 1');
  expect(run.report.rules[1]).toMatchObject({ id: 'THING-B', inScope: false });
  expect(baselines()).toEqual(before);
});

test('--last-failed runs the failed test again, and compares with the last complete run', async () => {
  const project = childProject({ 'a.spec.ts': [good, bad] });
  await runChild(project);
  const again = await runChild(project, ['test', '--last-failed']);
  expect(again.code).toBe(1);
  expect(again.report.rules.map((rule) => [rule.verdict, rule.inScope])).toEqual([
    ['not verified', false],
    ['violated', undefined],
    ['not verified', false],
  ]);
  expect(again.report.comparison).toMatchObject({ newlyViolated: [], noLongerVerified: [] });
  const whole = await runChild(project);
  expect(whole.report.comparison).toMatchObject({ newlyViolated: [], newlyFixed: [] });
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

test('journals written as files are read too', async () => {
  const run = await runChild(childProject({ 'a.spec.ts': [{ ...good, as: 'path' }, alsoGood] }));
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

const journalText = (journal: object) => JSON.stringify(JSON.stringify({ version: 1, ...journal }));
/** A test with one journal and one end for each of its two attempts. */
const twice = (first: object, second: object, firstEnd = '', secondEnd = ''): ChildTest => ({
  title: 'twice',
  rules: ['THING-A'],
  body: `const body = info.retry === 0 ? ${journalText(first)} : ${journalText(second)};
    await info.attach('assay-journal', { body, contentType: 'application/json' });
    if (info.retry === 0) { ${firstEnd} } else { ${secondEnd} }`,
});
const retried = (test: ChildTest) =>
  runChild(childProject({ 'a.spec.ts': [test, alsoGood] }), ['test', '--retries=1']);
const inTrouble = { rules: ['THING-A'], trouble: 'the answer was 503', inconclusive: 'the answer was 503' };
const kept = { rules: ['THING-A'], checks: [passed('THING-A')] };

test('a crash is told even if the repeat went well', async () => {
  const run = await retried(twice({}, kept, "throw new Error('first');"));
  expect(run.code, run.stdout + run.stderr).toBe(2);
  expect(run.report.run.engineErrors).toEqual(['a.spec.ts › twice: first']);
  expect(run.report.rules[0]?.verdict).toBe('verified');
});

test('trouble that went away leaves a green run, which tells of it', async () => {
  const run = await retried(twice(inTrouble, kept, "throw new Error('Unanswered: the answer was 503');"));
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(run.report.run.tests).toEqual({ passed: 2, failed: 0, skipped: 0, didNotRun: 0 });
  expect(run.report.run.repeats).toEqual([
    { test: 'a.spec.ts › twice', why: 'the answer was 503', outcome: 'trouble went away' },
  ]);
  expect(run.stdout).toContain('1 test was repeated: 1 met trouble that went away.');
});

test('a repeat that the runner skips is no attempt', async () => {
  const run = await retried({
    ...good,
    journal: inTrouble,
    body: "try { info.skip(true, 'given up'); } catch {} throw new Error('repeated after trouble: 503');",
  });
  expect(run.code, run.stdout + run.stderr).toBe(2);
  expect(run.report.run.repeats).toEqual([]);
  expect(run.report.rules[0]).toMatchObject({
    verdict: 'inconclusive',
    reason: 'the answer was 503',
    mend: 'run again: the network or the target was in trouble',
  });
});

test('a wrong answer that does not come back is violated all the same, and called intermittent', async () => {
  const broken = { rules: ['THING-A'], checks: [failed('THING-A')], findings: [finding('THING-A')] };
  const run = await retried(twice(broken, kept, "throw new Error('expected 1, seen 2');"));
  expect(run.code, run.stdout + run.stderr).toBe(1);
  expect(run.report.defects).toMatchObject([{ rule: 'THING-A', count: 1, steadiness: 'intermittent' }]);
  expect(run.stdout).toContain('violated THING-A (intermittent): expected 1, seen 2');
});

test('a target that went away is told once, and ends with 2', async () => {
  const gone = { at: '2026-11-21T10:20:30.000Z', why: 'nothing listens there' };
  const away = (title: string): ChildTest => ({
    ...good,
    title,
    journal: { gone, inconclusive: gone.why },
    body: 'test.skip();',
  });
  const run = await runChild(childProject({ 'a.spec.ts': [alsoGood, away('one'), away('two')] }));
  expect(run.code).toBe(2);
  expect(run.report).toMatchObject({ verdict: 'not judged', run: { gone, tests: { didNotRun: 2 } } });
  expect(run.stdout.match(/went away/g)).toHaveLength(1);
  expect(run.stdout).toContain('It had answered nothing before. 2 tests did not run;');
});

test('accepted rules come from ACCEPTED, and a list that cannot be read ends with one sentence', async () => {
  const project = childProject({ 'a.spec.ts': [good] });
  const missing = await runChild(project, ['test'], { env: { ACCEPTED: 'no-such.yaml' } });
  expect(missing.code).toBe(2);
  expect(missing.report.because).toBe(
    'The list of accepted rules no-such.yaml cannot be read: check the path in ACCEPTED.',
  );
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

test('a merge that misses a blob is incomplete, not a part', async () => {
  const project = childProject({ 'a.spec.ts': [good], 'b.spec.ts': [alsoGood] });
  const env = { PLAYWRIGHT_BLOB_OUTPUT_FILE: join(project.dir, 'blobs', '1.zip') };
  await runChild(project, ['test', '--shard=1/2', '--reporter=blob'], { env });
  const merged = await runChild(project, [
    'merge-reports',
    '-c',
    'playwright.config.ts',
    join(project.dir, 'blobs'),
  ]);
  expect(merged.code, merged.stdout + merged.stderr).toBe(2);
  expect(merged.report).toMatchObject({ verdict: 'incomplete', run: { partial: false } });
  expect(merged.report.open).toMatchObject([{ rules: ['THING-B'] }]);
});

test('a rule that drops out of verified is named', async () => {
  const project = childProject({ 'a.spec.ts': [good, alsoGood] });
  await runChild(project);
  const file = join(project.dir, 'a.spec.ts');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('"outcome\\":\\"passed', '"outcome\\":\\"inconclusive'),
  );
  const run = await runChild(project);
  expect(run.code).toBe(2);
  expect(run.report.comparison?.noLongerVerified).toEqual(['THING-A']);
  expect(run.report.because).toMatch(/ No longer verified: THING-A\.$/);
});

test('a BASELINE that is no report ends with one sentence', async () => {
  const run = await runChild(childProject({ 'a.spec.ts': [good] }), ['test'], {
    env: { BASELINE: 'x.json' },
  });
  expect(run.code).toBe(2);
  expect(run.report.because).toContain('BASELINE x.json is not a conformance.json of this version:');
});
