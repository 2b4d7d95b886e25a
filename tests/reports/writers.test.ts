import { readFileSync } from 'node:fs';
import addFormats from 'ajv-formats';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { convert } from 'xmlbuilder2';
import type { FullConfig, TestCase } from '@playwright/test/reporter';
import LiveReporter from '../../reports/live.ts';
import { buildReport } from '../../reports/verdicts/build-report.ts';
import type { ConformanceReport } from '../../reports/verdicts/model.ts';
import { terminalSummary } from '../../reports/write/terminal.ts';
import { applicable } from '../../reports/verdicts/totals.ts';
import { badgeJson, badgeSvg } from '../../reports/write/badge.ts';
import { junitXml } from '../../reports/write/junit.ts';
import { sarif } from '../../reports/write/sarif.ts';
import { summaryMarkdown } from '../../reports/write/summary.ts';
import {
  check,
  exchange,
  finding,
  journal,
  record,
  rule,
  sampleInput,
  sampleReport,
  testCase,
  type Try,
} from './sample.ts';

const schema = JSON.parse(
  readFileSync(new URL('../../reports/conformance.schema.json', import.meta.url), 'utf8'),
) as object;
const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(closed(schema) as object);

/** Readers pass over keys that they do not know; what we write, the schema knows. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const isOpen =
    'properties' in node && !('additionalProperties' in node) && typeof node.properties === 'object';
  return isOpen && 'type' in node ? { ...inner, additionalProperties: false } : inner;
}

const gone = {
  ...{ at: '2026-11-21T10:20:30.000Z', why: 'silence' },
  lastAnswered: { label: 'a', at: '2026-11-21T10:20:29.000Z', status: 201 },
};
const CREATED = { status: 201, headers: {}, body: '' };
const clean = sampleInput({ defects: 0 });
const broken = sampleInput({ defects: 9 });
/** The first rules of the sample, and their ids. */
const RULES = clean.rules.slice(0, 4);
const [FIRST = '', SECOND = ''] = RULES.map(({ id }) => id);
const wrong = finding({ rule: FIRST, message: 'wrong' });
const didNotRun = record({ standing: 'did not run', outcome: 'did not run', journal: journal({ gone }) });
const assay = { ...clean.assay, usageError: 'Nobody answers.' };
const withFinding = (message: string) =>
  buildReport({ ...clean, tests: [record({ journal: journal({ findings: [{ ...wrong, message }] }) })] });

const REPORTS: Readonly<Record<string, ConformanceReport>> = {
  'a run without defects': buildReport(clean),
  'a run with defects': buildReport(broken),
  'a run beside an earlier one': buildReport({ ...broken, baseline: buildReport(clean) }),
  'a part on a target that went away': buildReport({
    ...broken,
    partial: true,
    accepted: new Map([[FIRST, 'so']]),
    tests: [...broken.tests, { ...record(), repeat: { why: 'trouble', outcome: 'same' } }, didNotRun],
  }),
  'a run that could not start': buildReport({ ...broken, assay }),
};

for (const [what, report] of Object.entries(REPORTS))
  test(`conformance.json of ${what} keeps to its schema`, () => {
    expect(validate(JSON.parse(JSON.stringify(report))), JSON.stringify(validate.errors)).toBe(true);
  });

test('what a target answered last is told by any test, where the one that found it gone knows of no answer', () => {
  const { lastAnswered, ...found } = gone;
  const answered = (at: string) =>
    exchange(at, { label: at === lastAnswered.at ? 'a' : 'another', at, response: CREATED });
  const seen = journal({ exchanges: [lastAnswered.at, '2026-11-21T10:20:28.000Z'].map(answered) });
  const unrun = { ...didNotRun, journal: journal({ gone: found }) };
  const { run } = buildReport({ ...clean, tests: [record({ journal: seen }), unrun] });
  expect(run.gone).toEqual(gone);
});

test('a finding of a rule that the catalogue does not have is an error of the run', () => {
  const stray = record({ journal: journal({ checks: [check('passed', { rule: 'NO-SUCH' })] }) });
  const report = buildReport({ ...clean, tests: [...clean.tests, stray] });
  expect(report.verdict).toBe('not judged');
  expect(report.run.engineErrors[0]).toContain('NO-SUCH');
});

test('a finding of an excluded rule is shown, not excluded', () => {
  const excluded = rule('THING-A', { excluded: 'unseen' });
  const seen = record({ journal: journal({ findings: [finding()] }) });
  const { verdict, rules } = buildReport({ ...clean, rules: [excluded], tests: [seen] });
  expect(verdict).toBe('violated');
  expect(rules).toEqual([expect.objectContaining({ verdict: 'violated' })]);
  expect(rules[0]?.excluded).toBeUndefined();
});

interface Xml {
  readonly testsuites: Record<string, string> & { testsuite: readonly Record<string, unknown>[] };
}

