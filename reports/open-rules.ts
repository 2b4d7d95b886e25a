import type { OpenGroup, RuleReport } from './model.ts';
import { isOpen } from './totals.ts';

/** The MUST rules that keep a run from being complete, by what would mend them; the order that mends most comes first. */
export function openGroups(rules: readonly RuleReport[]): OpenGroup[] {
  const groups = new Map<string, string[]>();
  for (const rule of rules) {
    if (rule.level !== 'MUST' || rule.mend === undefined || !isOpen(rule)) continue;
    groups.set(rule.mend, [...(groups.get(rule.mend) ?? []), rule.id]);
  }
  return [...groups]
    .map(([mend, ids]) => ({ mend, rules: ids }))
    .sort(
      (left, right) => right.rules.length - left.rules.length || left.mend.localeCompare(right.mend, 'en'),
    );
}
