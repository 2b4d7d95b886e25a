import { stringify } from 'yaml';
import { type KnownRow, ANYTHING, speaksOf, steadyPlace } from '../../target/known-list.ts';
import { isMomentary } from '../verdicts/mend.ts';
import type { ConformanceReport, Defect } from '../verdicts/model.ts';
import { isOpen, shownAs } from '../verdicts/totals.ts';

/** A new list, and how it differs from the one before: rules, with the place where a row names one. */
interface KnownList {
  /** YAML, with its comments. */
  readonly text: string;
  readonly added: readonly string[];
  readonly kept: readonly string[];
  /** Mended, shown, or matching nothing. */
  readonly dropped: readonly string[];
  /** Kept as they are, and red until somebody gives them a new day. */
  readonly expired: readonly string[];
  /** Open over an accident of this run: not listed. */
  readonly momentary: readonly string[];
}

/** What is written into new rows of breaches. */
type NewRows = Pick<KnownRow, 'reason' | 'owner' | 'link' | 'until'>;

/**
 * Lists every breach that a run saw, one row for each thing that was seen at each place. A row names no tests: another
 * part of the suite, or another seed, may show the same thing in another one.
 *
 * @param before rows that the list has, of which those of open rules stay
 */
export function listBreaches(
  report: ConformanceReport,
  before: readonly KnownRow[],
  given: NewRows,
): KnownList {
  const listed = report.knownFailures ?? [];
  const kept = listed.filter(({ standing }) => standing !== 'mended' && standing !== 'matches nothing');
  const expired = kept.filter(({ standing }) => standing === 'expired');
  // A row that has expired speaks of its breach still: another one beside it would renew it behind everybody's back.
  const isExpired = ({ rule, place }: Defect) =>
    expired.some((row) => row.rule === rule && (row.place ?? place) === place);
  const added = report.defects
    .filter((defect) => defect.known === undefined && !isExpired(defect))
    .flatMap((defect) => rowsOf(defect, given))
    .filter(isNoRepeat);
  const own = kept.map(({ standing: _standing, covers: _covers, ...row }) => row);
  const open = before.filter((row) => row.open);
  return {
    text: textOf(report, [...own, ...added], open),
    added: names(added),
    kept: names(kept.filter((row) => !expired.includes(row))),
    dropped: names(listed.filter((row) => !kept.includes(row))),
    expired: names(expired),
    momentary: [],
  };
}

/** The same field within something larger is covered by the row of the field. */
function isNoRepeat(row: KnownRow, index: number, rows: readonly KnownRow[]): boolean {
  const breach = { rule: row.rule, place: row.place ?? '', message: row.seen ?? '' };
  return !rows.some((other, at) => {
    const isShorter = (other.place ?? '').length < breach.place.length;
    return (isShorter || at < index) && other.seen === row.seen && speaksOf(other, breach, '');
  });
}

function rowsOf({ rule, place, steadiness, seen = [] }: Defect, given: NewRows): KnownRow[] {
  const words = seen.map((each) => each.words);
  const isMade = words.includes(ANYTHING);
  // What only made inputs have shown, other ones may not show.
  const comesAndGoes = steadiness === 'intermittent' || (isMade && words.length === 1);
  return (isMade || words.length === 0 ? [undefined] : words).map((each) => ({
    rule,
    place: steadyPlace(place),
    ...(each === undefined ? {} : { seen: each }),
    ...given,
    ...(comesAndGoes ? { intermittent: true } : {}),
  }));
}

/**
 * Lists every MUST rule that a run left open, with its reason.
 *
 * @param before rows that the list has: those of breaches stay, and so do reasons of rules that are still open
 */
export function listOpen(report: ConformanceReport, before: readonly KnownRow[]): KnownList {
  const reasons = new Map(before.filter((row) => row.open).map(({ rule, reason }) => [rule, reason]));
  const all = report.rules.filter(
    (rule) => rule.level === 'MUST' && (isOpen(rule) || shownAs(rule) === 'accepted'),
  );
  const momentary = all.filter(({ id, mend }) => !reasons.has(id) && isMomentary(mend ?? ''));
  const rows = all
    .filter((rule) => !momentary.includes(rule))
    .map(({ id, accepted, reason }) => ({
      rule: id,
      reason: reasons.get(id) ?? accepted ?? reason ?? 'no reason was given.',
      open: true,
    }));
  const ids = rows.map(({ rule }) => rule);
  return {
    text: textOf(
      report,
      before.filter((row) => !row.open),
      rows,
    ),
    added: ids.filter((id) => !reasons.has(id)),
    kept: ids.filter((id) => reasons.has(id)),
    dropped: [...reasons.keys()].filter((id) => !ids.includes(id)),
    expired: [],
    momentary: momentary.map(({ id }) => id),
  };
}

/** Open rules stand together that one thing would mend, and those first of which there are most. */
function textOf(report: ConformanceReport, breaches: readonly KnownRow[], open: readonly KnownRow[]): string {
  const { target, run, rules } = report;
  const mends = new Map(rules.map(({ id, mend }) => [id, mend ?? '']));
  const groups = new Map<string, KnownRow[]>();
  for (const row of open) {
    const mend = mends.get(row.rule) ?? '';
    groups.set(mend, [...(groups.get(mend) ?? []), row]);
  }
  const address = target.embedded ? '' : ` at ${target.baseUrl}`;
  return [
    comment(
      `What ${target.name}${address} is known to break, and the MUST rules that it cannot show (open: true), as of ${run.startedAt.slice(0, 10)}.`,
    ),
    ...(breaches.length > 0 ? [`\n${yaml(breaches)}`] : []),
    ...[...groups]
      .sort(([, left], [, right]) => right.length - left.length)
      .map(([mend, rows]) => `\n${comment(`To mend it: ${mend}`)}${yaml(rows)}`),
    ...(breaches.length + open.length === 0 ? ['[]\n'] : []),
  ].join('');
}

function yaml(rows: readonly KnownRow[]): string {
  return stringify(rows, { lineWidth: 0 });
}

function comment(text: string): string {
  return `# ${text.replace(/[\r\n\u0085\u2028\u2029]+/g, ' ')}\n`;
}

function names(rows: readonly KnownRow[]): string[] {
  return [...new Set(rows.map(({ rule, place = rule }) => (place === rule ? rule : `${rule} at ${place}`)))];
}
