import type { Comparison, ConformanceReport, ObservationReport, RuleReport, Verdict } from './model.ts';
import { canonical } from './observed.ts';

/** The same target: by name, and by address unless embedded, whose port changes with every run. */
export function sameTarget(left: ConformanceReport['target'], right: ConformanceReport['target']): boolean {
  return (
    left.embedded === right.embedded &&
    left.name === right.name &&
    (left.embedded || left.baseUrl === right.baseUrl)
  );
}

/** What changed between two runs on the same target. */
export function compare(
  before: ConformanceReport,
  rules: readonly Pick<RuleReport, 'id' | 'verdict'>[],
  observations: readonly ObservationReport[],
): Comparison {
  const then = new Map(before.rules.map((rule) => [rule.id, rule.verdict]));
  const was = (id: string, ...verdicts: Verdict[]) => verdicts.some((verdict) => then.get(id) === verdict);
  const now = (...verdicts: Verdict[]) => rules.filter((rule) => verdicts.includes(rule.verdict));
  const ids = (some: readonly Pick<RuleReport, 'id'>[]) => some.map((rule) => rule.id);
  return {
    startedAt: before.run.startedAt,
    newlyViolated: ids(now('violated').filter((rule) => !was(rule.id, 'violated'))),
    newlyFixed: ids(now('verified').filter((rule) => was(rule.id, 'violated', 'known'))),
    noLongerVerified: ids(now('inconclusive', 'not verified').filter((rule) => was(rule.id, 'verified'))),
    changedObservations: observations
      .filter((each) => each.before !== undefined && each.answers.length > 0 && hasChanged(each))
      .map((each) => each.question),
  };
}

/** True when the answers differ from those of the last run, in whatever order they came. */
export function hasChanged(observation: ObservationReport): boolean {
  const set = (answers: readonly unknown[]) => answers.map(canonical).sort().join('\n');
  return set(observation.answers.map((each) => each.answer)) !== set(observation.before ?? []);
}
