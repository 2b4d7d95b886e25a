import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import {
  alsoGood,
  bad,
  failed,
  finding,
  good,
  passed,
  runGroups,
  type ChildGroup,
  type ChildTest,
  type GroupResult,
} from './child-run.ts';

const unsure = { ...passed('THING-A'), outcome: 'inconclusive' as const };
const brokenJournal: ChildTest = {
  title: 'broken',
  rules: ['THING-A'],
  body: "await info.attach('assay-journal', { body: '{', contentType: 'application/json' });",
};
const crash: ChildTest = {
  title: 'crash',
  rules: ['THING-B'],
  journal: {},
  body: "throw new TypeError('oops');",
};
const usageError = 'BASE_URL is not an address: write http://host:port/version.';
const gone = { at: '2026-11-21T10:20:30.000Z', why: 'nothing listens there' };
const away = (title: string): ChildTest => ({
  ...good,
  title,
  journal: { gone, inconclusive: gone.why },
  body: 'test.skip();',
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
const retried = (test: ChildTest): ChildGroup => ({ tests: [test, alsoGood], retries: 1 });
const inTrouble = { rules: ['THING-A'], trouble: 'the answer was 503', inconclusive: 'the answer was 503' };
const kept = { rules: ['THING-A'], checks: [passed('THING-A')] };
const broken = { rules: ['THING-A'], checks: [failed('THING-A')], findings: [finding('THING-A')] };

const GROUPS = {
  whole: { tests: [good, alsoGood] },
  open: { tests: [good] },
  violated: { tests: [good, bad] },
  'violated-in-green': { tests: [good, { ...bad, journal: { findings: [finding('THING-B')] }, body: '' }] },
  crash: { tests: [good, crash] },
  'crash-beside-known': {
    tests: [good, { ...crash, journal: { findings: [finding('THING-B', 'ticket 7')] } }],
  },
  'usage-error': { tests: [bad], assay: { usageError } },
  unprepared: {
    tests: [{ ...good, journal: { unprepared: 'no state "agent"' }, body: 'test.skip();' }],
  },
  'journal-as-file': { tests: [{ ...good, as: 'path' }, alsoGood] },
  'broken-journal': { tests: [good, brokenJournal] },
  'crash-once': retried(twice({}, kept, "throw new Error('first');")),
  'trouble-once': retried(twice(inTrouble, kept, "throw new Error('Unanswered: the answer was 503');")),
  'skipped-repeat': retried({
    ...good,
    journal: inTrouble,
    body: "try { info.skip(true, 'given up'); } catch {} throw new Error('repeated after trouble: 503');",
  }),
  'broken-once': retried(twice(broken, kept, "throw new Error('expected 1, seen 2');")),
  gone: { tests: [alsoGood, away('one'), away('two')] },
  'no-baseline': { tests: [good], env: { BASELINE: 'x.json' } },
  before: { tests: [good, alsoGood] },
  'after-it': { tests: [{ ...good, journal: { checks: [unsure] } }, alsoGood], after: 'before' },
} satisfies Readonly<Record<string, ChildGroup>>;

// One worker makes the one run that all tests look at.
test.describe.configure({ mode: 'default' });
let ran: Readonly<Record<keyof typeof GROUPS, GroupResult>>;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  ran = await runGroups<keyof typeof GROUPS>(GROUPS);
});

test('a run that verified every MUST ends with 0, and its summary starts with the denominator', () => {
  const run = ran['whole'];
  expect(run.code, run.stdout).toBe(0);
  expect(run.stdout).toContain('\nMUST 2 verified, 0 violated, 0 not verified\nSHOULD 0 verified');
  expect(run.report.verdict).toBe('conforming');
});