test('junit.xml has a suite an area and a case a rule', () => {
  const report = buildReport(broken);
  const { testsuites } = convert(junitXml(report), { format: 'object' }) as unknown as Xml;
  expect(testsuites.testsuite.map((suite) => suite['@name'])).toEqual(Object.keys(report.areas));
  expect(testsuites['@tests']).toBe(String(report.rules.length));
  const count = (verdict: string) =>
    String(report.rules.filter((each) => each.verdict === verdict && each.excluded === undefined).length);
  expect(testsuites['@failures']).toBe(count('violated'));
  expect(testsuites['@errors']).toBe(count('inconclusive'));
});

test('junit.xml survives what XML cannot hold', () => {
  const xml = junitXml(withFinding(`]]> <b> \u0000 \u001b[31m \ud800 & "q"`));
  expect(() => convert(xml, { format: 'object' })).not.toThrow();
  expect(xml).not.toMatch(/[\u0000\u001b]/);
});

for (const [what, report, error] of [
  ['could not judge', buildReport({ ...clean, assay }), 'type="not judged" message="Nobody answers."'],
  ['is not complete', buildReport(clean), 'type="incomplete" message="No MUST rule was found violated, but'],
] as const)
  test(`junit.xml shows a run that ${what} as an error`, () =>
    expect(junitXml(report)).toContain(`<error ${error}`));

test('assay.sarif names the rule, the line of the spec and the same fingerprint in every run', () => {
  const { report } = sampleReport({ defects: 5 });
  const { runs, version } = JSON.parse(sarif(report)) as {
    version: string;
    runs: {
      tool: { driver: { rules: { id: string }[] } };
      results: {
        ruleId: string;
        ruleIndex: number;
        level: string;
        partialFingerprints: object;
        suppressions?: unknown;
        locations: {
          physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } };
        }[];
      }[];
    }[];
  };
  expect(version).toBe('2.1.0');
  const [run] = runs;
  expect(run?.results).toHaveLength(5);
  for (const result of run?.results ?? []) {
    expect(run?.tool.driver.rules[result.ruleIndex]?.id).toBe(result.ruleId);
    expect(result.locations[0]?.physicalLocation.region.startLine).toBeGreaterThan(0);
    expect(result.locations[0]?.physicalLocation.artifactLocation.uri).not.toMatch(/^\/|^\w+:/);
  }
  // What is known is there, and told to be accepted.
  expect(run?.results.filter(({ suppressions }) => suppressions)).toHaveLength(1);
  const ids = (text: string) => text.match(/"assayDefect\/v1": "[^"]+"/g);
  expect(ids(sarif(sampleReport({ defects: 5 }).report))).toEqual(ids(sarif(report)));
});

test('summary.md says verdict, denominator, change and defects, and takes nothing for markup', () => {
  const before = buildReport({ ...sampleInput({ defects: 1 }), startedAt: '2026-11-20T02:00:00.000Z' });
  const input = sampleInput({ defects: 2 });
  const name = '[click](javascript:x) <img src=x> @everyone | `x` https://evil.test';
  const attacked = { ...input.assay, target: { ...input.assay.target, name } };
  const report = buildReport({ ...input, assay: attacked, baseline: before, baselineChosen: true });
  const text = summaryMarkdown(report);
  for (const told of ['**violated**', '1 new, 1 still failing, 0 mended', '| **new** |'])
    expect(text).toContain(told);
  expect(text).toMatch(/\d+ of 231 MUST rules verified, 2 violated/);
  for (const markup of ['[click](', '<img', '@everyone', 'https://evil']) expect(text).not.toContain(markup);
});

