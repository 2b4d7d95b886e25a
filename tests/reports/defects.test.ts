import { expect, test } from '@playwright/test';
import type { Finding } from '../../journal/types.ts';
import { mergeDefects } from '../../reports/verdicts/defects.ts';
import { evidenceByRule, type TestRecord } from '../../reports/journals/evidence.ts';
import {
  withoutConsequences,
  withoutEchoes,
  withoutWithdrawn,
  withoutGuesses,
  type VouchedFor,
} from '../../reports/verdicts/withdrawn-findings.ts';
import type { Rule } from '../../schemas/rules.ts';
import { check, finding, journal, record, rule } from './sample.ts';

const rules = new Map([rule('THING-A'), rule('THING-B', { level: 'SHOULD' })].map((each) => [each.id, each]));
const defectsOf = (tests: readonly TestRecord[]) => mergeDefects(tests, (id) => rules.get(id));
const merge = (findings: readonly (readonly [string, Partial<Finding>])[]) =>
  defectsOf(
    findings.map(([label, more]) => record({ label, journal: journal({ findings: [finding(more)] }) })),
  );

test('findings of one rule at one place are one defect', () => {
  const defects = merge([
    ['one', { exchanges: ['1.1'] }],
    ['two', { exchanges: ['2.1', '1.1'] }],
    ['two', {}],
  ]);
  expect(defects).toMatchObject([
    {
      ...{ id: 'THING-A', rule: 'THING-A', level: 'MUST', place: 'THING-A', title: 'What THING-A says.' },
      ...{ message: 'expected 1, got 2', count: 3, tests: ['one', 'two'], exchanges: ['1.1', '2.1'] },
      seen: [{ words: 'expected 1, got 2', tests: ['one', 'two'] }],
      steadiness: 'once',
    },
  ]);
});

/** A test that shows these rules broken; what it knows to be spoken. */
const failing = (findings: readonly Finding[], spoken: readonly string[] = []) =>
  record({
    standing: 'stopped',
    outcome: 'failed',
    journal: journal({
      checks: findings.map(({ rule: id }) => check('failed', { rule: id })),
      findings,
      spoken,
    }),
  });
const assuming = (...assumes: string[]) => failing([finding({ assumes })]);
const spoke = (...keys: string[]) => failing([], keys);

test('a refusal of what nobody has shown to be spoken accuses nobody, and says what to do', () => {
  const [taken] = withoutGuesses([assuming('otpSeal', 'stamp'), spoke('stamp')], []);
  expect(taken).toMatchObject({
    standing: 'stopped',
    journal: {
      findings: [],
      checks: [
        {
          outcome: 'inconclusive',
          reason: expect.stringContaining('It assumes `otpSeal`;') as unknown,
          mend: expect.stringContaining('say in the profile how the target does `otpSeal`') as unknown,
        },
      ],
    },
  });
});

test('what is taken back leaves open what its test names, and not a shape that it met on its way', () => {
  const test = assuming('otpSeal');
  const met = { ...test, rules: ['SHAPE', 'UNSEEN'], journal: { ...test.journal!, seen: { SHAPE: 3 } } };
  const evidence = evidenceByRule(withoutGuesses([met], []));
  expect(evidence('SHAPE').tests).toMatchObject([{ checked: true }]);
  expect(evidence('UNSEEN').tests).toMatchObject([
    { checked: false, reason: 'What it found stands on a guess.' },
  ]);
});

const GUESSES: readonly (readonly [
  what: string,
  tests: readonly TestRecord[],
  VouchedFor,
  accuses: boolean,
])[] = [
  ['the profile vouches for everything', [assuming('otpSeal')], 'all', true],
  ['the profile vouches for it', [assuming('otpSeal')], ['otpSeal'], true],
  ['it was accepted elsewhere in the run', [assuming('otpSeal'), spoke('otpSeal')], [], true],
  ['nothing was assumed', [failing([finding()])], [], true],
  ['one of two was accepted', [assuming('otpSeal', 'stamp'), spoke('otpSeal')], [], false],
  ['the profile vouches for all bodies', [assuming('bodies.createQuote')], ['bodies'], true],
  ['that body was accepted', [assuming('bodies.createQuote'), spoke('bodies.createQuote')], [], true],
  ['a time was kept once', [assuming('eventSeconds'), spoke('eventSeconds')], [], false],
];

for (const [what, tests, vouchedFor, accuses] of GUESSES)
  test(`a finding that stands on a guess ${accuses ? 'accuses' : 'accuses nobody'} where ${what}`, () =>
    expect(withoutGuesses(tests, vouchedFor)[0]?.journal?.findings).toHaveLength(accuses ? 1 : 0));

