/**
 * Everything that a run left behind about its tests, in the form that the verdicts are computed from. It knows
 * nothing of Playwright, so that every verdict can be computed (and tested) from plain data.
 */
import type { Steadiness } from '../../doubt/run.ts';
import { findingsOf } from '../../journal/findings.ts';
import type { CheckResult, Finding, Journal } from '../../journal/types.ts';

/**
 * How a test ended:
 * - `completed`: to its last line
 * - `stopped`: it failed on the way, and its journal explains why (findings, or checks in place of those taken back)
 * - `unprepared`: the target lacks a state or a capability
 * - `refused`: the target refused a control, so that this variant of it shows nothing
 * - `inconclusive`: a preparation or a control failed
 * - `crashed`: it failed, and nothing that the target did explains it
 * - `skipped`: the test itself says so
 * - `did not run`: interruption, time-out of the run, too many failures, a target that has gone away
 */
export type Standing =
  'completed' | 'stopped' | 'unprepared' | 'refused' | 'inconclusive' | 'crashed' | 'skipped' | 'did not run';

export interface TestRecord {
  /** File and titles, without absolute paths. */
  readonly label: string;
  /** Where it begins, such as `specs/agents/approval.spec.ts:12`. */
  readonly location?: string;
  /** Rules that the test names. */
  readonly rules: readonly string[];
  readonly standing: Standing;
  readonly reason?: string;
  /** How the test runner counts it: by its last attempt. */
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'did not run';
  /** What all attempts left behind, combined. */
  readonly journal?: Journal;
  /** An order that would mend what kept the test from telling. */
  readonly mend?: string;
  /** Trouble that the last attempt met. */
  readonly trouble?: string;
  /** An earlier attempt crashed, though the last did not: a mistake of the suite all the same. */
  readonly crash?: string;
  /** By `placeOf`: whether the attempts agree on a finding. `once` where it is not listed. */
  readonly steadiness?: ReadonlyMap<string, Steadiness>;
  readonly repeat?: Repeat;
}

/** Why a test was run a second time, and what came of it. */
export interface Repeat {
  readonly why: string;
  readonly outcome: 'same' | 'trouble went away' | 'different';
}

/** All that a run knows about one rule. */
export interface RuleEvidence {
  readonly checks: readonly CheckResult[];
  readonly findings: readonly Finding[];
  /** Answers held against the rule's shape. */
  readonly seen: number;
  readonly tests: readonly RuleTest[];
}

/** A test that names the rule, or that left something about it. */
export interface RuleTest {
  readonly label: string;
  readonly standing: Standing;
  readonly reason?: string;
  /**
   * A check of the rule ran in it, or a finding was made; in a test that failed over another rule, meeting the
   * rule's shape is enough, so that one defect does not make its neighbours inconclusive.
   */
  readonly checked: boolean;
  /** The test names the rule; false when it only met its shape on the way. */
  readonly names: boolean;
  readonly mend?: string;
  readonly trouble?: string;
  /** Checks of the rule that could not tell. */
  readonly unclear: readonly CheckResult[];
}

const nothing: RuleEvidence = { checks: [], findings: [], seen: 0, tests: [] };

/**
 * How a test is counted, by Assay as by every other reporter: failed where it shows a breach or crashed; passed where the
 * breach is known; skipped where what stopped it accuses nobody.
 */
export function shownOutcome(test: TestRecord): TestRecord['outcome'] {
  const findings = test.journal ? findingsOf(test.journal) : [];
  if (findings.some(({ known }) => known === undefined)) return 'failed';
  if (test.outcome !== 'failed' || test.standing === 'crashed') return test.outcome;
  return findings.length > 0 || test.standing === 'completed' ? 'passed' : 'skipped';
}

/** Sorts what the tests left behind by rule. */
export function evidenceByRule(tests: readonly TestRecord[]): (rule: string) => RuleEvidence {
  const found = new Map<
    string,
    { checks: CheckResult[]; findings: Finding[]; seen: number; tests: RuleTest[] }
  >();
  const of = (rule: string) => {
    let entry = found.get(rule);
    if (!entry) found.set(rule, (entry = { checks: [], findings: [], seen: 0, tests: [] }));
    return entry;
  };
  for (const test of tests) {
    const findings = test.journal ? findingsOf(test.journal) : [];
    const checks = test.journal?.checks ?? [];
    const seen = Object.entries(test.journal?.seen ?? {});
    for (const finding of findings) of(finding.rule).findings.push(finding);
    for (const check of checks) of(check.rule).checks.push(check);
    for (const [rule, count] of seen) of(rule).seen += count;

    const checked = new Set([...findings, ...checks].map((item) => item.rule));
    const named = new Set([...test.rules, ...(test.journal?.rules ?? [])]);
    const met = new Set(seen.filter(([, count]) => count > 0).map(([rule]) => rule));
    for (const rule of new Set([...named, ...checked, ...met])) {
      of(rule).tests.push({
        label: test.label,
        standing: test.standing,
        ...(test.reason === undefined ? {} : { reason: test.reason }),
        checked: checked.has(rule) || (test.standing === 'stopped' && met.has(rule)),
        names: named.has(rule),
        ...(test.mend === undefined ? {} : { mend: test.mend }),
        ...(test.trouble === undefined ? {} : { trouble: test.trouble }),
        unclear: checks.filter((check) => check.rule === rule && check.outcome === 'inconclusive'),
      });
    }
  }
  return (rule) => found.get(rule) ?? nothing;
}
