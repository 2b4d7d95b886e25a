import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { Journal } from '../../journal/types.ts';
import { evidenceByRule, type Standing, type TestRecord } from '../../reports/journals/evidence.ts';
import type { Coverage } from '../../reports/verdicts/mend.ts';
import { VERDICTS, type Verdict } from '../../reports/verdicts/model.ts';
import { ruleVerdict, type RuleCase } from '../../reports/verdicts/rule-verdict.ts';
import { check, finding, journal, record, rule } from './sample.ts';

const RULE = rule('THING-A', { needs: ['agents'] });
const known = finding({ known: 'ticket 7' });
const named = (standing: Standing, more: Partial<Journal> = {}): TestRecord =>
  record({
    ...{ label: 'test', rules: ['THING-A'], standing, reason: `it ${standing}` },
    journal: journal({ rules: ['THING-A'], ...more }),
  });

function judge(tests: readonly TestRecord[], more: Partial<RuleCase> = {}) {
  const evidence = evidenceByRule(tests)('THING-A');
  const capabilities = new Set(['agents']);
  return ruleVerdict({ rule: RULE, capabilities, evidence, coverage: 'check', ...more });
}

const passing = named('completed', { checks: [check('passed')] });
const seen = record({ journal: journal({ seen: { 'THING-A': 2 } }) });
const violated = named('completed', { checks: [check('failed')], findings: [finding()] });
const expected = named('completed', { checks: [check('failed')], findings: [known] });
const unsure = named('completed', { checks: [check('inconclusive')] });

const table: readonly (readonly [string, readonly TestRecord[], Verdict, reason?: RegExp])[] = [
  ['one passed check', [passing], 'verified'],
  ['a shape that was seen, though no test names the rule', [seen], 'verified'],
  ['a finding', [violated], 'violated', /expected 1, got 2/],
  ['a finding beside passed checks', [passing, violated, seen], 'violated', /expected/],
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
  ['known findings only', [expected], 'known', /Known: ticket 7/],
  ['an inconclusive check', [unsure], 'inconclusive', /it was inconclusive/],
  ['an inconclusive check beside a passed one', [passing, unsure], 'inconclusive', /it was inconclusive/],
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
  ],
  ['a control that was refused', [named('refused')], 'inconclusive', /it refused/],
  [
    'a control that was refused beside a check that passed',
    [passing, named('refused')],
    'verified',
    /1 further test could not be prepared: it refused/,
  ],
  ['a crash before the check', [named('crashed')], 'inconclusive', /it crashed/],
  ['a crash after the check', [named('crashed', { checks: [check('passed')] })], 'verified'],
  ['a test that failed over another rule first', [named('stopped')], 'inconclusive', /it stopped/],
  [
    'a state that the target lacks',
    [named('unprepared')],
    'not verified',
    /could not be prepared for it: it unprepared/,
  ],
  [
    'the same beside more tests that made no check',
    [named('unprepared'), named('completed'), named('completed')],
    'not verified',
    /nothing to hold the rule against/,
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

for (const [situation, tests, verdict, reason] of table)
  test(`${situation}: ${verdict}`, () => {
    const judgement = judge(tests);
    expect(judgement.verdict).toBe(verdict);
    if (reason) expect(judgement.reason).toMatch(reason);
    else expect(judgement.reason).toBeUndefined();
  });

test('a capability that the profile does not declare makes the rule not applicable, unless it was seen broken', () => {
  const none = { capabilities: new Set<string>() };
  expect(judge([passing], none)).toEqual({
    verdict: 'not applicable',
    reason: 'The target does not declare: agents.',
  });
  expect(judge([violated], none).verdict).toBe('violated');
  expect(judge([expected], none).verdict).toBe('known');
});

test('where either of two capabilities will do, a target with none of them is not asked', () => {
  const either = rule('THING-A', { needs: ['wallet', 'quotes or agents'] });
  const judged = (...capabilities: readonly string[]) =>
    judge([passing], { rule: either, capabilities: new Set(capabilities) });
  expect(judged('wallet').reason).toBe('The target does not declare: quotes or agents.');
  expect(judged('quotes', 'agents').verdict).toBe('not applicable');
  for (const one of ['quotes', 'agents']) expect(judged('wallet', one).verdict).toBe('verified');
});

const anyTest: fc.Arbitrary<TestRecord> = fc
  .record({
    standing: fc.constantFrom<Standing>(
      ...([
        'completed',
        'stopped',
        'unprepared',
        'refused',
        'inconclusive',
        'crashed',
        'skipped',
        'did not run',
      ] as const),
    ),
    checks: fc.array(fc.constantFrom(check('passed'), check('failed'), check('inconclusive')), {
      maxLength: 3,
    }),
    findings: fc.array(fc.constantFrom(finding(), known), { maxLength: 2 }),
    seen: fc.constantFrom({}, { 'THING-A': 1 }),
  })
  .map(({ standing, ...more }) => named(standing, more));
const anyCase = fc.record({
  rule: fc.constantFrom(RULE, rule('THING-A'), rule('THING-A', { excluded: 'unseen' })),
  capabilities: fc.constantFrom(new Set(['agents']), new Set<string>()),
  evidence: fc.array(anyTest, { maxLength: 4 }).map((tests) => evidenceByRule(tests)('THING-A')),
  coverage: fc.constantFrom<Coverage>('check', 'shape', 'nothing'),
});

test('adding a finding never improves a verdict', () => {
  fc.assert(
    fc.property(anyCase, fc.constantFrom(finding(), known), (item, extra) => {
      const before = VERDICTS.indexOf(ruleVerdict(item).verdict);
      const evidence = { ...item.evidence, findings: [...item.evidence.findings, extra] };
      const after = VERDICTS.indexOf(ruleVerdict({ ...item, evidence }).verdict);
      // A failed check whose finding was lost counts as open; a known finding may turn out to be the one.
      const lost =
        item.evidence.findings.length === 0 && item.evidence.checks.some((each) => each.outcome === 'failed');
      const isNoBetter = after <= before || (lost && extra.known !== undefined);
      return isNoBetter && /^(violated|known)$/.test(VERDICTS[after] ?? '');
    }),
    { numRuns: 1_000 },
  );
});

test('nothing is verified without a passed check or a seen shape, and all but plain passes carry a reason', () => {
  fc.assert(
    fc.property(anyCase, (item) => {
      const { verdict, reason, mend } = ruleVerdict(item);
      const { checks, seen: count, findings } = item.evidence;
      const isShown =
        (count > 0 || checks.some((each) => each.outcome === 'passed')) &&
        checks.every((each) => each.outcome === 'passed') &&
        findings.length === 0 &&
        item.rule.excluded === undefined;
      const isOpen = verdict === 'inconclusive' || verdict === 'not verified';
      return (
        (verdict === 'verified' ? isShown : Boolean(reason)) &&
        (mend !== undefined) === (isOpen && item.rule.excluded === undefined)
      );
    }),
    { numRuns: 1_000 },
  );
});