const met = (rule: string, faultOf = 'verifyCredential') => finding({ rule, faultOf });

test('what may follow from a guess, or echoes one, accuses nobody either', () => {
  const guess = finding({ rule: 'CAUSE', assumes: ['otpSeal'] });
  const effect = failing([finding({ rule: 'EFFECT' })]);
  const echo = finding({ rule: 'VERIFY-STATUS', faultOf: 'verifyCredential', assumes: ['otpSeal'] });
  const accused = (tests: readonly TestRecord[]) =>
    withoutWithdrawn(tests, [], RULES).flatMap(({ journal }) => journal?.findings.map(({ rule }) => rule));
  expect(accused([effect])).toEqual(['EFFECT']);
  expect(accused([effect, failing([guess])])).toEqual([]);
  expect(accused([failing([met('SESSION-ANY-CREDENTIAL')]), failing([echo])])).toEqual([]);
});

for (const [what, tests, accused] of [
  ['the rule of the operation', [failing([met('VERIFY-STATUS')])], ['VERIFY-STATUS']],
  [
    'the narrower rule alone',
    [failing([met('VERIFY-STATUS')]), failing([met('VERIFY-OAUTH-ACCEPTED')])],
    ['VERIFY-OAUTH-ACCEPTED'],
  ],
  [
    'no rule of another matter that met it',
    [failing([met('SESSION-ANY-CREDENTIAL')]), failing([met('VERIFY-STATUS')])],
    ['VERIFY-STATUS'],
  ],
  [
    'a rule of another matter where no control met it',
    [failing([met('ERROR-MALFORMED-JSON')])],
    ['ERROR-MALFORMED-JSON'],
  ],
  [
    'a rule of another operation too',
    [failing([met('VERIFY-STATUS'), met('CHALLENGE-STATUS', 'challengeCredential')])],
    ['VERIFY-STATUS', 'CHALLENGE-STATUS'],
  ],
] as const)
  test(`a fault of the service accuses ${what}`, () =>
    expect(
      withoutEchoes(tests).flatMap(({ journal }) => journal?.findings.map(({ rule }) => rule) ?? []),
    ).toEqual(accused));

const RULES = [
  { id: 'CAUSE' },
  { id: 'EFFECT', follows: ['CAUSE'] },
  { id: 'OTHER' },
] as unknown as readonly Rule[];
const OF_CODES = [
  { id: 'ERROR-CODE-400' },
  { id: 'ONE', follows: ['ERROR-CODE-400'] },
  { id: 'TWO', follows: ['ERROR-CODE-400'] },
] as unknown as readonly Rule[];
const breaking = (ids: readonly string[], more: Partial<Finding> = {}) =>
  failing(ids.map((id) => finding({ rule: id, ...more })));

test('while the cause is broken anywhere in the run, its consequence stays open and says of what', () => {
  const [effect] = withoutConsequences([breaking(['EFFECT']), breaking(['CAUSE'])], RULES);
  expect(effect).toMatchObject({ standing: 'stopped', journal: { findings: [] } });
  expect(effect?.journal?.checks).toMatchObject([
    {
      rule: 'EFFECT',
      outcome: 'inconclusive',
      reason: expect.stringContaining('breach of CAUSE') as unknown,
    },
  ]);
});

for (const [broken, accused] of [
  [['ONE'], ['ERROR-CODE-400', 'ONE']],
  [['ONE', 'TWO'], ['ERROR-CODE-400']],
] as const)
  test(`an invented code that is seen with ${broken.join(' and ')} leaves ${accused.join(' and ')} accused`, () =>
    expect(
      withoutConsequences([breaking(['ERROR-CODE-400', ...broken])], OF_CODES)[0]?.journal?.findings.map(
        ({ rule }) => rule,
      ),
    ).toEqual(accused));

for (const [what, given, accused] of [
  ['what follows from nothing broken stays accused', breaking(['EFFECT', 'OTHER']), ['EFFECT', 'OTHER']],
  ['the cause and all else stay accused', breaking(['CAUSE', 'EFFECT', 'OTHER']), ['CAUSE', 'OTHER']],
  [
    'what follows from a breach and is a known failure stays one',
    breaking(['CAUSE', 'EFFECT'], { known: 'being mended' }),
    ['CAUSE', 'EFFECT'],
  ],
] as const)
  test(what, () =>
    expect(withoutConsequences([given], RULES)[0]?.journal?.findings.map((each) => each.rule)).toEqual(
      accused,
    ),
  );
