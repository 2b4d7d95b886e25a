import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { evidenceByRule, type RuleEvidence, type Standing, type TestRecord } from '../../reports/evidence.ts';
import { VERDICTS, type Verdict } from '../../reports/model.ts';
import type { Coverage } from '../../reports/mend.ts';
import { ruleVerdict } from '../../reports/rule-verdict.ts';
import type { CheckResult, Finding, Journal } from '../../journal/types.ts';
import { journal, record, rule } from './sample.ts';

const RULE = rule('THING-A', { needs: ['agents'] });
const check = (outcome: CheckResult['outcome'], reason = `it was ${outcome}`): CheckResult => ({
  rule: 'THING-A',
  outcome,
  exchanges: [],
  ...(outcome === 'passed' ? {} : { reason }),
});
const finding = (known?: string): Finding => ({
  rule: 'THING-A',
  place: 'THING-A',
  message: 'expected 1, seen 2',
  exchanges: [],
  ...(known === undefined ? {} : { known }),
});
const named = (standing: Standing, more: Partial<Journal> = {}, reason = `it ${standing}`): TestRecord =>
  record({
    label: 'test',
    rules: ['THING-A'],
    standing,
    reason,
    journal: journal({ rules: ['THING-A'], ...more }),
  });

function judge(
  tests: readonly TestRecord[],
  coverage: Coverage = 'check',
  capabilities: readonly string[] = ['agents'],
) {
  const evidence = evidenceByRule(tests)('THING-A');
  return ruleVerdict({ rule: RULE, capabilities: new Set(capabilities), evidence, coverage });
}

const passing = named('completed', { checks: [check('passed')] });
const seen = record({ journal: journal({ seen: { 'THING-A': 2 } }) });
const violated = named('completed', { checks: [check('failed')], findings: [finding()] });
const known = named('completed', { checks: [check('failed')], findings: [finding('ticket 7')] });
const unsure = named('completed', { checks: [check('inconclusive')] });

const table: readonly (readonly [string, readonly TestRecord[], Verdict, RegExp | undefined])[] = [
  ['one passed check', [passing], 'verified', undefined],
  ['a shape that was seen, though no test names the rule', [seen], 'verified', undefined],
  ['a finding', [violated], 'violated', /expected 1, seen 2/],
  ['a finding beside passed checks', [passing, violated, seen], 'violated', /expected/],
  ['a finding beside a known one', [known, violated], 'violated', /expected/],
  [
    'a finding in a test that does not name the rule',
    [record({ journal: journal({ findings: [finding()] }) })],
    'violated',
    /expected/,
  ],
  [
    'a failed check whose finding is missing',
    [named('completed', { checks: [check('failed')] })],
    'violated',
    /it was failed/,
  ],
  ['known findings only', [known], 'known', /Known: ticket 7/],
  ['known findings beside an inconclusive check', [known, unsure], 'known', /ticket 7/],
  ['an inconclusive check', [unsure], 'inconclusive', /it was inconclusive/],
  ['an inconclusive check beside a passed one', [passing, unsure], 'inconclusive', /it was inconclusive/],
  ['an inconclusive check beside a seen shape', [seen, unsure], 'inconclusive', /it was inconclusive/],
  ['a failed preparation', [named('inconclusive')], 'inconclusive', /it inconclusive/],
  [
    'a failed preparation beside a passed check elsewhere',
    [passing, named('inconclusive')],
    'inconclusive',
    /it inconclusive/,
  ],
  [
    'a failed preparation after the check',
    [named('inconclusive', { checks: [check('passed')] })],
    'verified',
    undefined,
  ],
  ['a crash before the check', [named('crashed')], 'inconclusive', /it crashed/],
  ['a crash after the check', [named('crashed', { checks: [check('passed')] })], 'verified', undefined],
  ['a test that failed over another rule first', [named('stopped')], 'inconclusive', /it stopped/],
  [
    'the same, but the shape of the rule was met',
    [named('stopped', { seen: { 'THING-A': 1 } })],
    'verified',
    undefined,
  ],
  [
    'a state that the target lacks',
    [named('unprepared')],
    'not verified',
    /could not be prepared for it: it unprepared/,
  ],
  [
    'the same beside a passed check',
    [passing, named('unprepared')],
    'verified',
    /1 further test could not be prepared/,
  ],
  ['a skipped test', [named('skipped')], 'not verified', /skipped: it skipped/],
  ['a test that did not run', [named('did not run')], 'not verified', /Not part of this run/],
  ['a test that made no check', [named('completed')], 'not verified', /nothing to hold the rule against/],
  ['no test in this run', [], 'not verified', /Not part of this run/],
];

