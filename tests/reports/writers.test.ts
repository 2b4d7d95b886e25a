import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { convert } from 'xmlbuilder2';
import { buildReport } from '../../reports/build.ts';
import { terminalSummary } from '../../reports/terminal.ts';
import { applicable } from '../../reports/totals.ts';
import { badgeJson, badgeSvg } from '../../reports/write/badge.ts';
import { junitXml } from '../../reports/write/junit.ts';
import { exchangesNdjson } from '../../reports/write/ndjson.ts';
import { exchange, journal, record, rule, sampleInput, sampleReport } from './sample.ts';

const schema = JSON.parse(
  readFileSync(new URL('../../reports/conformance.schema.json', import.meta.url), 'utf8'),
) as object;
const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(schema);

for (const defects of [0, 9]) {
  test(`conformance.json with ${defects} defects keeps to its schema`, () => {
    const first = sampleReport({ defects: 0 }).report;
    const report = buildReport({ ...sampleInput({ defects }), baseline: first });
    expect(validate(JSON.parse(JSON.stringify(report))), JSON.stringify(validate.errors)).toBe(true);
    expect(report.comparison?.newlyViolated).toHaveLength(defects === 0 ? 0 : 8);
  });
}

test('conformance.json of a run that could not start keeps to its schema', () => {
  const input = sampleInput({ defects: 3 });
  const report = buildReport({ ...input, assay: { ...input.assay, usageError: 'Nobody answers.' } });
  expect(validate(JSON.parse(JSON.stringify(report))), JSON.stringify(validate.errors)).toBe(true);
  expect(report).toMatchObject({ verdict: 'not judged', because: 'Nobody answers.', defects: [] });
  expect(report.rules.filter((each) => each.verdict !== 'not verified')).toEqual([]);
});

test('totals add up to the number of rules', () => {
  const { report } = sampleReport({ defects: 9 });
  const all = Object.values(report.totals);
  const sum = all.reduce((total, each) => total + applicable(each) + each.notApplicable + each.excluded, 0);
  expect(sum).toBe(report.rules.length);
});

test('a finding of a rule that the catalogue does not have is an error of the run', () => {
  const input = sampleInput({ defects: 0 });
  const stray = record({
    journal: journal({ checks: [{ rule: 'NO-SUCH', outcome: 'passed', exchanges: [] }] }),
  });
  const report = buildReport({ ...input, tests: [...input.tests, stray] });
  expect(report.verdict).toBe('not judged');
  expect(report.run.engineErrors[0]).toContain('NO-SUCH');
});

test('a finding of an excluded rule is shown, not excluded', () => {
  const input = sampleInput({ defects: 0 });
  const excluded = rule('THING-X', { excluded: 'unseen' });
  const finding = { rule: 'THING-X', place: 'THING-X', message: 'seen after all', exchanges: [] };
  const report = buildReport({
    ...input,
    rules: [...input.rules, excluded],
    tests: [...input.tests, record({ journal: journal({ findings: [finding] }) })],
  });
  expect(report.verdict).toBe('violated');
  expect(report.rules.at(-1)).toMatchObject({ verdict: 'violated' });
  expect(report.rules.at(-1)?.excluded).toBeUndefined();
});

interface Xml {
  readonly testsuites: Record<string, string> & { testsuite: readonly Record<string, unknown>[] };
}

test('junit.xml has a suite an area and a case a rule', () => {
  const { report } = sampleReport({ defects: 9 });
  const { testsuites } = convert(junitXml(report), { format: 'object' }) as unknown as Xml;
  expect(testsuites.testsuite.map((suite) => suite['@name'])).toEqual(Object.keys(report.areas));
  expect(testsuites['@tests']).toBe(String(report.rules.length));
  const count = (verdict: string) =>
    String(report.rules.filter((each) => each.verdict === verdict && each.excluded === undefined).length);
  expect(testsuites['@failures']).toBe(count('violated'));
  expect(testsuites['@errors']).toBe(count('inconclusive'));
});

test('junit.xml survives what XML cannot hold', () => {
  const input = sampleInput({ defects: 0 });
  const id = input.rules[0]?.id ?? '';
  const finding = { rule: id, place: id, message: `]]> <b> \u0000 \u001b[31m \ud800 & "q"`, exchanges: [] };
  const report = buildReport({ ...input, tests: [record({ journal: journal({ findings: [finding] }) })] });
  const xml = junitXml(report);
  expect(() => convert(xml, { format: 'object' })).not.toThrow();

  expect(xml).not.toMatch(/[\u0000\u001b]/);
});

test('junit.xml shows a run that could not judge as an error', () => {
  const input = sampleInput({ defects: 0 });
  const report = buildReport({
    ...input,
    tests: [],
    assay: { ...input.assay, usageError: 'Nobody answers.' },
  });
  expect(junitXml(report)).toMatch(/<error type="not judged" message="Nobody answers\."/);
});

test('exchanges.ndjson has one line an exchange, in the order of time', () => {
  const late = exchange('late', { at: '2026-11-21T10:20:31.000Z' });
  const early = exchange('early', { at: '2026-11-21T10:20:29.000Z', label: 'two\nlines' });
  const text = exchangesNdjson([record({ journal: journal({ exchanges: [late, early] }) })]);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; test: string });
  expect(lines.map((line) => line.id)).toEqual(['early', 'late']);
  expect(lines[0]?.test).toContain('approval.spec.ts');
});

test('the terminal summary starts with the denominator, and names every defect and file', () => {
  const { report } = sampleReport({ defects: 3 });
  const files = [{ purpose: 'report', path: 'reports/out/index.html' }];
  const lines = terminalSummary(report, files, { colour: false }).split('\n');
  const { MUST } = report.totals;
  expect(lines[0]).toMatch(
    `MUST ${MUST.verified} verified, ${MUST.violated} violated, ${MUST.notVerified} not verified`,
  );
  expect(lines[1]).toMatch(/^SHOULD /);
  expect(lines[2]).toMatch(/^MAY /);
  for (const defect of report.defects) expect(lines.join('\n')).toContain(`${defect.rule}`);
  expect(lines.at(-2)).toBe('report    reports/out/index.html');

  expect(lines.join('')).not.toMatch(/\u001b/);

  expect(terminalSummary(report, files, { colour: true })).toMatch(/\u001b\[/);
});

test('badges tell the denominator', () => {
  const { report } = sampleReport({ defects: 0 });
  const message = `${report.totals.MUST.verified} of ${applicable(report.totals.MUST)} MUST verified`;
  expect(JSON.parse(badgeJson(report))).toMatchObject({ schemaVersion: 1, label: 'conformance', message });
  expect(badgeSvg(report)).toContain(`conformance: ${message}`);
});
