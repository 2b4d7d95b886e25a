import type { ConformanceReport } from './model.ts';
import { applicable } from './totals.ts';
import { count } from './words.ts';

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
