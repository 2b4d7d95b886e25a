import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from '@playwright/test';
import type { FullConfig, Suite, TestCase } from '@playwright/test/reporter';
import type { Finding } from '../../journal/types.ts';
import type { ConformanceReport } from '../../reports/verdicts/model.ts';
import ConformanceReporter from '../../reports/reporter.ts';
import { scratch } from '../support/run-assay.ts';
import { testCase, type Try, check, finding, rule, sampleInput } from './sample.ts';

// What a developer's environment, or a CI server, must not be told by the runs below.
delete process.env['GITHUB_STEP_SUMMARY'];

const { target } = sampleInput({ defects: 0, rulesPerArea: 0 }).assay;

/** Shows tests that have ended to a reporter, as Playwright would. */
async function judged(tests: readonly TestCase[], assay: object = {}, outputDir = scratch('reporter')) {
  let stdout = '';
  let code = 0;
  const reporter = new ConformanceReporter({
    rules: [rule('THING-A'), rule('THING-B'), rule('THING-C', { level: 'SHOULD' })],
    questions: [],
    coverageOf: (id) => (tests.some(({ tags }) => tags.includes(`@${id}`)) ? 'check' : 'nothing'),
    outputDir,
    write: (text) => (stdout += stripVTControlCharacters(text)),
    exit: (asked) => (code = asked),
  });
  // A target of one's own would be told what is left on it.
  const metadata = { assay: { target: { ...target, embedded: true }, ...assay } };
  const config = { argv: ['node', 'playwright', 'test'], metadata } as unknown as FullConfig;
  reporter.onBegin(config, { allTests: () => tests } as unknown as Suite);
  for (const each of tests) for (const result of each.results) reporter.onTestEnd(each, result);
  await reporter.onEnd({ status: 'passed', startTime: new Date(), duration: 1 });
  const text = readFileSync(join(outputDir, 'conformance.json'), 'utf8');
  return { code, stdout, outputDir, report: JSON.parse(text) as ConformanceReport };
}

const passed = (id: string): Try => ({ journal: { checks: [check('passed', { rule: id })] } });
const broken = (id: string, more: Partial<Finding> = {}): Try => ({
  status: 'failed',
  errors: ['expected 1, got 2'],
  journal: { findings: [finding({ rule: id, ...more })] },
});
const about = (id: string, ...tries: readonly Try[]) => testCase('tells', tries, { rules: [id] });
const good = about('THING-A', passed('THING-A'));
const alsoGood = about('THING-B', passed('THING-B'));

const OOPS = { status: 'failed', errors: ['TypeError: oops'] } as const;
const LABEL = 'agents/approval.spec.ts › tells';
const inTrouble = { trouble: 'the answer was 503', inconclusive: 'the answer was 503' };
const gone = { at: '2026-11-21T10:20:30.000Z', why: 'nothing listens there' };
const away: Try = { status: 'skipped', journal: { gone, inconclusive: gone.why } };
const usageError = 'BASE_URL is not an address: write http://host:port/version.';
const noCheck = 'wait for Assay: it has no check of this rule yet';

const thing = (id: string, rest: object) =>
  expect.arrayContaining([expect.objectContaining({ id, ...rest })]);

interface Row {
  readonly tests: readonly TestCase[];
  readonly assay?: object;
  readonly code: 0 | 1 | 2;
  readonly report: Record<string, unknown>;
  readonly says?: string;
}