test('a run that leaves a MUST open ends with 2, and says what would mend it', () => {
  const run = ran['open'];
  expect(run.code, run.stdout).toBe(2);
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

test('all files are written, nothing else is left in the folder', () => {
  const run = ran['open'];
  for (const name of [
    'index.html',
    'conformance.json',
    'junit.xml',
    'exchanges.ndjson',
    'badge.svg',
    'badge.json',
  ]) {
    expect(existsSync(join(run.reports, name)), name).toBe(true);
  }
});

test('a violation ends with 1', () => {
  const run = ran['violated'];
  expect(run.code, run.stdout).toBe(1);
  expect(run.report.run.engineErrors).toEqual([]);
  expect(run.report.defects).toMatchObject([{ rule: 'THING-B', count: 1, message: 'expected 1, seen 2' }]);
  expect(run.stdout).toContain('violated THING-B: expected 1, seen 2');
});

test('a violation ends with 1 even if the test itself passed', () => {
  expect(ran['violated-in-green'].code).toBe(1);
});

test('a test that crashes ends with 2 and blames no rule', () => {
  const run = ran['crash'];
  expect(run.code).toBe(2);
  expect(run.report.verdict).toBe('not judged');
  expect(run.report.run.engineErrors).toEqual(['crash.spec.ts › crash: oops']);
  expect(run.report.rules[1]).toMatchObject({ id: 'THING-B', verdict: 'inconclusive', reason: 'oops' });
});

test('a crash is not hidden by a known violation in the same test', () => {
  const run = ran['crash-beside-known'];
  expect(run.code, run.stdout).toBe(2);
  expect(run.report.run.engineErrors).toEqual(['crash-beside-known.spec.ts › crash: oops']);
  expect(run.report.rules[1]?.verdict).toBe('known');
});

test('a usage error ends with 2, says what to do, and shows no stack', () => {
  const run = ran['usage-error'];
  expect(run.code).toBe(2);
  expect(run.report).toMatchObject({ verdict: 'not judged', because: usageError, defects: [] });
  expect(run.stdout).toContain(`Not judged. ${usageError}`);
});

test('a run in which nothing was verified ends with 2', () => {
  const run = ran['unprepared'];
  expect(run.code).toBe(2);
  expect(run.report.verdict).toBe('incomplete');
  expect(run.report.rules[0]?.reason).toBe('The target could not be prepared for it: no state "agent"');
});

test('journals written as files are read too', () => {
  const run = ran['journal-as-file'];
  expect(run.code, run.stdout).toBe(0);
});

test('a journal that cannot be read is an error of the run', () => {
  const run = ran['broken-journal'];
  expect(run.code).toBe(2);
  expect(run.report.run.engineErrors).toEqual([
    'broken-journal.spec.ts › broken: its journal cannot be read',
  ]);
});

test('a crash is told even if the repeat went well', () => {
  const run = ran['crash-once'];
  expect(run.code, run.stdout).toBe(2);
  expect(run.report.run.engineErrors).toEqual(['crash-once.spec.ts › twice: first']);
  expect(run.report.rules[0]?.verdict).toBe('verified');
});

test('trouble that went away leaves a green run, which tells of it', () => {
  const run = ran['trouble-once'];
  expect(run.code, run.stdout).toBe(0);
  expect(run.report.run.tests).toEqual({ passed: 2, failed: 0, skipped: 0, didNotRun: 0 });
  expect(run.report.run.repeats).toEqual([
    { test: 'trouble-once.spec.ts › twice', why: 'the answer was 503', outcome: 'trouble went away' },
  ]);
  expect(run.stdout).toContain('1 test was repeated: 1 met trouble that went away.');
});

test('a repeat that the runner skips is no attempt', () => {
  const run = ran['skipped-repeat'];
  expect(run.code, run.stdout).toBe(2);
  expect(run.report.run.repeats).toEqual([]);
  expect(run.report.rules[0]).toMatchObject({
    verdict: 'inconclusive',
    reason: 'the answer was 503',
    mend: 'run again: the network or the target was in trouble',
  });
});

test('a wrong answer that does not come back is violated all the same, and called intermittent', () => {
  const run = ran['broken-once'];
  expect(run.code, run.stdout).toBe(1);
  expect(run.report.defects).toMatchObject([{ rule: 'THING-A', count: 1, steadiness: 'intermittent' }]);
  expect(run.stdout).toContain('violated THING-A (intermittent): expected 1, seen 2');
});

test('a target that went away is told once, and ends with 2', () => {
  const run = ran['gone'];
  expect(run.code).toBe(2);
  expect(run.report).toMatchObject({ verdict: 'not judged', run: { gone, tests: { didNotRun: 2 } } });
  expect(run.stdout.match(/went away/g)).toHaveLength(1);
  expect(run.stdout).toContain('It had answered nothing before. 2 tests did not run;');
});

test('a BASELINE that is no report ends with one sentence', () => {
  const run = ran['no-baseline'];
  expect(run.code).toBe(2);
  expect(run.report.because).toContain('BASELINE x.json is not a conformance.json of this version:');
});

test('a rule that drops out of verified is named', () => {
  const run = ran['after-it'];
  expect(run.code).toBe(2);
  expect(run.report.comparison?.noLongerVerified).toEqual(['THING-A']);
  expect(run.report.because).toMatch(/ No longer verified: THING-A\.$/);
});
