import {
  isExpired,
  KnownFailures,
  speaksOf,
  steadyWords,
  readAccepted,
  readKnownFailures,
  readKnownList,
} from '../../target/known-list.ts';
import { expect, test } from '@playwright/test';
import { UsageError } from '../../target/usage-error.ts';
import { scratchFile } from '../support/run-assay.ts';

const fileWith = (text: string) => scratchFile('list.yaml', text);

const OPEN = { rule: 'TRANSFER-ACCEPTED', reason: 'so', open: true };

test('either setting may name a list of both kinds, and a row that says nothing is of its own', () => {
  const both = fileWith(
    `- { rule: GENERAL-RESPONSES-JSON, reason: b, place: x }\n- { rule: TRANSFER-ACCEPTED, reason: so, open: true }`,
  );
  expect([...readAccepted({ knownFailures: both })]).toEqual([['TRANSFER-ACCEPTED', 'so']]);
  expect([...readAccepted({ accepted: both })]).toEqual([['TRANSFER-ACCEPTED', 'so']]);
  expect(readKnownFailures(both).map(({ rule }) => rule)).toEqual(['GENERAL-RESPONSES-JSON']);
  // As lists were before there was `open`.
  const old = fileWith('- { rule: TRANSFER-ACCEPTED, reason: so, ticket: 7 }');
  expect([...readAccepted({ accepted: old })]).toEqual([['TRANSFER-ACCEPTED', 'so']]);
  const plain = fileWith('- { rule: TRANSFER-ACCEPTED, reason: so }');
  expect(readKnownList(plain, 'ACCEPTED')).toEqual([OPEN]);
  expect(readKnownFailures(plain)).toEqual([{ rule: OPEN.rule, reason: 'so' }]);
  expect(readAccepted({ knownFailures: plain }).size).toBe(0);
});

const ROW = '- { rule: TRANSFER-ACCEPTED, reason: so';

const MISTAKES: readonly (readonly [text: string, sentence: RegExp])[] = [
  ['- rule: TRANSFER-ACCEPTED\n  reason: "x\n', /list\.yaml is not YAML: .+ at line \d, column \d+\.$/],
  ['- { rule: TRANSFER-ACCEPTD, reason: x }', /an unknown rule TRANSFER-ACCEPTD; did you mean TRANSFER-ACCE/],
  ['- { rule: XXXXXXXXXXXX, reason: x }', /an unknown rule XXXXXXXXXXXX\.$/],
  [
    '- { rule: TRANSFER-ACCEPTED }',
    /has the row of TRANSFER-ACCEPTED without a reason: give both as text\.$/,
  ],
  ['- { reason: x }', /has a row without rule or reason: give both as text\.$/],
  ['TRANSFER-ACCEPTED: x', /must be a list of \{rule, reason\}\.$/],
  [`${ROW}, untill: 2026-12-01 }`, /unknown key untill/],
  [`${ROW}, until: soon }`, /whose until is not a day, written as YYYY-MM-DD/],
  [`${ROW}, until: '2026-13-01' }`, /whose until is not a day/],
  [`${ROW}, owner: 7 }`, /whose owner is not text/],
  [`${ROW}, tests: one }`, /whose tests is not a list of names of tests/],
  [`${ROW}, intermittent: sometimes }`, /whose intermittent is not true or false/],
];

for (const [text, sentence] of MISTAKES)
  test(`${JSON.stringify(text)} is refused in one sentence`, () => {
    const read = () => readKnownList(fileWith(text), 'KNOWN_FAILURES');
    expect(read).toThrow(UsageError);
    expect(read).toThrow(sentence);
    expect(read).toThrow(/^The known-failures file .*$/);
  });

const breach = { rule: 'TRANSFER-ACCEPTED', place: 'TRANSFER-ACCEPTED', message: 'expected 201, got 500' };
const DAY = Date.parse('2026-11-21T12:00:00Z');

test('another breach of the same rule is not covered', () => {
  const entry = {
    rule: breach.rule,
    reason: 'so',
    place: breach.place,
    tests: ['one'],
    seen: 'expected 201…',
  };
  expect(speaksOf(entry, breach, 'one')).toBe(true);
  expect(speaksOf(entry, breach, 'another test')).toBe(false);
  for (const other of [{ place: 'A/b' }, { message: 'the money moved twice' }, { rule: 'OTHER' }])
    expect(speaksOf(entry, { ...breach, ...other }, 'one')).toBe(false);
  // Of rule and reason alone it covers every place of its rule.
  expect(speaksOf({ rule: breach.rule, reason: 'so' }, { ...breach, place: 'A/b' }, 'any')).toBe(true);
});

test('until is the last day, and an expired entry covers nothing', () => {
  expect(isExpired({ until: '2026-11-21' }, DAY)).toBe(false);
  expect(isExpired({ until: '2026-11-20' }, DAY)).toBe(true);
  const reason = (until: string) =>
    new KnownFailures([{ rule: breach.rule, reason: 'so', until }], DAY).reasonOf(breach, 'one');
  expect(reason('2026-11-21')).toBe('so');
  expect(reason('2026-11-20')).toBeUndefined();
});

test('steady words leave out what differs from run to run, and fit the next run', () => {
  const seen = (id: string, at: string) =>
    `Agent:${id} was read at ${at} with 90071992547409931 and ••••••, got APPROVED`;
  const one = seen('3ff8a231-a912-4a58-884d-3dcee9050b91', '2026-11-21T10:00:00.123Z');
  const two = seen('59e2c340-62b1-4295-b3aa-ae87aaf441aa', '2026-11-22T10:00:00Z');
  expect(steadyWords(one)).toBe('… was read at … with … and …, got APPROVED');
  const entry = { rule: breach.rule, reason: 'so', seen: steadyWords(one) };
  expect(speaksOf(entry, { ...breach, message: two }, 'any')).toBe(true);
  expect(speaksOf(entry, { ...breach, message: two.replace('APPROVED', 'REJECTED') }, 'any')).toBe(false);
});
