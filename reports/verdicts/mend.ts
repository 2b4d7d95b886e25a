import type { RuleTest, Standing } from '../journals/evidence.ts';
import type { OpenGroup, RuleReport } from './model.ts';
import { isOpen } from './totals.ts';

/** What could verify the rule in a complete run: a test that names it, the shape of an answer, or nothing yet. */
export type Coverage = 'check' | 'shape' | 'nothing';

/** Orders that another run obeys by itself: what they stand beside is an accident of this run, not a limit of the target. */
const RUN_AGAIN = 'run again: the network or the target was in trouble';
const RUN_TO_THE_END = 'run again, to the end: its test did not run';
/** Tests of the rule exist, and were not in the run. */
export const RUN_ALL = 'run the whole suite, or merge all of its shards';

const BY_STANDING: Readonly<Record<Exclude<Standing, 'completed'>, string>> = {
  stopped: 'mend the violated rules first',
  crashed: 'repair Assay: a test of it failed by itself',
  inconclusive: 'read the reason: its test could not tell',
  unprepared: 'prepare what the reason names',
  refused: 'let the target take the control that the reason names',
  skipped: 'read why its test was skipped',
  'did not run': RUN_TO_THE_END,
};

/** True where only another run is needed, so that nothing about the target is to be accepted. */
export function isMomentary(mend: string): boolean {
  return mend === RUN_AGAIN || mend === RUN_TO_THE_END || mend === RUN_ALL;
}

/**
 * What would let an open rule be judged, as an order. Tests may name one; where they differ, the one that most of them
 * name is taken. Where none is named, it follows from how the tests ended.
 *
 * @param tests those that kept the rule from being judged
 * @param coverage what a complete run holds for the rule
 */
export function mendOf(tests: readonly RuleTest[], coverage: Coverage): string {
  const orders = new Map<string, { count: number; given: boolean }>();
  for (const test of tests) {
    const order = test.mend ?? derived(test);
    const before = orders.get(order);
    orders.set(order, {
      count: (before?.count ?? 0) + 1,
      given: (before?.given ?? false) || test.mend !== undefined,
    });
  }
  const [best] = [...orders].sort(
    ([, left], [, right]) => right.count - left.count || Number(right.given) - Number(left.given),
  );
  if (best) return best[0];
  if (coverage === 'check') return RUN_ALL;
  if (coverage === 'shape') return 'let an answer carry what the rule speaks of';
  return 'wait for Assay: it has no check of this rule yet';
}

function derived({ standing, trouble, unclear }: RuleTest): string {
  const named = unclear.find((check) => check.mend !== undefined)?.mend;
  if (named !== undefined) return named;
  if (unclear.length > 0)
    return unclear.some((check) => check.trouble) ? RUN_AGAIN : 'read the reason: a check could not tell';
  if (trouble !== undefined && (standing === 'inconclusive' || standing === 'unprepared')) return RUN_AGAIN;
  return standing === 'completed'
    ? 'let the target answer with what the rule speaks of'
    : BY_STANDING[standing];
}

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
