import { expect, test } from '@playwright/test';
import type { Gate, Level, Verdict } from '../../reports/verdicts/model.ts';
import { DEFAULT_GATE, EXIT_CODES, runVerdict, type RunCase } from '../../reports/verdicts/run-verdict.ts';

type More = Partial<Omit<RunCase, 'gate'>> & { readonly gate?: Partial<Gate> };
const run = (rules: RunCase['rules'], more: More = {}) =>
  runVerdict({ rules, engineErrors: [], didNotRun: 0, ...more, gate: { ...DEFAULT_GATE, ...more.gate } });

const of = (verdict: Verdict, level: Level = 'MUST', id = 'THING-A') => ({ id, level, verdict });
const pass = of('verified');
const open = of('not verified');
const broken = of('violated');
const accepted = (verdict: Verdict) => ({ ...of(verdict), accepted: 'no sandbox for it' });
const outside = (verdict: Verdict) => ({ ...of(verdict), inScope: false as const });
const gone = { at: '2026-11-21T10:20:30.000Z', why: 'nothing listens there' };
const engineErrors = ['oops'];
const failing = { gate: { should: 'fail' } } as const;

const RUNS: readonly (readonly [string, RunCase['rules'], keyof typeof EXIT_CODES, More?])[] = [
  ['all verified', [pass], 'conforming'],
  ['verified and not applicable', [pass, of('not applicable')], 'conforming'],
  ['a MUST that is not verified', [pass, open], 'incomplete'],
  ['a MUST that is inconclusive', [pass, of('inconclusive')], 'incomplete'],
  ['a SHOULD that is not verified', [pass, of('not verified', 'SHOULD')], 'conforming'],
  ['a MUST that is accepted as not verified', [pass, accepted('not verified')], 'conforming'],
  ['a MUST that is accepted and inconclusive', [pass, accepted('inconclusive')], 'conforming'],
  ['a MUST that is accepted and violated', [pass, accepted('violated')], 'violated'],
  ['a MUST that is accepted and verified', [accepted('verified')], 'conforming'],
  ['nothing but accepted rules', [accepted('not verified')], 'incomplete'],
  ['an open MUST outside of the part', [pass, outside('not verified')], 'conforming'],
  ['nothing verified in the part', [outside('verified')], 'incomplete'],
  ['a SHOULD alone in the part', [of('verified', 'SHOULD'), outside('not verified')], 'conforming'],
  ['known only', [of('known')], 'conforming'],
  ['a violated MUST', [pass, broken], 'violated'],
  ['a violated MUST beside open ones', [broken, open], 'violated'],
  ['a violated MUST beside all other trouble', [broken], 'violated', { engineErrors, didNotRun: 3, gone }],
  ['a usage error, whatever was seen', [broken], 'not judged', { usageError: 'wrong address' }],
  ['a violated SHOULD', [pass, of('violated', 'SHOULD')], 'conforming'],
  ['a violated SHOULD with its gate', [pass, of('violated', 'SHOULD')], 'violated', failing],
  ['a violated MAY with the gate for SHOULD', [pass, of('violated', 'MAY')], 'conforming', failing],
  ['an error of the suite', [pass], 'not judged', { engineErrors }],
  ['an error of the suite beside open rules', [of('inconclusive')], 'not judged', { engineErrors }],
  ['tests that did not run', [pass], 'not judged', { didNotRun: 1 }],
  ['an interruption after the last test', [pass], 'not judged', { ended: 'The run was interrupted.' }],
  ['a target that went away', [pass], 'not judged', { didNotRun: 1, gone }],
  ['nothing verified', [open, of('inconclusive')], 'incomplete'],
  ['only not applicable', [of('not applicable')], 'incomplete'],
  ['no rules at all', [], 'incomplete'],
  ['only an excluded rule', [{ ...pass, excluded: 'unseen' }], 'incomplete'],
];

for (const [situation, rules, verdict, more] of RUNS)
  test(`${situation}: ${verdict}`, () => {
    const judged = run(rules, more);
    expect(judged.verdict, judged.because).toBe(verdict);
    expect(judged.because).toMatch(/\w/);
  });

test('only a conforming run ends with 0, and only a violated one with 1', () =>
  expect(EXIT_CODES).toEqual({ conforming: 0, violated: 1, incomplete: 2, 'not judged': 2 }));

const lastAnswered = { label: 'create a customer', at: '2026-11-21T10:20:29.000Z', status: 201 };

const REASONS: Readonly<Record<string, readonly [ReturnType<typeof run>, because: string]>> = {
  'a conforming run tells its denominator, and what was accepted': [
    run([pass, pass, accepted('not verified'), of('violated', 'SHOULD')]),
    'No MUST rule was found violated: 2 of the 3 MUST rules that apply are verified, 1 accepted as not verified, 1 SHOULD rule violated, which the gate allows.',
  ],
  'an incomplete run says how many rules are open': [
    run([pass, open, of('inconclusive'), accepted('not verified')]),
    'No MUST rule was found violated, but 2 of the 4 MUST rules that apply are open: 1 verified, 1 inconclusive, 1 not verified, 1 accepted as not verified.',
  ],
  'it names rules that were verified before, not those that are accepted': [
    run([pass, of('not verified', 'MUST', 'LOST-1'), { ...accepted('not verified'), id: 'LOST-2' }], {
      noLongerVerified: ['LOST-1', 'LOST-2'],
    }),
    ' No longer verified: LOST-1.',
  ],
  'a target that went away is told with the time, why, and its last answer': [
    run([pass], { didNotRun: 7, gone: { ...gone, lastAnswered } }),
    'The target went away at 10:20:30 UTC: nothing listens there. The last exchange that it answered was "create a customer" (201, 10:20:29 UTC). 7 tests did not run; 1 of the 1 MUST rule that applies is verified.',
  ],
};

for (const [sentence, [{ because }, end]] of Object.entries(REASONS))
  test(sentence, () => expect(because.slice(-end.length)).toBe(end));
