import { defectId } from './defects.ts';
import type {
  Comparison,
  ConformanceReport,
  Defect,
  ObservationReport,
  RuleReport,
  Verdict,
} from './model.ts';
import { canonical } from './observed.ts';

type Target = Pick<ConformanceReport['target'], 'name' | 'baseUrl' | 'embedded'>;

/** The same target: by name, and by address unless embedded, whose port changes with every run. */
export function sameTarget(left: Target, right: Target): boolean {
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
  defects: readonly Pick<Defect, 'id'>[] = [],
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
    defects: compareDefects(before, rules, defects),
    changedObservations: observations
      .filter((each) => each.before !== undefined && each.answers.length > 0 && hasChanged(each))
      .map((each) => each.question),
  };
}

/** Mended is only what was seen then and is judged well now; whoever was not looked for is not mended. */
function compareDefects(
  before: ConformanceReport,
  rules: readonly Pick<RuleReport, 'id' | 'verdict'>[],
  defects: readonly Pick<Defect, 'id'>[],
): NonNullable<Comparison['defects']> {
  // A report of an earlier version names no ids.
  const then = new Map(before.defects.map((defect) => [defectId(defect.rule, defect.place), defect]));
  const now = new Set(defects.map(({ id }) => id));
  const judged = new Set(
    rules.filter(({ verdict }) => ['verified', 'violated', 'known'].includes(verdict)).map(({ id }) => id),
  );
  return {
    new: [...now].filter((id) => !then.has(id)),
    still: [...now].filter((id) => then.has(id)),
    mended: [...then]
      .filter(([id, { rule }]) => !now.has(id) && judged.has(rule))
      .map(([id, { rule, title }]) => ({ id, rule, title })),
  };
}

/** True when the answers differ from those of the last run, in whatever order they came. */
export function hasChanged(observation: ObservationReport): boolean {
  const set = (answers: readonly unknown[]) => answers.map(canonical).sort().join('\n');
  return set(observation.answers.map((each) => each.answer)) !== set(observation.before ?? []);
}
