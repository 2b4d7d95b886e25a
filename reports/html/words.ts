import type { ConformanceReport } from '../model.ts';
import type { Shown } from '../totals.ts';

/** The words of a report in plain English, in the order in which they are explained. */
export const MEANINGS: Readonly<Record<Shown, string>> = {
  violated: 'The target broke the rule at least once in this run. The evidence is listed under “Defects”.',
  known:
    'The target broke the rule, and the breach is on the list of known failures that goes with the target.',
  inconclusive:
    'A check ran into something that proves nothing either way: no answer, a time-out, a rate limit, a failed preparation. Nobody is accused.',
  'not verified':
    'Nothing in this run showed the rule kept or broken. The reason is given with each rule. It is not a pass.',
  accepted:
    'Not judged, and the list of accepted rules that goes with the target says that it may stay so. It is not a pass either.',
  verified: 'At least one check of the rule came to a result, all results were good, and no breach was seen.',
  'not applicable':
    'The rule speaks of something that the target’s profile says it does not offer. Not counted.',
  'not in this part':
    'The run was of a part of the suite, and no test of that part names the rule. Not counted in this run.',
  excluded: 'No exchange with a service can show whether the rule is kept. Not counted; the reason is given.',
};

/** A sign beside each word, so that colour is never the only difference. */
export const SIGNS: Readonly<Record<Shown, string>> = {
  violated: '✕',
  known: '◆',
  inconclusive: '?',
  'not verified': '○',
  accepted: '◌',
  verified: '✓',
  'not applicable': '–',
  'not in this part': '–',
  excluded: '–',
};

/** The headline of a report: never more than the run showed. */
export function headlineOf(report: Pick<ConformanceReport, 'verdict' | 'defects'>): string {
  if (report.verdict === 'violated') return 'Violations found';
  if (report.verdict === 'incomplete') return 'This run has not shown enough';
  if (report.verdict === 'not judged') return 'This run could not judge the target';
  if (report.defects.length === 0) return 'No violation found';
  return report.defects.every((defect) => defect.known !== undefined)
    ? 'No new violation found'
    : 'No violated MUST rule found';
}

export const LEVEL_MEANINGS = {
  MUST: 'The interface demands it. A violated MUST makes the run fail; one that is open makes it incomplete.',
  SHOULD: 'The interface recommends it. A violation is shown, and fails the run only where the gate says so.',
  MAY: 'The interface allows it. Shown for completeness; it never fails a run.',
} as const;
