import { expect, test } from '@playwright/test';
import { chosenReporters } from '../../suite/chosen-reporters.ts';

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