test('the terminal summary starts with the denominator, and names every defect and file', () => {
  const { report } = sampleReport({ defects: 3 });
  const files = [{ purpose: 'report', path: 'reports/out/index.html' }];
  const text = terminalSummary(report, files, { colour: false });
  const { verified, violated, notVerified } = report.totals.MUST;
  const must = `MUST ${verified} verified, ${violated} violated, ${notVerified} not verified`;
  expect(text).toMatch(new RegExp(`^${must}.*\nSHOULD .*\nMAY `));
  for (const defect of report.defects) expect(text).toContain(defect.rule);
  expect(text.split('\n').at(-2)).toBe('report    reports/out/index.html');
  expect(text).not.toMatch(/\u001b/);
  expect(terminalSummary(report, files, { colour: true })).toMatch(/\u001b\[/);
});

test('badges tell the denominator, and say when it was not reached', () => {
  const complete = buildReport({ ...clean, accepted: new Map(clean.rules.map(({ id }) => [id, 'so'])) });
  const message = `${complete.totals.MUST.verified} of ${applicable(complete.totals.MUST)} MUST verified`;
  expect(JSON.parse(badgeJson(complete))).toMatchObject({ schemaVersion: 1, label: 'conformance', message });
  expect(badgeSvg(complete)).toContain(`conformance: ${message}`);
  expect(badgeSvg(buildReport(clean))).toContain(`conformance: incomplete, ${message}`);
});

test('what a target says reaches a terminal as one plain line', () => {
  const evil = `expected 1\u001b[2J\u009b31m\u007f,\r\n  seen\t2 ${'x'.repeat(500)}`;
  const finds = { ...wrong, place: `a\u001b[1m`, message: evil };
  const lacks = { rules: [SECOND], standing: 'unprepared', mend: evil, reason: evil } as const;
  const report = buildReport({
    ...clean,
    errors: [evil],
    tests: [
      record({ journal: journal({ findings: [finds] }) }),
      record({ ...lacks, repeat: { why: evil, outcome: 'same' } }),
      { ...didNotRun, journal: journal({ gone: { ...gone, why: evil } }) },
    ],
  });
  const text = terminalSummary(report, [], { colour: false });
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  const line = text.split('\n').find((each) => each.startsWith('violated')) ?? '';
  expect(line).toContain(': expected 1\\u001b[2J\\u009b31m\\u007f, seen 2 xxx');
  expect(line.length).toBeLessThan(260);
});

test('accepted rules are counted apart, stay in the denominator, and do not make a run incomplete', () => {
  const report = buildReport({
    ...clean,
    rules: RULES.slice(0, 2),
    tests: [record({ journal: journal({ seen: { [FIRST]: 1 } }) })],
    accepted: new Map([
      [SECOND, 'No sandbox for it.'],
      [FIRST, 'It was so once.'],
    ]),
  });
  expect(report).toMatchObject({
    ...{ verdict: 'conforming', open: [], noLongerNeedsAcceptance: [FIRST] },
    totals: { MUST: { verified: 1, accepted: 1, notVerified: 0 } },
    rules: [
      { reason: 'It no longer needs acceptance.' },
      { verdict: 'not verified', accepted: 'No sandbox for it.' },
    ],
  });
  expect(applicable(report.totals.MUST)).toBe(2);
  const text = terminalSummary(report, [], { colour: false });
  expect(text).toContain('MUST 1 verified, 0 violated, 0 not verified, 1 accepted\n');
  expect(text).toContain(`No longer in need of acceptance: ${FIRST}\n`);
  expect(junitXml(report)).toContain(
    '<skipped message="accepted: No sandbox for it. (No check exists yet.)"',
  );
});

for (const [asked, verdict, names] of [
  [[], 'incomplete', 2],
  [[FIRST], 'conforming', 1],
  [[SECOND], 'incomplete', 1],
] as const)
  test(`a part that asks for ${asked.join() || 'no rule by name'} is judged on ${names}: ${verdict}`, () => {
    const tests = [record({ rules: [FIRST, SECOND], journal: journal({ seen: { [FIRST]: 1 } }) })];
    const report = buildReport({ ...clean, rules: RULES.slice(0, 3), tests, partial: true, asked });
    expect(report).toMatchObject({ verdict, run: { scope: { named: names } } });
  });

const FINDING = finding({
  message: 'expected 1, got 2\u001b[2J',
  line: 'specs/agents/approval.spec.ts:18',
});
const seenBroken = (...findings: readonly object[]): Try => ({
  status: 'failed',
  errors: ['THING-A: expected 1, got 2'],
  journal: { findings: findings as (typeof FINDING)[] },
});

function watched(...tests: readonly TestCase[]): string {
  let text = '';
  const reporter = new LiveReporter({ write: (more) => (text += more), colour: false });
  const config = { argv: ['node', 'playwright', 'test'] } as unknown as FullConfig;
  reporter.onBegin(config, { allTests: () => tests });
  for (const each of tests) for (const result of each.results) reporter.onTestEnd(each, result);
  return text;
}

test('one line a test, without tags; a finding with its rule, both halves and the line of the spec', () => {
  const waits = testCase('waits', [seenBroken(FINDING), seenBroken(FINDING)]);
  expect(watched(waits, testCase('runs', [{ journal: {} }]))).toBe(
    [
      '1/2 ✕ agents/approval › waits (1.2 s)',
      '      violated THING-A',
      '      expected 1',
      '      got      2\\u001b[2J',
      '      where    specs/agents/approval.spec.ts:18',
      '1/2 ✕ agents/approval › waits, again (1.2 s)',
      '2/2 ✓ agents/approval › runs (1.2 s)',
      '',
    ].join('\n'),
  );
});

test('on a terminal one line moves, and what did not simply pass stays', () => {
  let text = '';
  const reporter = new LiveReporter({ write: (more) => (text += more), colour: false, columns: 40 });
  const tests = Array.from({ length: 30 }, (_, index) =>
    testCase(`test ${index}`, [index === 3 ? seenBroken(FINDING) : { journal: {} }]),
  );
  reporter.onBegin({ argv: [] } as unknown as FullConfig, { allTests: () => tests });
  for (const each of tests) for (const result of each.results) reporter.onTestEnd(each, result);
  reporter.onEnd();
  const rows = text.split('\n');
  expect(rows).toHaveLength(6);
  const drawn = text.split('\r\u001b[K').filter((part) => part !== '' && !part.includes('\n'));
  expect(drawn[0]).toBe('1 of 30 tests · nothing violated so far');
  expect(drawn.at(-1)).toBe('30 of 30 tests · 1 violated so far · ag');
  expect(text.endsWith('\r\u001b[K')).toBe(true);
});
