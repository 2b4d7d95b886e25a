import type { TestRecord } from '../journals/evidence.ts';
import type { LevelTotals, RuleReport, Verdict } from './model.ts';

type Judged = Pick<RuleReport, 'verdict' | 'excluded' | 'accepted' | 'inScope'>;

const TOTAL_OF: Readonly<Record<Verdict, keyof LevelTotals>> = {
  violated: 'violated',
  known: 'known',
  inconclusive: 'inconclusive',
  'not verified': 'notVerified',
  verified: 'verified',
  'not applicable': 'notApplicable',
};

/** Where a rule is counted: by its verdict, or as accepted, excluded or outside of the part that was run. */
export type Shown = Verdict | 'accepted' | 'excluded' | 'not in this part';

/** The one word that a report says of a rule. */
export function shownAs(rule: Judged): Shown {
  if (isBreach(rule.verdict)) return rule.verdict;
  if (rule.inScope === false) return 'not in this part';
  if (rule.excluded !== undefined) return 'excluded';
  return rule.accepted !== undefined && wasNotJudged(rule.verdict) ? 'accepted' : rule.verdict;
}

/** The field of {@link LevelTotals} that counts such rules; undefined where none does. */
export function totalOf(shown: Shown): keyof LevelTotals | undefined {
  if (shown === 'not in this part') return undefined;
  return shown === 'accepted' || shown === 'excluded' ? shown : TOTAL_OF[shown];
}

/** True for a rule that was seen broken, whether or not that is known. */
export function isBreach(verdict: Verdict): boolean {
  return verdict === 'violated' || verdict === 'known';
}

/** True for a rule that the run was to judge and did not, and that nobody has accepted as such. */
export function isOpen(rule: Judged): boolean {
  return wasNotJudged(shownAs(rule));
}

function wasNotJudged(shown: Shown): boolean {
  return shown === 'not verified' || shown === 'inconclusive';
}

/** Counts the rules of a run's part by what is said of them. */
export function totalsOf(rules: readonly Judged[]): LevelTotals {
  const totals = {
    violated: 0,
    known: 0,
    inconclusive: 0,
    notVerified: 0,
    accepted: 0,
    verified: 0,
    notApplicable: 0,
    excluded: 0,
  };
  for (const rule of rules) {
    const total = totalOf(shownAs(rule));
    if (total !== undefined) totals[total] += 1;
  }
  return totals;
}

/** Rules that apply to the target and can be judged at all: the denominator of every statement of a report. */
export function applicable(totals: LevelTotals): number {
  return (
    totals.violated +
    totals.known +
    totals.inconclusive +
    totals.notVerified +
    totals.accepted +
    totals.verified
  );
}

/** How many tests of a folder of specs have run. */
export interface PartRan {
  readonly ran: number;
  readonly of: number;
}

/** Which parts of the suite have run, by folder; for a run that was stopped in the middle. */
export function partsRan(tests: readonly Pick<TestRecord, 'label' | 'standing'>[]): Record<string, PartRan> {
  const parts: Record<string, PartRan> = {};
  for (const { label, standing } of tests) {
    const part = label.split(/[/ ]/)[0] ?? '';
    const { ran, of } = parts[part] ?? { ran: 0, of: 0 };
    parts[part] = { ran: ran + (standing === 'did not run' ? 0 : 1), of: of + 1 };
  }
  return parts;
}

/** The same as one sentence. */
export function partsSentence(parts: Readonly<Record<string, PartRan>>): string {
  const all = Object.entries(parts);
  const names = (some: readonly (readonly [string, PartRan])[]) =>
    some
      .map(([name, { ran, of }]) => (ran === of || ran === 0 ? name : `${name} (${ran} of ${of})`))
      .join(', ');
  const whole = all.filter(([, { ran, of }]) => ran === of);
  const some = all.filter(([, { ran, of }]) => ran > 0 && ran < of);
  const none = all.filter(([, { ran }]) => ran === 0);
  return [
    whole.length > 0 ? `Ran to the end: ${names(whole)}.` : '',
    some.length > 0 ? `In part: ${names(some)}.` : '',
    none.length > 0 ? `Not at all: ${names(none)}.` : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}
