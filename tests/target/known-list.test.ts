import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { isExpired, KnownFailures, speaksOf, steadyPlace, steadyWords } from '../../target/known-failures.ts';
import { readAccepted, readKnownFailures, readKnownList } from '../../target/known-list.ts';
import { UsageError } from '../../target/usage-error.ts';
import { scratch } from '../support/run-assay.ts';

function fileWith(text: string): string {
  const file = join(scratch('rule-list'), 'list.yaml');
  writeFileSync(file, text);
  return file;
}

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

test('no list, and an empty one, say nothing', () => {
  for (const path of [undefined, ' ', fileWith(''), fileWith('# empty\n[]\n')])
    expect(readKnownList(path, 'ACCEPTED')).toEqual([]);
});

const MISTAKES: readonly (readonly [what: string, text: string, sentence: RegExp])[] = [
  [
    'broken YAML',
    '- rule: TRANSFER-ACCEPTED\n  reason: "x\n',
    /list\.yaml is not YAML: .+ at line \d, column \d+\.$/,
  ],
  [
    'an unknown rule',
    '- { rule: TRANSFER-ACCEPTD, reason: x }',
    /an unknown rule TRANSFER-ACCEPTD; did you mean TRANSFER-ACCEPTED\?$/,
  ],
  ['a rule like no other', '- { rule: XXXXXXXXXXXX, reason: x }', /an unknown rule XXXXXXXXXXXX\.$/],
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

for (const [name, setting] of [
  ['known-failures file', 'KNOWN_FAILURES'],
  ['list of accepted rules', 'ACCEPTED'],
] as const) {
  for (const [what, text, sentence] of MISTAKES)
    test(`the ${name} with ${what} is refused in one sentence`, () => {
      const read = () => readKnownList(fileWith(text), setting);
      expect(read).toThrow(UsageError);
      expect(read).toThrow(sentence);
      expect(read).toThrow(new RegExp(`^The ${name} [^\n]*$`));
    });

  test(`a ${name} that is not there points to ${setting}`, () => {
    expect(() => readKnownList('no/such.yaml', setting)).toThrow(
      `The ${name} no/such.yaml cannot be read: check the path in ${setting}.`,
    );
  });
}

const ROW = '- { rule: TRANSFER-ACCEPTED, reason: so';
const breach = { rule: 'TRANSFER-ACCEPTED', place: 'TRANSFER-ACCEPTED', message: 'expected 201, got 500' };
const DAY = Date.parse('2026-11-21T12:00:00Z');

test('an entry says rule, place, tests, what is seen, owner, link and the last day', () => {
  const [entry] = readKnownFailures(
    fileWith(
      `${ROW}, place: A/b, tests: [x], seen: a…b, owner: payments, link: https://t/1, until: 2026-12-01, intermittent: true }`,
    ),
  );
  expect(entry).toEqual({
    rule: 'TRANSFER-ACCEPTED',
    reason: 'so',
    place: 'A/b',
    tests: ['x'],
    seen: 'a…b',
    owner: 'payments',
    link: 'https://t/1',
    until: '2026-12-01',
    intermittent: true,
  });
});

for (const [what, more, sentence] of [
  ['a key that nobody knows', 'untill: 2026-12-01', /unknown key untill/],
  ['a day that is none', 'until: soon', /whose until is not a day, written as YYYY-MM-DD/],
  ['a thirteenth month', "until: '2026-13-01'", /whose until is not a day/],
  ['an owner that is no text', 'owner: 7', /whose owner is not text/],
  ['tests that are no list', 'tests: one', /whose tests is not a list of names of tests/],
  ['no tests at all', 'tests: []', /whose tests is not a list of names of tests/],
  ['an intermittent that is a word', 'intermittent: sometimes', /whose intermittent is not true or false/],
] as const)
  test(`${what} is refused`, () => {
    expect(() => readKnownFailures(fileWith(`${ROW}, ${more} }`))).toThrow(sentence);
  });

test('another breach of the same rule is not covered', () => {
  const entry = {
    rule: breach.rule,
    reason: 'so',
    place: breach.place,
    tests: ['one'],
    seen: 'expected 201, got 5…',
  };
  expect(speaksOf(entry, breach, 'one')).toBe(true);
  expect(speaksOf(entry, breach, 'another test')).toBe(false);
  expect(speaksOf(entry, { ...breach, place: 'A/b' }, 'one')).toBe(false);
  expect(speaksOf(entry, { ...breach, message: 'the money moved twice' }, 'one')).toBe(false);
  expect(speaksOf(entry, { ...breach, rule: 'OTHER' }, 'one')).toBe(false);
});

test('an entry of rule and reason alone covers every place of its rule', () => {
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

test('the value of a wrong shape is left out, and the field within something larger is the same place', () => {
  const shape = {
    rule: breach.rule,
    place: '/data/*/quote/amount',
    message: 'quote.amount must be integer, but is "2"',
  };
  expect(steadyWords(shape.message)).toBe('quote.amount must be integer, but is …');
  expect(steadyPlace(shape.place)).toBe('/quote/amount');
  const at = (place: string) => speaksOf({ rule: breach.rule, reason: 'so', place }, shape, 'any');
  expect(['/data/*/quote/amount', '/quote/amount', '/amount'].map(at)).toEqual([true, true, true]);
  expect(['/mount', 'mount', '/quote', '/x/amount'].map(at)).toEqual([false, false, false, false]);
});
