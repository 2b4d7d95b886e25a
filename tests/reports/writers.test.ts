import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { convert } from 'xmlbuilder2';
import { buildReport } from '../../reports/build-report.ts';
import { terminalSummary } from '../../reports/terminal.ts';
import { applicable } from '../../reports/totals.ts';
import { badgeJson, badgeSvg } from '../../reports/write/badge.ts';
import { sarif } from '../../reports/write/sarif.ts';
import { summaryMarkdown } from '../../reports/write/summary.ts';
import { junitXml } from '../../reports/write/junit.ts';
import { exchangesNdjson } from '../../reports/write/report-files.ts';
import { exchange, journal, record, rule, sampleInput, sampleReport } from './sample.ts';

const schema = JSON.parse(
  readFileSync(new URL('../../reports/conformance.schema.json', import.meta.url), 'utf8'),
) as object;
const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);
/** Readers pass over keys that they do not know; what we write, the schema knows. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const isOpen =
    'properties' in node && !('additionalProperties' in node) && typeof node.properties === 'object';
  return isOpen && 'type' in node ? { ...inner, additionalProperties: false } : inner;
}

const validate = ajv.compile(closed(schema) as object);

for (const defects of [0, 9]) {
  test(`conformance.json with ${defects} defects keeps to its schema`, () => {
    const first = sampleReport({ defects: 0 }).report;
    const report = buildReport({ ...sampleInput({ defects }), baseline: first });
    expect(validate(JSON.parse(JSON.stringify(report))), JSON.stringify(validate.errors)).toBe(true);
    expect(report.comparison?.newlyViolated).toHaveLength(defects === 0 ? 0 : 8);
    const [one, ...others] = sampleInput({ defects }).tests;
    const journalOf = { ...journal(), ...one?.journal };
    const gone = {
      at: '2026-11-21T10:20:30.000Z',
      why: 'silence',
      lastAnswered: { label: 'a', at: '2026-11-21T10:20:29.000Z', status: 201 },
    };
    const rich = buildReport({
      ...sampleInput({ defects }),
      partial: true,
      accepted: new Map([[report.rules[0]?.id ?? '', 'so']]),
      tests: [
        { ...record(), ...one, repeat: { why: 'trouble', outcome: 'same' } },
        ...others,
        record({ standing: 'did not run', outcome: 'did not run', journal: { ...journalOf, gone } }),
      ],
    });
    expect(rich.run.gone).toEqual(gone);
    expect(validate(JSON.parse(JSON.stringify(rich))), JSON.stringify(validate.errors)).toBe(true);
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
  const attack = '[click](javascript:x) <img src=x> @everyone | `x` https://evil.test';
  const assay = { ...input.assay, target: { ...input.assay.target, name: attack } };
  const text = summaryMarkdown(buildReport({ ...input, assay, baseline: before, baselineChosen: true }));
  expect(text).toContain('**violated**');
  expect(text).toMatch(/\d+ of 231 MUST rules verified, 2 violated/);
  expect(text).toContain('1 new, 1 still failing, 0 mended');
  expect(text).toContain('| **new** |');
  expect(text).not.toContain('[click](');
  expect(text).not.toContain('<img');
  expect(text).not.toContain('@everyone');
  expect(text).not.toContain('https://evil');
});

test('exchanges.ndjson has one line an exchange, in the order of time', () => {
  const late = exchange('late', { at: '2026-11-21T10:20:31.000Z' });
  const early = exchange('early', { at: '2026-11-21T10:20:29.000Z', label: 'two\nlines' });
  const text = exchangesNdjson([record({ journal: journal({ exchanges: [late, early] }) })]);
  const lines = text
    .join('')
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

test('badges tell the denominator, and say when it was not reached', () => {
  const input = sampleInput({ defects: 0 });
  const complete = buildReport({ ...input, accepted: new Map(input.rules.map(({ id }) => [id, 'so'])) });
  const message = `${complete.totals.MUST.verified} of ${applicable(complete.totals.MUST)} MUST verified`;
  expect(JSON.parse(badgeJson(complete))).toMatchObject({ schemaVersion: 1, label: 'conformance', message });
  expect(badgeSvg(complete)).toContain(`conformance: ${message}`);
  expect(badgeSvg(buildReport(input))).toContain(`conformance: incomplete, ${message}`);
});

test('junit.xml shows what keeps a run from being complete as an error', () => {
  const { report } = sampleReport({ defects: 0 });
  expect(junitXml(report)).toContain(
    '<error type="incomplete" message="No MUST rule was found violated, but',
  );
});

test('what a target says reaches a terminal as one plain line', () => {
  const input = sampleInput({ defects: 0 });
  const id = input.rules[0]?.id ?? '';
  const evil = `expected 1\u001b[2J\u009b31m\u007f,\r\n  seen\t2 ${'x'.repeat(500)}`;
  const gone = { at: '2026-11-21T10:20:30.000Z', why: evil };
  const report = buildReport({
    ...input,
    errors: [evil],
    tests: [
      record({
        journal: journal({ findings: [{ rule: id, place: `a\u001b[1m`, message: evil, exchanges: [] }] }),
      }),
      record({
        standing: 'unprepared',
        mend: evil,
        reason: evil,
        rules: [input.rules[1]?.id ?? ''],
        repeat: { why: evil, outcome: 'same' },
      }),
      record({ standing: 'did not run', outcome: 'did not run', journal: journal({ gone }) }),
    ],
  });
  const text = terminalSummary(report, [], { colour: false });
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  const line = text.split('\n').find((each) => each.startsWith('violated')) ?? '';
  expect(line).toContain(': expected 1\\u001b[2J\\u009b31m\\u007f, seen 2 xxx');
  expect(line.length).toBeLessThan(260);
});

test('the terminal says what would mend the open rules, the order that mends most first', () => {
  const input = sampleInput({ defects: 0 });
  const rules = input.rules.slice(0, 4);
  const ids = rules.map((each) => each.id);
  const unprepared = (mend: string, ...named: string[]) =>
    record({ standing: 'unprepared', reason: 'no such state', mend, rules: named });
  const tests = [
    unprepared('serve the state `a`', ids[0] ?? ''),
    unprepared('serve the state `b`', ids[1] ?? '', ids[2] ?? ''),
    record({ journal: journal({ seen: { [ids[3] ?? '']: 1 } }) }),
  ];
  const report = buildReport({ ...input, rules, tests });
  expect(report).toMatchObject({
    verdict: 'incomplete',
    open: [
      { mend: 'serve the state `b`', rules: [ids[1], ids[2]] },
      { mend: 'serve the state `a`', rules: [ids[0]] },
    ],
  });
  expect(terminalSummary(report, [], { colour: false })).toContain(
    'What would mend the open MUST rules:\n  serve the state `b`: 2 rules\n  serve the state `a`: 1 rule\n',
  );
});

test('accepted rules are counted apart, stay in the denominator, and do not make a run incomplete', () => {
  const input = sampleInput({ defects: 0 });
  const rules = input.rules.slice(0, 2);
  const [kept = '', open = ''] = rules.map((each) => each.id);
  const tests = [record({ journal: journal({ seen: { [kept]: 1 } }) })];
  const reasons = new Map([
    [open, 'No sandbox for it.'],
    [kept, 'It was so once.'],
  ]);
  const report = buildReport({ ...input, rules, tests, accepted: reasons });
  expect(report.verdict).toBe('conforming');
  expect(report.open).toEqual([]);
  expect(report.totals.MUST).toMatchObject({ verified: 1, accepted: 1, notVerified: 0 });
  expect(applicable(report.totals.MUST)).toBe(2);
  expect(report.rules[1]).toMatchObject({ verdict: 'not verified', accepted: 'No sandbox for it.' });
  expect(report.noLongerNeedsAcceptance).toEqual([kept]);
  expect(report.rules[0]?.reason).toBe('It no longer needs acceptance.');
  const text = terminalSummary(report, [], { colour: false });
  expect(text).toContain('MUST 1 verified, 0 violated, 0 not verified, 1 accepted\n');
  expect(text).toContain(`No longer in need of acceptance: ${kept}\n`);
  expect(junitXml(report)).toContain(
    '<skipped message="accepted: No sandbox for it. (No check exists yet.)"',
  );
});

test('a part is judged, and counted, on the rules that its tests name', () => {
  const input = sampleInput({ defects: 0 });
  const rules = input.rules.slice(0, 4);
  const [named = '', stray = '', other = ''] = rules.map((each) => each.id);
  const finding = { rule: stray, place: stray, message: 'wrong', exchanges: [] };
  const test = record({
    rules: [named],
    journal: journal({ rules: [named], seen: { [named]: 1, [other]: 1 } }),
  });
  const good = buildReport({ ...input, rules, tests: [test], partial: true });
  expect(good).toMatchObject({ verdict: 'conforming', run: { partial: true, scope: { named: 1 } } });
  expect(good.totals.MUST).toMatchObject({ verified: 1, notVerified: 0 });
  expect(good.rules.map((each) => each.inScope)).toEqual([undefined, false, false, false]);
  expect(terminalSummary(good, [], { colour: false })).toMatch(
    /^A part of the suite: judged on 1 of the 4 MUST rules that apply\.\nMUST 1 verified/,
  );
  const broken = { ...test, journal: { ...test.journal, findings: [finding] } } as typeof test;
  const bad = buildReport({ ...input, rules, tests: [broken], partial: true });
  expect(bad.verdict).toBe('violated');
  expect(bad.rules[1]).not.toHaveProperty('inScope');
});

test('a part that asks for a rule by name is judged on that rule alone', () => {
  const input = sampleInput({ defects: 0 });
  const rules = input.rules.slice(0, 3);
  const [shown = '', open = ''] = rules.map((each) => each.id);
  const tests = [
    record({ rules: [shown, open], journal: journal({ rules: [shown, open], seen: { [shown]: 1 } }) }),
  ];
  const judged = (...asked: string[]) => buildReport({ ...input, rules, tests, partial: true, asked });
  expect(judged()).toMatchObject({ verdict: 'incomplete', run: { scope: { named: 2 } } });
  expect(judged(shown)).toMatchObject({ verdict: 'conforming', run: { scope: { named: 1 } } });
  expect(judged(open)).toMatchObject({ verdict: 'incomplete', run: { scope: { named: 1 } } });
});
