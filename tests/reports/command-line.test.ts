import { expect, test } from '@playwright/test';
import { leavesTestsOut, onlyLists, chosenReporters } from '../../reports/command-line.ts';

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
  ['test --reporter=blob --shard 1/2', []],
  ['test --reporter=blob,line', ['blob', 'line']],
  ['test --list --reporter=line', []],
  ['merge-reports --reporter html blob-report', []],
];

for (const [line, names] of CASES)
  test(`playwright ${line}`, () => expect(chosenReporters(line.split(' '))).toEqual(names));
