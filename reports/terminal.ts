import { styleText } from 'node:util';
import type { ConformanceReport, Defect, Level, LevelTotals, RunVerdict } from './model.ts';

type Style = Parameters<typeof styleText>[0];

/** Where the files of a run are, in the order in which they are named. */
export interface WrittenFile {
  readonly path: string;
  readonly purpose: string;
}

const DEFECTS_SHOWN = 30;
const HEADLINE: Readonly<Record<RunVerdict, { text: string; style: Style }>> = {
  conforming: { text: 'Conforming', style: ['bold', 'green'] },
  violated: { text: 'Violated', style: ['bold', 'red'] },
  'not judged': { text: 'Not judged', style: ['bold', 'yellow'] },
};

/** The summary for a terminal; its first line is the denominator. Ends with a line break. */
export function terminalSummary(
  report: ConformanceReport,
  files: readonly WrittenFile[],
  options: { readonly colour: boolean },
): string {
  const paint = (style: Style, text: string) =>
    options.colour ? styleText(style, text, { validateStream: false }) : text;
  const { text, style } = HEADLINE[report.verdict];
  const lines = [
    ...(['MUST', 'SHOULD', 'MAY'] as const).map((level) => totalsLine(level, report.totals[level], paint)),
    `${paint(style, `${text}.`)} ${report.because}`,
  ];
  if (report.run.partial && report.run.usageError === undefined) {
    lines.push(paint('dim', 'This run was partial: what it left out is counted as not verified.'));
  }
  for (const error of report.run.engineErrors.slice(0, DEFECTS_SHOWN))
    lines.push(`${paint('yellow', 'error')} ${error}`);
  if (report.defects.length > 0) {
    lines.push('', ...report.defects.slice(0, DEFECTS_SHOWN).map((defect) => defectLine(defect, paint)));
    const rest = report.defects.length - DEFECTS_SHOWN;
    if (rest > 0) lines.push(paint('dim', `… and ${rest} more in the report`));
  }
  const fixed = report.comparison?.newlyFixed ?? [];
  if (fixed.length > 0) lines.push('', `${paint('green', 'Fixed since the last run:')} ${fixed.join(', ')}`);
  lines.push('', ...files.map((file) => `${paint('dim', file.purpose.padEnd(9))} ${file.path}`));
  return `${lines.join('\n')}\n`;
}

function totalsLine(
  level: Level,
  totals: LevelTotals,
  paint: (style: Style, text: string) => string,
): string {
  const optional: readonly (readonly [number, string])[] = [
    [totals.known, 'known'],
    [totals.inconclusive, 'inconclusive'],
    [totals.notApplicable, 'not applicable'],
    [totals.excluded, 'excluded'],
  ];
  const parts = [
    paint(totals.verified > 0 ? 'green' : 'dim', `${totals.verified} verified`),
    paint(totals.violated > 0 ? 'red' : 'dim', `${totals.violated} violated`),
    `${totals.notVerified} not verified`,
    ...optional.filter(([number]) => number > 0).map(([number, word]) => paint('dim', `${number} ${word}`)),
  ];
  return `${level} ${parts.join(', ')}`;
}

function defectLine(defect: Defect, paint: (style: Style, text: string) => string): string {
  const mark = defect.known === undefined ? paint('red', 'violated') : paint('yellow', 'known');
  const place = defect.place === defect.rule ? '' : ` at ${defect.place}`;
  const times = defect.count === 1 ? '' : ` (${defect.count} times)`;
  return `${mark} ${paint('bold', defect.rule)}${place}${times}: ${defect.title}`;
}
