import { needsLacking, type Rule } from '../../schemas/rules.ts';
import type { RunInput } from './build-report.ts';
import { type RuleEvidence, type RuleTest, type Standing, evidenceByRule } from '../journals/evidence.ts';
import { mendOf, type Coverage } from './mend.ts';
import type { Verdict, RuleReport } from './model.ts';
import { count } from '../write/sentences.ts';
import { isBreach } from './totals.ts';

/**
 * The one place where the verdict of a rule is reached; that of a run is in run-verdict.ts. Everything else (exit code,
 * JSON, page, JUnit, badge) reads what these two say. docs/verdicts.md explains them to readers of a report.
 */

export interface RuleCase {
  readonly rule: Pick<Rule, 'id' | 'needs' | 'excluded'>;
  /** Capabilities that the target's profile declares. */
  readonly capabilities: ReadonlySet<string>;
  readonly evidence: RuleEvidence;
  readonly coverage: Coverage;
  /** Set when no test could run at all. */
  readonly usageError?: string;
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly reason?: string;
  /** Of a rule that was not judged: an order that would let it be. */
  readonly mend?: string;
}

/** The verdict of one rule; the worst that the evidence supports. */
export function ruleVerdict({ rule, capabilities, evidence, coverage, usageError }: RuleCase): Judgement {
  if (usageError !== undefined) return { verdict: 'not verified', reason: 'The run could not start.' };
  const { checks, findings, seen, tests } = evidence;

  const open = findings.filter((finding) => finding.known === undefined);
  const failed = checks.filter((check) => check.outcome === 'failed');
  if (open.length > 0 || (failed.length > 0 && findings.length === 0)) {
    const messages = open.length > 0 ? open.map((finding) => finding.message) : reasonsOf(failed);
    return { verdict: 'violated', reason: summary(messages, 'A check of it failed.') };
  }
  if (findings.length > 0) {
    return { verdict: 'known', reason: `Known: ${summary(findings.map((finding) => finding.known ?? ''))}` };
  }
  if (rule.excluded !== undefined) return { verdict: 'not verified', reason: rule.excluded };

  const missing = needsLacking(rule, capabilities);
  if (missing.length > 0) {
    return { verdict: 'not applicable', reason: `The target does not declare: ${missing.join(', ')}.` };
  }

  const isShown = checks.some((check) => check.outcome === 'passed') || seen > 0;
  const doubtful = checks.filter((check) => check.outcome === 'inconclusive');
  // A control that was refused closes what depends on its variant, and not what another one has shown.
  const ended = unchecked(tests, 'inconclusive', 'crashed', 'stopped', ...(isShown ? [] : REFUSED));
  if (doubtful.length > 0 || ended.length > 0)
    return {
      verdict: 'inconclusive',
      reason: summary([...reasonsOf(doubtful), ...reasonsOf(ended)], 'A check of it could not tell.'),
      mend: mendOf([...tests.filter((test) => test.unclear.length > 0), ...ended], coverage),
    };

  const unprepared = unchecked(tests, 'unprepared', 'refused');
  if (isShown) {
    if (unprepared.length === 0) return { verdict: 'verified' };
    const note = `${count(unprepared.length, 'further test')} could not be prepared: `;
    return { verdict: 'verified', reason: note + summary(reasonsOf(unprepared)) };
  }
  return notVerified(tests, coverage);
}

const REFUSED: readonly Standing[] = ['refused'];

const WITHOUT_TEST: Readonly<Record<Coverage, string>> = {
  check: 'Not part of this run: its tests were left out by a filter, a shard or a missing part.',
  shape: 'No answer of this run carried what the rule speaks of.',
  nothing: 'No check exists yet.',
};

function notVerified(tests: readonly RuleTest[], coverage: Coverage): Judgement {
  const because = (obstacles: readonly RuleTest[], reason: string): Judgement => ({
    verdict: 'not verified',
    reason,
    mend: mendOf(obstacles, coverage),
  });
  const unprepared = unchecked(tests, 'unprepared');
  const empty = unchecked(tests, 'completed');
  // A rule of many tests is not open for what the fewest of them lacked.
  if (unprepared.length > 0 && unprepared.length >= empty.length)
    return because(unprepared, `The target could not be prepared for it: ${summary(reasonsOf(unprepared))}`);
  const skipped = unchecked(tests, 'skipped');
  if (skipped.length > 0) return because(skipped, `Its test was skipped: ${summary(reasonsOf(skipped))}`);
  const absent = unchecked(tests, 'did not run');
  if (absent.length > 0)
    return because(absent, 'Not part of this run: the run ended before its test could run.');
  if (empty.length > 0) return because(empty, 'Its test ran, but had nothing to hold the rule against.');
  return because([], WITHOUT_TEST[coverage]);
}

/** Tests that name the rule, ended like this, and never came to a check of it. */
function unchecked(tests: readonly RuleTest[], ...standings: Standing[]): readonly RuleTest[] {
  return tests.filter((test) => test.names && !test.checked && standings.includes(test.standing));
}

function reasonsOf(items: readonly { readonly reason?: string }[]): string[] {
  return items.map((item) => item.reason ?? '');
}

/** The first distinct reason, and how many others there are. */
function summary(reasons: readonly string[], otherwise = 'no reason was given.'): string {
  const distinct = [...new Set(reasons.map((reason) => reason.trim()).filter((reason) => reason !== ''))];
  const [first = otherwise, ...rest] = distinct;
  return rest.length === 0 ? first : `${first} (and ${count(rest.length, 'other reason')})`;
}

/**
 * Every rule of the catalogue with its verdict.
 *
 * @param scope rules that the run was to judge; undefined for all
 */
export function ruleReports(input: RunInput, scope: ReadonlySet<string> | undefined): RuleReport[] {
  const { usageError } = input.assay;
  const capabilities = new Set(input.assay.target.capabilities);
  const evidenceOf = evidenceByRule(input.tests);
  return input.rules.map((rule) => {
    const evidence = evidenceOf(rule.id);
    const detection = input.detection?.get(rule.id);
    const accepted = input.accepted?.get(rule.id);
    const { verdict, reason, mend } = ruleVerdict({
      rule,
      capabilities,
      evidence,
      coverage: input.coverageOf(rule.id),
      ...(usageError === undefined ? {} : { usageError }),
    });
    const breach = isBreach(verdict);
    const number = (outcome: string) => evidence.checks.filter((check) => check.outcome === outcome).length;
    const notes = [
      ...(reason === undefined ? [] : [reason]),
      ...(verdict === 'verified' && accepted !== undefined ? ['It no longer needs acceptance.'] : []),
    ];
    return {
      id: rule.id,
      level: rule.level,
      area: rule.area,
      section: rule.section,
      statement: rule.statement,
      verdict,
      ...(notes.length === 0 ? {} : { reason: notes.join(' ') }),
      // A breach that was seen after all outweighs the catalogue's opinion that none can be.
      ...(rule.excluded === undefined || breach ? {} : { excluded: rule.excluded }),
      ...(mend === undefined ? {} : { mend }),
      ...(accepted === undefined ? {} : { accepted }),
      // A breach or a doubt that was met on the way is no less one for that.
      ...(scope === undefined || scope.has(rule.id) || breach || verdict === 'inconclusive'
        ? {}
        : { inScope: false as const }),
      checks: {
        passed: number('passed'),
        failed: number('failed'),
        inconclusive: number('inconclusive'),
        seen: evidence.seen,
        tests: [...new Set(evidence.tests.filter((test) => test.names).map((test) => test.label))],
      },
      ...(detection ? { detection } : {}),
    };
  });
}
