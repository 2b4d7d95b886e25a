import type { ConformanceReport } from '../verdicts/model.ts';
import { applicable, type Shown } from '../verdicts/totals.ts';

/** A number with its noun: `1 test`, `2 tests`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The verb that goes with a number. */
export function are(number: number): string {
  return number === 1 ? 'is' : 'are';
}

/** The first ids of a list, and how many more there are. */
export function firstOf(ids: readonly string[], most: number, between = ', '): string {
  const rest = ids.length - most;
  return ids.slice(0, most).join(between) + (rest > 0 ? ` and ${rest} more` : '');
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/**
 * One line that is safe to print: a target's text may hold line breaks, commands to a terminal, or marks that turn the
 * direction of what follows.
 *
 * @param text of any origin
 * @param most characters to keep; what is beyond is cut and marked with an ellipsis
 */
export function printable(text: string, most = Number.POSITIVE_INFINITY): string {
  const line = text
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .replaceAll('\t', ' ')
    .replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`;
}

/** Which part of the suite a run was judged on, as one sentence; undefined for all of it. */
export function scopeSentence(
  report: Pick<ConformanceReport, 'rules' | 'run' | 'totals'>,
): string | undefined {
  if (!report.run.partial) return undefined;
  const all = report.rules.filter(
    (rule) => rule.level === 'MUST' && rule.excluded === undefined && rule.verdict !== 'not applicable',
  );
  return `A part of the suite: judged on ${applicable(report.totals.MUST)} of the ${count(all.length, 'MUST rule')} that apply.`;
}

/** How many tests were run twice, and what came of it; undefined where none was. */
export function repeatsSentence({ repeats }: Pick<ConformanceReport['run'], 'repeats'>): string | undefined {
  if (repeats.length === 0) return undefined;
  const number = (outcome: string) => repeats.filter((repeat) => repeat.outcome === outcome).length;
  const parts = [
    [number('trouble went away'), 'met trouble that went away'],
    [number('same'), 'showed the same again'],
    [number('different'), 'showed something else'],
  ] as const;
  const told = parts.filter(([some]) => some > 0).map(([some, what]) => `${some} ${what}`);
  return `${count(repeats.length, 'test')} ${repeats.length === 1 ? 'was' : 'were'} repeated: ${told.join(', ')}.`;
}

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

/** How long something took, in words. */
export function durationText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