for (const [situation, tests, verdict, reason] of table) {
  test(`${situation}: ${verdict}`, () => {
    const judgement = judge(tests);
    expect(judgement.verdict).toBe(verdict);
    if (reason) expect(judgement.reason).toMatch(reason);
    else expect(judgement.reason).toBeUndefined();
  });
}

test('without a test, the reason tells what is missing', () => {
  expect(judge([], 'nothing').reason).toBe('No check exists yet.');
  expect(judge([], 'shape').reason).toBe('No answer of this run carried what the rule speaks of.');
});

test('a capability that the profile does not declare makes the rule not applicable, unless it was seen broken', () => {
  expect(judge([passing], 'check', [])).toEqual({
    verdict: 'not applicable',
    reason: 'The target does not declare: agents.',
  });
  expect(judge([violated], 'check', []).verdict).toBe('violated');
  expect(judge([known], 'check', []).verdict).toBe('known');
});

test('where either of two capabilities will do, a target with none of them is not asked', () => {
  const either = rule('THING-A', { needs: ['wallet', 'quotes or agents'] });
  const judged = (...capabilities: readonly string[]) =>
    ruleVerdict({
      rule: either,
      capabilities: new Set(capabilities),
      evidence: evidenceByRule([passing])('THING-A'),
      coverage: 'check',
    });
  expect(judged('wallet')).toEqual({
    verdict: 'not applicable',
    reason: 'The target does not declare: quotes or agents.',
  });
  expect(judged('quotes', 'agents').verdict).toBe('not applicable');
  for (const one of ['quotes', 'agents']) expect(judged('wallet', one).verdict).toBe('verified');
});

test('a usage error leaves every rule not verified, whatever was recorded', () => {
  const evidence = evidenceByRule([violated])('THING-A');
  const judgement = ruleVerdict({
    rule: RULE,
    capabilities: new Set(),
    evidence,
    coverage: 'check',
    usageError: 'no',
  });
  expect(judgement.verdict).toBe('not verified');
});

const standings: readonly Standing[] = [
  'completed',
  'stopped',
  'unprepared',
  'inconclusive',
  'crashed',
  'skipped',
  'did not run',
];
const anyTest: fc.Arbitrary<TestRecord> = fc
  .record({
    standing: fc.constantFrom(...standings),
    checks: fc.array(fc.constantFrom(check('passed'), check('failed'), check('inconclusive')), {
      maxLength: 3,
    }),
    findings: fc.array(fc.constantFrom(finding(), finding('ticket')), { maxLength: 2 }),
    seen: fc.constantFrom({}, { 'THING-A': 1 }),
  })
  .map(({ standing, ...more }) => named(standing, more));
const anyEvidence: fc.Arbitrary<RuleEvidence> = fc
  .array(anyTest, { maxLength: 4 })
  .map((tests) => evidenceByRule(tests)('THING-A'));
const anyCase = fc.record({
  rule: fc.constantFrom(RULE, rule('THING-A'), rule('THING-A', { excluded: 'unseen' })),
  capabilities: fc.constantFrom(new Set(['agents']), new Set<string>()),
  evidence: anyEvidence,
  coverage: fc.constantFrom<Coverage>('check', 'shape', 'nothing'),
});

test('adding a finding never improves a verdict', () => {
  fc.assert(
    fc.property(anyCase, fc.constantFrom(finding(), finding('ticket')), (item, extra) => {
      const before = VERDICTS.indexOf(ruleVerdict(item).verdict);
      const evidence = { ...item.evidence, findings: [...item.evidence.findings, extra] };
      const after = VERDICTS.indexOf(ruleVerdict({ ...item, evidence }).verdict);
      // A failed check whose finding was lost counts as open; a known finding may turn out to be the one.
      const lost =
        item.evidence.findings.length === 0 && item.evidence.checks.some((each) => each.outcome === 'failed');
      if (!(lost && extra.known !== undefined)) expect(after).toBeLessThanOrEqual(before);
      expect(VERDICTS[after]).toMatch(/^(violated|known)$/);
    }),
    { numRuns: 1_000 },
  );
});

test('nothing is verified without a passed check or a seen shape, and all but plain passes carry a reason', () => {
  fc.assert(
    fc.property(anyCase, (item) => {
      const { verdict, reason, mend } = ruleVerdict(item);
      const { checks, seen: count, findings } = item.evidence;
      if (verdict === 'verified') {
        expect(count > 0 || checks.some((each) => each.outcome === 'passed')).toBe(true);
        expect(checks.every((each) => each.outcome === 'passed')).toBe(true);
        expect(findings).toEqual([]);
        expect(item.rule.excluded).toBeUndefined();
      } else expect(reason).toBeTruthy();
      expect(mend !== undefined).toBe(
        (verdict === 'inconclusive' || verdict === 'not verified') && item.rule.excluded === undefined,
      );
    }),
    { numRuns: 1_000 },
  );
});
