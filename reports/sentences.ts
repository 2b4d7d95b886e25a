import type { ConformanceReport } from './model.ts';
import { applicable } from './totals.ts';

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
