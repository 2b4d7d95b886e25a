import { expect, test } from '@playwright/test';
import type { FullConfig, TestCase } from '@playwright/test/reporter';
import { expectedAndGot } from '../../reports/verdicts/defects.ts';
import LiveReporter from '../../reports/live.ts';
import { terminalSummary } from '../../reports/write/terminal.ts';
import { testCase, type Try } from './ended-tests.ts';
import { finding, sampleReport } from './sample.ts';

const FINDING = finding({
  message: 'expected 1, got 2\u001b[2J',
  line: 'specs/agents/approval.spec.ts:18',
});
const broken = (...findings: readonly object[]): Try => ({
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
  const waits = testCase('waits', [broken(FINDING), broken(FINDING)]);
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
    testCase(`test ${index}`, [index === 3 ? broken(FINDING) : { journal: {} }]),
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

test('a flood of defects is told by its tests alone; the closing list has them', () => {
  const many = Array.from({ length: 40 }, (_, index) => finding({ rule: `THING-${index}` }));
  expect(watched(testCase('waits', [broken(...many)])).match(/violated /g)).toHaveLength(30);
});

test('thirty broken rules close in 60 lines', () => {
  const { report } = sampleReport({ defects: 30 });
  const lines = terminalSummary(report, [{ purpose: 'report', path: 'x' }], { colour: false }).split('\n');
  expect(lines.length).toBeLessThanOrEqual(60);
  const defects = lines.filter((line) => /^(?:violated|known) /.test(line));
  expect(defects).toHaveLength(30);
  for (const line of defects) expect(line.length).toBeLessThanOrEqual(240);
});

for (const [message, expected, got] of [
  ['"x": expected status A, got B', '"x": expected status A', 'B'],
  ['must be one of A, B; seen "C".', 'must be one of A, B', '"C".'],
  ['Expected an action.\nSeen: none', 'an action', 'none'],
  ['success is answered with 200, not with 201', 'success: 201', '200'],
  ['createdAt must be a date-time, but is 7', 'createdAt: a date-time', '7'],
  ['source is missing', 'source', 'nothing'],
  ['the header x is missing', 'the header x is missing', undefined],
] as const)
  test(`"${message}" is told in the halves that it has`, () =>
    expect(expectedAndGot(message)).toEqual(got === undefined ? { expected } : { expected, got }));
