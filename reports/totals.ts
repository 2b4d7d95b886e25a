import type { LevelTotals, RuleReport, Verdict } from './model.ts';

/** The field of {@link LevelTotals} that counts a verdict. */
export const TOTAL_OF: Readonly<Record<Verdict, keyof LevelTotals>> = {
  violated: 'violated',
  known: 'known',
  inconclusive: 'inconclusive',
  'not verified': 'notVerified',
  verified: 'verified',
  'not applicable': 'notApplicable',
};

/** Counts rules by verdict; excluded rules are counted apart. */
export function totalsOf(rules: readonly Pick<RuleReport, 'verdict' | 'excluded'>[]): LevelTotals {
  const totals = {
    violated: 0,
    known: 0,
    inconclusive: 0,
    notVerified: 0,
    verified: 0,
    notApplicable: 0,
    excluded: 0,
  };
  for (const rule of rules) totals[rule.excluded === undefined ? TOTAL_OF[rule.verdict] : 'excluded'] += 1;
  return totals;
}

/** Rules that apply to the target and can be judged at all: the denominator of every statement of a report. */
export function applicable(totals: LevelTotals): number {
  return totals.violated + totals.known + totals.inconclusive + totals.notVerified + totals.verified;
}

/** Sum of several totals. */
export function sumOf(all: readonly LevelTotals[]): LevelTotals {
  const sum = totalsOf([]) as Record<keyof LevelTotals, number>;
  for (const totals of all) {
    for (const key of Object.keys(sum) as (keyof LevelTotals)[]) sum[key] += totals[key];
  }
  return sum;
}