const ROWS: Readonly<Record<string, Row>> = {
  'a run that verified every MUST ends with 0, and its summary starts with the denominator': {
    tests: [good, alsoGood],
    code: 0,
    report: { verdict: 'conforming' },
    says: '\nMUST 2 verified, 0 violated, 0 not verified\nSHOULD 0 verified',
  },
  'a run that leaves a MUST open ends with 2, and says what would mend it': {
    tests: [good],
    code: 2,
    report: { verdict: 'incomplete', open: [{ mend: noCheck, rules: ['THING-B'] }] },
    says: `  ${noCheck}: 1 rule\n`,
  },
  'a violation ends with 1': {
    tests: [good, about('THING-B', broken('THING-B'))],
    code: 1,
    report: { run: { engineErrors: [] }, defects: [{ rule: 'THING-B', count: 1 }] },
    says: 'violated THING-B: expected 1, got 2',
  },
  'a violation ends with 1 even if the test itself passed': {
    tests: [good, about('THING-B', { ...broken('THING-B'), status: 'passed', errors: [] })],
    code: 1,
    report: { verdict: 'violated' },
  },
  'a test that crashes ends with 2 and blames no rule': {
    tests: [good, about('THING-B', { ...OOPS, journal: {} })],
    code: 2,
    report: {
      verdict: 'not judged',
      run: { engineErrors: [`${LABEL}: oops`] },
      rules: thing('THING-B', { verdict: 'inconclusive', reason: 'oops' }),
    },
  },
  'a crash is not hidden by a known violation in the same test': {
    tests: [good, about('THING-B', { ...broken('THING-B', { known: 'ticket 7' }), ...OOPS })],
    code: 2,
    report: {
      run: { engineErrors: [`${LABEL}: oops`] },
      rules: thing('THING-B', { verdict: 'known' }),
    },
  },
  'a crash is told even if the repeat went well': {
    tests: [about('THING-A', { ...OOPS, journal: {} }, passed('THING-A')), alsoGood],
    code: 2,
    report: {
      run: { engineErrors: [`${LABEL}: oops`] },
      rules: thing('THING-A', { verdict: 'verified' }),
    },
  },
  'a journal that cannot be read is an error of the run': {
    tests: [good, about('THING-A', { journal: '{' })],
    code: 2,
    report: { run: { engineErrors: [`${LABEL}: its journal cannot be read`] } },
  },
  'a usage error ends with 2, says what to do, and accuses nobody': {
    tests: [about('THING-B', broken('THING-B'))],
    assay: { usageError },
    code: 2,
    report: { verdict: 'not judged', because: usageError, defects: [] },
    says: `Not judged. ${usageError}`,
  },
  'a list of accepted rules that cannot be read ends with one sentence': {
    tests: [good],
    assay: { accepted: 'no-such.yaml' },
    code: 2,
    report: {
      because: 'The list of accepted rules no-such.yaml cannot be read: check the path in ACCEPTED.',
    },
  },
  'trouble that went away leaves a green run, which tells of it': {
    tests: [
      about(
        'THING-A',
        { status: 'failed', errors: ['Unanswered: the answer was 503'], journal: inTrouble },
        passed('THING-A'),
      ),
      alsoGood,
    ],
    code: 0,
    report: {
      run: {
        tests: { passed: 2, failed: 0, skipped: 0, didNotRun: 0 },
        repeats: [{ test: LABEL, why: 'the answer was 503', outcome: 'trouble went away' }],
      },
    },
    says: '1 test was repeated: 1 met trouble that went away.',
  },
  'a repeat that the runner skips is no attempt': {
    tests: [
      about(
        'THING-A',
        { status: 'failed', errors: ['repeated after trouble: 503'], journal: inTrouble },
        { status: 'skipped' },
      ),
      alsoGood,
    ],
    code: 2,
    report: {
      run: { repeats: [] },
      rules: thing('THING-A', {
        verdict: 'inconclusive',
        reason: 'the answer was 503',
        mend: 'run again: the network or the target was in trouble',
      }),
    },
  },
  'a wrong answer that does not come back is violated all the same, and called intermittent': {
    tests: [about('THING-A', broken('THING-A'), passed('THING-A')), alsoGood],
    code: 1,
    report: { defects: [{ rule: 'THING-A', count: 1, steadiness: 'intermittent' }] },
    says: 'violated THING-A (intermittent): expected 1, got 2',
  },
  'a target that went away is told once, and ends with 2': {
    tests: [alsoGood, about('THING-A', away), about('THING-A', away)],
    code: 2,
    report: { verdict: 'not judged', run: { gone, tests: { didNotRun: 2 } } },
    says: 'It had answered nothing before. 2 tests did not run;',
  },
};

for (const [sentence, { tests, assay, code, report, says = '' }] of Object.entries(ROWS))
  test(sentence, async () => {
    const run = await judged(tests, assay);
    expect(run.report).toMatchObject(report);
    expect(run.code, run.stdout).toBe(code);
    expect(run.stdout).toContain(says);
    expect(run.stdout.match(/went away at/g)?.length ?? 0).toBeLessThan(2);
  });

test('all files are written, and a rule that drops out of verified in the next run is named', async () => {
  const { outputDir } = await judged([good, alsoGood]);
  const names = ['index.html', 'conformance.json', 'junit.xml', 'assay.sarif', 'summary.md'];
  for (const name of [...names, 'exchanges.ndjson', 'badge.svg', 'badge.json'])
    expect(existsSync(join(outputDir, name)), name).toBe(true);
  const unsure = about('THING-A', { journal: { checks: [check('inconclusive')] } });
  const { code, report } = await judged([unsure, alsoGood], {}, outputDir);
  expect(code).toBe(2);
  expect(report.comparison?.noLongerVerified).toEqual(['THING-A']);
  expect(report.because).toMatch(/ No longer verified: THING-A\.$/);
});
