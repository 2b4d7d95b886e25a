import { expect, test } from '@playwright/test';
import type { FullConfig, TestCase, TestResult } from '@playwright/test/reporter';
import { expectedAndGot } from '../../reports/defects.ts';
import LiveReporter from '../../reports/live.ts';
import { terminalSummary } from '../../reports/terminal.ts';
import { JOURNAL_ATTACHMENT } from '../../journal/types.ts';
import { leavesTestsOut, onlyLists, chosenReporters } from '../../reports/command-line.ts';
import { journal, sampleReport } from './sample.ts';

const testCase = (title: string): TestCase =>
  ({
    titlePath: () => ['', '', 'agents/approval.spec.ts', title],
    location: { file: '/x/specs/agents/approval.spec.ts', line: 12, column: 1 },
    annotations: [],
    tags: ['@THING-A'],
    results: [],
  }) as unknown as TestCase;

function result(findings: readonly object[], retry = 0): TestResult {
  const body = Buffer.from(JSON.stringify({ ...journal(), findings }));
  const isRed = findings.length > 0;
  return {
    retry,
    status: isRed ? 'failed' : 'passed',
    duration: 1_234,
    errors: isRed ? [{ message: 'THING-A: expected 1, got 2' }] : [],
    annotations: [],
    attachments: [{ name: JOURNAL_ATTACHMENT, contentType: 'application/json', body }],
  } as unknown as TestResult;
}

const FINDING = {
  rule: 'THING-A',
  place: 'THING-A',
  message: 'expected 1, got 2\u001b[2J',
  exchanges: [],
  line: 'specs/agents/approval.spec.ts:18',
};

function watched(...ended: readonly [TestCase, TestResult][]): string {
  let text = '';
  const reporter = new LiveReporter({ write: (more) => (text += more), colour: false });
  const config = { argv: ['node', 'playwright', 'test'] } as unknown as FullConfig;
  reporter.onBegin(config, { allTests: () => ended.map(([each]) => each) });
  for (const [each, how] of ended) reporter.onTestEnd(each, how);
  return text;
}

test('one line a test, without tags; a finding with its rule, both halves and the line of the spec', () => {
  const [one, two] = [testCase('waits'), testCase('runs')];
  expect(watched([one, result([FINDING])], [one, result([FINDING], 1)], [two, result([])])).toBe(
    [
      '1/3 ✕ agents/approval › waits (1.2 s)',
      '      violated THING-A',
      '      expected 1',
      '      got      2\\u001b[2J',
      '      where    specs/agents/approval.spec.ts:18',
      '1/3 ✕ agents/approval › waits, again (1.2 s)',
      '2/3 ✓ agents/approval › runs (1.2 s)',
      '',
    ].join('\n'),
  );
});

test('a flood of defects is told by its tests alone; the closing list has them', () => {
  const many = Array.from({ length: 40 }, (_, index) => ({
    ...FINDING,
    rule: `THING-${index}`,
    place: `THING-${index}`,
  }));
  expect(watched([testCase('waits'), result(many)]).match(/violated /g)).toHaveLength(30);
});

test('thirty broken rules close in 60 lines', () => {
  const { report } = sampleReport({ defects: 30 });
  const text = terminalSummary(report, [{ purpose: 'report', path: 'x' }], { colour: false });
  expect(text.split('\n').length).toBeLessThanOrEqual(60);
  expect(text.match(/^(?:violated|known) /gm)).toHaveLength(30);
  for (const line of text.split('\n').filter((each) => /^violated/.test(each)))
    expect(line.length).toBeLessThanOrEqual(240);
});

test('a message is told in its two halves where it has them', () => {
  for (const [message, expected, got] of [
    ['"x": expected status A, got B', '"x": expected status A', 'B'],
    ['must be one of A, B; seen "C".', 'must be one of A, B', '"C".'],
    ['Expected an action.\nSeen: none', 'an action', 'none'],
    ['the header x is missing', 'the header x is missing', undefined],
  ] as const)
    expect(expectedAndGot(message)).toEqual(got === undefined ? { expected } : { expected, got });
});

const argv = (command: string) => ['node', 'cli.js', ...command.split(' ')];

for (const command of [
  'test -g THING-A',
  'test -gTHING-A',
  'test --grep=THING-A',
  'test --grep-invert THING-A',
  'test --last-failed',
  'test --only-changed',
  'test --project clock',
  'test --shard=1/2',
  'test --test-list list.txt',
  'test specs/agents',
  'test approval',
  'test --headed specs/agents',
  'test --workers 4 specs/agents/approval.spec.ts:12',
  'test --reporter=line approval',
])
  test(`${command} chooses a part`, () => expect(leavesTestsOut(argv(command))).toBe(true));

for (const command of [
  'test',
  'test --workers 4',
  'test -j 4 --retries 0',
  'test -c specs',
  'test --config playwright.config.ts --reporter line',
  'test --max-failures 3 -x',
  'merge-reports -c playwright.config.ts blobs',
])
  test(`${command} is the whole suite`, () => expect(leavesTestsOut(argv(command))).toBe(false));

test('a listing is told by its option alone', () => {
  expect(onlyLists(argv('test --list'))).toBe(true);
  expect(onlyLists(argv('test -g list'))).toBe(false);
});

const CASES: readonly (readonly [line: string, names: readonly string[]])[] = [
  ['test', []],
  ['test specs/agents -g reporter', []],
  ['test --reporter=line', ['line']],
  ['test --reporter line specs', ['line']],
  ['test --reporter list,json', ['list', 'json']],
  ['test --reporter=dot --reporter=line', ['line']],
  ['test --reporter=blob --shard 1/2', ['blob']],
  ['test --reporter=blob,line', ['blob', 'line']],
  ['test --list --reporter=line', []],
  ['merge-reports --reporter html blob-report', []],
];

for (const [line, names] of CASES)
  test(`playwright ${line}`, () => expect(chosenReporters(line.split(' '))).toEqual(names));
