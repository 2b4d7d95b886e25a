import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { readAccepted } from '../../target/rule-list.ts';
import { readKnownFailures } from '../../target/known-failures.ts';
import { UsageError } from '../../target/usage-error.ts';
import { scratch } from '../support/run-assay.ts';

function fileWith(text: string): string {
  const file = join(scratch('rule-list'), 'list.yaml');
  writeFileSync(file, text);
  return file;
}

const LISTS = [
  ['known-failures file', 'KNOWN_FAILURES', readKnownFailures],
  ['list of accepted rules', 'ACCEPTED', readAccepted],
] as const;

const MISTAKES: readonly (readonly [what: string, text: string, sentence: RegExp])[] = [
  ['broken YAML', '- rule: TRANSFER-ACCEPTED\n  reason: "x\n', /list\.yaml is not YAML: line \d: .+\.$/],
  ['a tab', '-\trule: A\n\treason: b', /is not YAML: line \d: .+\.$/],
  [
    'an unknown rule',
    '- { rule: TRANSFER-ACCEPTD, reason: x }',
    /an unknown rule TRANSFER-ACCEPTD; did you mean TRANSFER-ACCEPTED\?$/,
  ],
  [
    'a rule like no other',
    '- { rule: XXXXXXXXXXXXXXXXXXX, reason: x }',
    /an unknown rule XXXXXXXXXXXXXXXXXXX\.$/,
  ],
  [
    'no reason',
    '- { rule: TRANSFER-ACCEPTED }',
    /has the row of TRANSFER-ACCEPTED without a reason: give both as text\.$/,
  ],
  ['an empty reason', "- { rule: TRANSFER-ACCEPTED, reason: ' ' }", /without a reason: give both as text\.$/],
  ['no rule', '- { reason: x }', /has a row without rule or reason: give both as text\.$/],
  ['a row of nothing', '- ', /has a row without rule or reason/],
  ['no list', 'TRANSFER-ACCEPTED: x', /must be a list of \{rule, reason\}\.$/],
];

for (const [name, setting, read] of LISTS) {
  test(`the ${name} gives reasons by rule`, () => {
    const rows = (path: string | undefined) => [...read(path)];
    expect(rows(undefined)).toEqual([]);
    expect(rows(fileWith(''))).toEqual([]);
    expect(rows(fileWith('# empty\n[]\n'))).toEqual([]);
    const [row] = rows(fileWith('- { rule: TRANSFER-ACCEPTED, reason: so }'));
    expect(Array.isArray(row) ? row : [row?.rule, row?.reason]).toEqual(['TRANSFER-ACCEPTED', 'so']);
  });

  for (const [what, text, sentence] of MISTAKES)
    test(`the ${name} with ${what} is refused in one sentence`, () => {
      let thrown: unknown;
      try {
        read(fileWith(text));
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(UsageError);
      const { message } = thrown as UsageError;
      expect(message).toMatch(sentence);
      expect(message).toMatch(new RegExp(`^The ${name} `));
      expect(message).not.toContain('\n');
    });

  test(`a ${name} that is not there points to ${setting}`, () => {
    expect(() => read('no/such.yaml')).toThrow(
      `The ${name} no/such.yaml cannot be read: check the path in ${setting}.`,
    );
  });
}

test('broken YAML is told with the line of its mistake', () => {
  expect(() => readKnownFailures(fileWith('- rule: A\n  reason: b\n- {\n'))).toThrow(/: line [34]: /);
  expect(() => readKnownFailures(fileWith('- rule: A\n  reason: [\n- rule: B\n  reason: c\n'))).toThrow(
    /: line 3: /,
  );
});
