import type { CheckResult, Finding, Journal } from '../suite/journal/types.ts';
import type { Attempt } from './attempt.ts';
import { findingsOf, placeOf, type Repeat, type Steadiness, type TestRecord } from './evidence.ts';

/** A test with all its runs, the first one first. */
export interface TestAttempts {
  readonly label: string;
  /** Rules that the test's tags name. */
  readonly rules: readonly string[];
  readonly attempts: readonly Attempt[];
}

/**
 * So many tests whose trouble went away make a bad hour: what looks like a breach in trouble then proves nothing, even
 * where it happened twice.
 */
export const TROUBLE_ALL_AROUND = 5;

/** True where an attempt met trouble, so that what it shows may be the moment's fault. */
function inTrouble(journal: Journal | undefined): boolean {
  return (
    journal !== undefined &&
    (journal.trouble !== undefined ||
      journal.unwell === true ||
      journal.findings.some((finding) => finding.trouble !== undefined))
  );
}

/** Whether the first attempt met trouble that the last one did not meet. */
export function troubleWentAway({ attempts }: Pick<TestAttempts, 'attempts'>): boolean {
  const [first, last] = [attempts[0], attempts.at(-1)];
  return (
    attempts.length > 1 &&
    inTrouble(first?.journal) &&
    last?.journal !== undefined &&
    last.standing !== 'did not run' &&
    !inTrouble(last.journal)
  );
}

/**
 * Makes one record of all attempts of a test. A clear breach counts though only one attempt shows it. One that was seen
 * in trouble counts where two attempts show it, and not while trouble is all around.
 *
 * @param wentAway tests of the run whose trouble went away, see {@link troubleWentAway}
 */
export function combine(test: TestAttempts, wentAway: number): TestRecord {
  const { label, attempts } = test;
  const last = attempts.at(-1);
  const journals = attempts.flatMap(({ journal }) => journal ?? []);
  const rules = [...new Set([...test.rules, ...journals.flatMap((journal) => journal.rules)])];
  if (!last) return { label, rules, standing: 'did not run', outcome: 'did not run' };
  const looks = attempts.flatMap((attempt) => lookOf(attempt) ?? []);
  const weighed = weigh(looks, wentAway);
  const crash = attempts.slice(0, -1).find(({ standing }) => standing === 'crashed');
  const standing = standingOf(last, weighed.findings);
  const trouble = last.journal && inTrouble(last.journal) ? troubleOf(last.journal) : undefined;
  return {
    label,
    rules,
    ...standing,
    outcome: last.outcome,
    ...(looks.length > 0 ? { journal: journalOf(looks, rules, weighed) } : {}),
    ...optional('mend', last.journal?.mend),
    ...optional('trouble', trouble),
    ...optional('crash', crash && (crash.reason ?? 'the test failed without a reason.')),
    steadiness: weighed.steadiness,
    ...(attempts.length > 1 ? { repeat: repeatOf(test) } : {}),
  };
}

interface Look {
  readonly attempt: Attempt;
  readonly journal: Journal;
  readonly findings: readonly Finding[];
}

interface Weighed {
  /** Findings that count. */
  readonly findings: readonly Finding[];
  /** What does not count, and was not refuted either. */
  readonly doubts: readonly CheckResult[];
  readonly steadiness: ReadonlyMap<string, Steadiness>;
}

function lookOf(attempt: Attempt): Look | undefined {
  return attempt.journal && { attempt, journal: attempt.journal, findings: findingsOf(attempt.journal) };
}

function weigh(looks: readonly Look[], wentAway: number): Weighed {
  const findings: Finding[] = [];
  const doubts: CheckResult[] = [];
  const steadiness = new Map<string, Steadiness>();
  for (const place of new Set(looks.flatMap((look) => look.findings.map(placeOf)))) {
    const at = (look: Look) => look.findings.filter((finding) => placeOf(finding) === place);
    const showing = looks.filter((look) => at(look).length > 0);
    const clear = showing.filter((look) => at(look).some((finding) => !isDoubtful(look, finding)));
    const best = (clear.at(-1) ?? showing.at(-1)) as Look;
    const [{ rule }] = at(best) as [Finding];
    const refuted = looks.some((look) => !showing.includes(look) && tells(look, rule));
    if (clear.length > 0 || (showing.length > 1 && wentAway < TROUBLE_ALL_AROUND)) {
      findings.push(...at(best));
      steadiness.set(place, showing.length > 1 ? 'steady' : refuted ? 'intermittent' : 'once');
    } else if (!refuted) {
      const again =
        showing.length > 1
          ? `It happened again, but there was trouble all around: ${wentAway} tests met trouble that did not come back.`
          : looks.length > 1
            ? 'The repeat of its test could not tell.'
            : 'Its test was not repeated.';
      doubts.push(...at(best).map((finding) => doubtOf(best, finding, again)));
    }
  }
  return { findings, doubts, steadiness };
}

