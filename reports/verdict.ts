/**
 * The one place where verdicts are reached: of a rule, and of a run. Everything else (exit code, JSON, page,
 * JUnit, badge) reads what these two functions say. docs/verdicts.md explains them to readers of a report.
 */
import type { Rule } from '../schemas/rules.ts';
import type { RuleEvidence, RuleTest, Standing } from './evidence.ts';
import type { Gate, Level, RunVerdict, Verdict } from './model.ts';

/** What could verify the rule in a complete run: a test that names it, the shape of an answer, or nothing yet. */
export type Coverage = 'check' | 'shape' | 'nothing';

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

  const missing = rule.needs.filter((capability) => !capabilities.has(capability));
  if (missing.length > 0) {
    return { verdict: 'not applicable', reason: `The target does not declare: ${missing.join(', ')}.` };
  }

  const unclear = [
    ...reasonsOf(checks.filter((check) => check.outcome === 'inconclusive')),
    ...reasonsOf(unchecked(tests, 'inconclusive', 'crashed', 'stopped')),
  ];
  if (checks.some((check) => check.outcome === 'inconclusive') || unclear.length > 0) {
    return { verdict: 'inconclusive', reason: summary(unclear, 'A check of it could not tell.') };
  }

  const unprepared = unchecked(tests, 'unprepared');
  if (checks.some((check) => check.outcome === 'passed') || seen > 0) {
    if (unprepared.length === 0) return { verdict: 'verified' };
    const note = `${count(unprepared.length, 'further test')} could not be prepared: `;
    return { verdict: 'verified', reason: note + summary(reasonsOf(unprepared)) };
  }
  return { verdict: 'not verified', reason: whyNotVerified(tests, coverage) };
}

function whyNotVerified(tests: readonly RuleTest[], coverage: Coverage): string {
  const unprepared = unchecked(tests, 'unprepared');
  if (unprepared.length > 0)
    return `The target could not be prepared for it: ${summary(reasonsOf(unprepared))}`;
  const skipped = unchecked(tests, 'skipped');
  if (skipped.length > 0) return `Its test was skipped: ${summary(reasonsOf(skipped))}`;
  if (unchecked(tests, 'did not run').length > 0) {
    return 'Not part of this run: the run ended before its test could run.';
  }
  if (unchecked(tests, 'completed').length > 0)
    return 'Its test ran, but had nothing to hold the rule against.';
  if (coverage === 'check') return 'Not part of this run: its tests were left out by a filter or a shard.';
  if (coverage === 'shape') return 'No answer of this run carried what the rule speaks of.';
  return 'No check exists yet.';
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

export interface RunCase {
  readonly rules: readonly { readonly level: Level; readonly verdict: Verdict; readonly excluded?: string }[];
  readonly gate: Gate;
  readonly usageError?: string;
  /** Errors of the suite itself. */
  readonly engineErrors: readonly string[];
  /** Tests that were chosen but never ran to their end. */
  readonly didNotRun: number;
}

export const EXIT_CODES: Readonly<Record<RunVerdict, 0 | 1 | 2>> = {
  conforming: 0,
  violated: 1,
  'not judged': 2,
};

export const DEFAULT_GATE: Gate = { should: 'allow', notVerified: 'allow', inconclusive: 'allow' };

/** The verdict of the run, and the one sentence that explains it. */
export function runVerdict(run: RunCase): { readonly verdict: RunVerdict; readonly because: string } {
  if (run.usageError !== undefined) return { verdict: 'not judged', because: run.usageError };
  const inScope = run.rules.filter((rule) => rule.excluded === undefined || isBreach(rule.verdict));
  const must = tally(inScope, 'MUST');
  const should = tally(inScope, 'SHOULD');
  const standing = `${must.verified} of the ${count(must.applicable, 'MUST rule')} that apply ${are(must.verified)} verified`;

  if (must.violated > 0) {
    const among = `${must.violated} of the ${count(must.applicable, 'MUST rule')} that apply ${are(must.violated)} violated`;
    const because = [among, `${must.verified} ${are(must.verified)} verified`, ...restOf(must)].join(', ');
    return { verdict: 'violated', because: `${because.replace(',', ';')}.` };
  }
  if (run.gate.should === 'fail' && should.violated > 0) {
    const because = `${count(should.violated, 'SHOULD rule')} ${are(should.violated)} violated, which the gate does not allow.`;
    return { verdict: 'violated', because };
  }
  const [error] = run.engineErrors;
  if (error !== undefined) {
    return {
      verdict: 'not judged',
      because: `The suite itself failed (${count(run.engineErrors.length, 'error')}): ${error}`,
    };
  }
  if (run.didNotRun > 0) {
    const because = `The run ended early: ${count(run.didNotRun, 'test')} did not run; ${standing}.`;
    return { verdict: 'not judged', because };
  }
  if (!inScope.some((rule) => rule.verdict === 'verified' || rule.verdict === 'known')) {
    return { verdict: 'not judged', because: 'Nothing was verified: not one check came to a result.' };
  }
  if (run.gate.inconclusive === 'fail' && must.inconclusive > 0) {
    const because = `${count(must.inconclusive, 'MUST rule')} ${are(must.inconclusive)} inconclusive, which the gate does not allow.`;
    return { verdict: 'not judged', because };
  }
  if (run.gate.notVerified === 'fail' && must.notVerified > 0) {
    const because = `${count(must.notVerified, 'MUST rule')} ${are(must.notVerified)} not verified, which the gate does not allow.`;
    return { verdict: 'not judged', because };
  }
  const first =
    must.known > 0
      ? 'No MUST rule beyond the known ones was found violated'
      : 'No MUST rule was found violated';
  const allowed =
    should.violated > 0 ? [`${count(should.violated, 'SHOULD rule')} violated, which the gate allows`] : [];
  return {
    verdict: 'conforming',
    because: `${first}: ${[standing, ...restOf(must), ...allowed].join(', ')}.`,
  };
}

/** What is neither verified nor violated: a verdict is never told without it. */
function restOf(totals: ReturnType<typeof tally>): string[] {
  return [
    totals.known > 0 ? `${totals.known} known to be broken` : '',
    totals.inconclusive > 0 ? `${totals.inconclusive} inconclusive` : '',
    totals.notVerified > 0 ? `${totals.notVerified} not verified` : '',
  ].filter((text) => text !== '');
}

function tally(rules: RunCase['rules'], level: Level) {
  const verdicts = rules.filter((rule) => rule.level === level).map((rule) => rule.verdict);
  const number = (verdict: Verdict) => verdicts.filter((each) => each === verdict).length;
  return {
    applicable: verdicts.length - number('not applicable'),
    violated: number('violated'),
    known: number('known'),
    inconclusive: number('inconclusive'),
    notVerified: number('not verified'),
    verified: number('verified'),
  };
}

function isBreach(verdict: Verdict): boolean {
  return verdict === 'violated' || verdict === 'known';
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function are(number: number): string {
  return number === 1 ? 'is' : 'are';
}
