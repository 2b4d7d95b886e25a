import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { styleText } from 'node:util';
import { staleSentences } from '../verdicts/known-standings.ts';
import type { ConformanceReport, Defect, Level, LevelTotals, RunVerdict } from '../verdicts/model.ts';
import { GUESSED, profileLines } from '../verdicts/guesses.ts';
import { partsSentence } from '../verdicts/totals.ts';
import { count, durationText, firstOf, printable, repeatsSentence, scopeSentence } from './sentences.ts';

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

/** Where the files of a run are, in the order in which they are named. */
interface WrittenFile {
  readonly path: string;
  readonly purpose: string;
}

const DEFECTS_SHOWN = 30;
const ORDERS_SHOWN = 8;
/** A line with more names fills the screen. */
const IDS_SHOWN = 12;
/** Longest text of a target in one line. */
const MESSAGE = 120;
const HEADLINE: Readonly<Record<RunVerdict, { text: string; style: Style }>> = {
  conforming: { text: 'Conforming', style: ['bold', 'green'] },
  violated: { text: 'Violated', style: ['bold', 'red'] },
  incomplete: { text: 'Incomplete', style: ['bold', 'yellow'] },
  'not judged': { text: 'Not judged', style: ['bold', 'yellow'] },
};

/** The summary for a terminal; it starts with what was judged, and the denominator. Ends with a line break. */
export function terminalSummary(
  report: ConformanceReport,
  files: readonly WrittenFile[],
  options: { readonly colour: boolean },
): string {
  const paint: Paint = (style, text) =>
    options.colour ? styleText(style, text, { validateStream: false }) : text;
  const { text, style } = HEADLINE[report.verdict];
  const lines = [
    ...guessLines(report, paint),
    ...told(scopeSentence(report)),
    ...(['MUST', 'SHOULD', 'MAY'] as const).map((level) => totalsLine(level, report.totals[level], paint)),
    ...areaLines(report, paint),
    `${paint(style, `${text}.`)} ${printable(report.because)}`,
    paint('dim', `The run took ${durationText(report.run.milliseconds)}.`),
    ...told(repeatsSentence(report.run)),
  ];
  for (const error of report.run.engineErrors.slice(0, DEFECTS_SHOWN))
    lines.push(`${paint('yellow', 'error')} ${printable(error)}`);
  for (const sentence of staleSentences(report.knownFailures ?? []))
    lines.push(`${paint('yellow', 'known failures')} ${printable(sentence)}`);
  if (report.run.parts) lines.push(printable(partsSentence(report.run.parts)));
  lines.push(...openLines(report, paint));
  if (report.defects.length > 0) {
    const fresh = new Set(report.comparison?.defects?.new ?? []);
    const shown = report.defects.slice(0, DEFECTS_SHOWN);
    lines.push('', ...shown.map((defect) => defectLine(defect, fresh.has(defect.id), paint)));
    const rest = report.defects.length - DEFECTS_SHOWN;
    if (rest > 0) lines.push(paint('dim', `… and ${rest} more in the report`));
  }
  lines.push(...changeLines(report, paint));
  const shown = (path: string) => (options.colour ? link(path) : path);
  lines.push('', ...files.map(({ purpose, path }) => `${paint('dim', purpose.padEnd(9))} ${shown(path)}`));
  return `${lines.join('\n')}\n`;
}

/** A path to click on, where the terminal can (OSC 8); others show the path alone. */
function link(path: string): string {
  return `\u001B]8;;${pathToFileURL(resolve(path)).href}\u001B\\${path}\u001B]8;;\u001B\\`;
}

/** First of all: what the reader alone can say, as the line that says it. */
function guessLines({ guesses }: ConformanceReport, paint: Paint): string[] {
  if (guesses.length === 0) return [];
  return [paint('yellow', GUESSED), ...profileLines(guesses).map((line) => `  ${line}`), ''];
}

function told(sentence: string | undefined): string[] {
  return sentence === undefined ? [] : [sentence];
}

/** Of a whole run: each area in a line. */
function areaLines({ areas, run }: ConformanceReport, paint: Paint): string[] {
  if (run.partial) return [];
  const widest = Math.max(0, ...Object.keys(areas).map((area) => area.length));
  return Object.entries(areas).map(([area, { verified, violated, inconclusive, notVerified }]) => {
    const open = inconclusive + notVerified;
    const parts = [
      `${String(verified).padStart(3)} verified`,
      ...(violated > 0 ? [paint('red', `${violated} violated`)] : []),
      ...(open > 0 ? [paint('yellow', `${open} open`)] : []),
    ];
    return `  ${area.padEnd(widest)} ${parts.join(', ')}`;
  });
}

function totalsLine(level: Level, totals: LevelTotals, paint: Paint): string {
  const optional: readonly (readonly [number, string])[] = [
    [totals.known, 'known'],
    [totals.inconclusive, 'inconclusive'],
    [totals.accepted, 'accepted'],
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

/** A run that could not start is told by its one sentence: every rule is open then. */
function openLines(report: ConformanceReport, paint: Paint): string[] {
  if (report.open.length === 0 || report.run.usageError !== undefined) return [];
  const shown = report.open.slice(0, ORDERS_SHOWN);
  const rest = report.open.slice(ORDERS_SHOWN).flatMap((group) => group.rules);
  return [
    '',
    paint('bold', 'What would mend the open MUST rules:'),
    ...shown.map(({ mend, rules }) => `  ${printable(mend, MESSAGE)}: ${count(rules.length, 'rule')}`),
    ...(rest.length > 0 ? [paint('dim', `  … and other ways for ${count(rest.length, 'more rule')}`)] : []),
  ];
}

function changeLines(report: ConformanceReport, paint: Paint): string[] {
  const { newlyFixed = [], noLongerVerified = [], defects } = report.comparison ?? {};
  const all: readonly (readonly [Style, string, readonly string[]])[] = [
    ['green', 'Fixed since the last run', newlyFixed],
    ['yellow', 'No longer verified', noLongerVerified],
    ['green', 'No longer in need of acceptance', report.noLongerNeedsAcceptance],
  ];
  const lines = all
    .filter(([, , ids]) => ids.length > 0)
    .map(([style, what, ids]) => `${paint(style, `${what}:`)} ${firstOf(ids, IDS_SHOWN)}`);
  if (defects)
    lines.unshift(
      `Since the last run: ${defects.new.length} new, ${defects.still.length} still failing, ${defects.mended.length} mended, ${noLongerVerified.length} no longer verified.`,
    );
  return lines.length === 0 ? [] : ['', ...lines];
}

function defectLine(defect: Defect, isNew: boolean, paint: Paint): string {
  const mark = defect.known === undefined ? paint('red', 'violated') : paint('yellow', 'known');
  const place = defect.place === defect.rule ? '' : ` at ${printable(defect.place, MESSAGE)}`;
  const notes = [
    ...(isNew ? ['new'] : []),
    ...(defect.count === 1 ? [] : [`${defect.count} times`]),
    ...(defect.steadiness === 'intermittent' ? ['intermittent'] : []),
  ];
  const times = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
  const message = defect.message.trim() === '' ? defect.title : defect.message;
  const line = defect.line ?? defect.story?.location;
  const where = line === undefined ? '' : paint('dim', ` (${printable(line)})`);
  return `${mark} ${paint('bold', printable(defect.rule))}${place}${times}: ${printable(message, MESSAGE)}${where}`;
}
