import { expect, test } from '@playwright/test';
import { chosenReporters, leavesTestsOut, onlyLists, rulesAskedFor } from '../../reports/command-line.ts';

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
  'test --headed',
  'test -j 4 --retries 0',
  'test --config playwright.config.ts --reporter line',
  'test --max-failures 3 -x',
  'merge-reports -c playwright.config.ts blobs',
])
  test(`${command} is the whole suite`, () => expect(leavesTestsOut(argv(command))).toBe(false));

for (const [command, asked] of [
  ['test -g A-RULE', ['A-RULE']],
  ['test -gA-RULE specs/agents', ['A-RULE']],
  ['test --grep=@A-RULE|B-RULE', ['A-RULE', 'B-RULE']],
  ['test -g A-RULE|approval', []],
  ['test specs/agents', []],
] as const)
  test(`${command} asks for ${asked.join(' and ') || 'no rule by name'}`, () =>
    expect(rulesAskedFor(argv(command), (id) => /^[AB]-RULE$/.test(id))).toEqual(asked));

test('a listing is told by its option alone', () => {
  expect(onlyLists(argv('test --list -g no-such-test'))).toBe(true);
  expect(onlyLists(argv('test -g list'))).toBe(false);
});

for (const [command, names] of [
  ['test specs/agents -g reporter', []],
  ['test --reporter=line', ['line']],
  ['test --reporter list,json', ['list', 'json']],
  ['test --reporter=dot --reporter=line', ['line']],
  ['test --list --reporter=line', []],
  ['merge-reports --reporter html blob-report', []],
] as const)
  test(`${command} names ${names.join(' and ') || 'no reporter'}`, () =>
    expect(chosenReporters(argv(command))).toEqual(names));