function isDoubtful({ journal }: Look, finding: Finding): boolean {
  return finding.trouble !== undefined || journal.unwell === true;
}

/** An attempt that came to an answer about the rule, without trouble. */
function tells({ attempt, journal }: Look, rule: string): boolean {
  return (
    !inTrouble(journal) &&
    (attempt.standing === 'completed' ||
      journal.checks.some((check) => check.rule === rule && check.outcome !== 'inconclusive'))
  );
}

function doubtOf({ journal }: Look, finding: Finding, again: string): CheckResult {
  const trouble = finding.trouble ?? troubleOf(journal);
  return {
    rule: finding.rule,
    outcome: 'inconclusive',
    reason: `What was seen may be trouble of the moment (${trouble.replace(/\.$/, '')}). ${again} Seen: ${finding.message}`,
    exchanges: finding.exchanges,
    trouble: true,
  };
}

function troubleOf(journal: Journal): string {
  const marked = journal.findings.find((finding) => finding.trouble !== undefined)?.trouble;
  return journal.trouble ?? marked ?? 'the target was not well';
}

function journalOf(looks: readonly Look[], rules: readonly string[], weighed: Weighed): Journal {
  const last = looks.at(-1) as Look;
  const well = looks.filter((look) => !inTrouble(look.journal));
  const seen: Record<string, number> = {};
  for (const { journal } of well.length > 0 ? well : [last])
    for (const [rule, count] of Object.entries(journal.seen)) seen[rule] = (seen[rule] ?? 0) + count;
  const asked = looks.findLast(({ journal }) => journal.observations.length > 0) ?? last;
  return {
    ...last.journal,
    rules,
    seen,
    checks: [...checksOf(looks, weighed), ...weighed.doubts],
    findings: weighed.findings,
    observations: asked.journal.observations,
    exchanges: looks.flatMap(({ journal }) => journal.exchanges),
  };
}

/** By rule, the checks of the last attempt that came to a result; else of the last that made one at all. */
function checksOf(looks: readonly Look[], { findings }: Weighed): CheckResult[] {
  const broken = new Set(findings.map((finding) => finding.rule));
  // A failure that does not count is no result; where nothing refutes it, it stands among the doubts.
  const counted = looks.map(({ journal }) =>
    journal.checks.filter(({ rule, outcome }) => outcome !== 'failed' || broken.has(rule)),
  );
  return [...new Set(counted.flat().map((check) => check.rule))].flatMap((rule) => {
    const attempts = counted.map((checks) => checks.filter((check) => check.rule === rule));
    return (
      attempts.findLast((checks) => checks.some(({ outcome }) => outcome !== 'inconclusive')) ??
      attempts.findLast((checks) => checks.length > 0) ??
      []
    );
  });
}

/** A test that failed over findings that do not count was stopped by trouble. */
function standingOf(last: Attempt, counted: readonly Finding[]): Pick<TestRecord, 'standing' | 'reason'> {
  if (last.standing === 'stopped' && counted.length === 0 && last.journal)
    return { standing: 'inconclusive', reason: troubleOf(last.journal) };
  return { standing: last.standing, ...optional('reason', last.reason) };
}

function repeatOf(test: TestAttempts): Repeat {
  const [first, last] = [test.attempts[0] as Attempt, test.attempts.at(-1) as Attempt];
  const places = ({ journal }: Attempt) => [...new Set(journal ? findingsOf(journal).map(placeOf) : [])];
  const rules = [...new Set(first.journal ? findingsOf(first.journal).map(({ rule }) => rule) : [])];
  const why =
    first.journal && inTrouble(first.journal)
      ? troubleOf(first.journal)
      : rules.length > 0
        ? `it showed ${rules.join(', ')} broken`
        : (first.reason ?? 'it failed');
  if (troubleWentAway(test)) return { why, outcome: 'trouble went away' };
  const same =
    last.standing === first.standing &&
    inTrouble(last.journal) === inTrouble(first.journal) &&
    places(first).sort().join() === places(last).sort().join();
  return { why, outcome: same ? 'same' : 'different' };
}

function optional<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, string>);
}
