import { stringify } from 'yaml';
import { ANYTHING, type KnownFailure, isExpired, speaksOf, steadyPlace } from '../target/known-failures.ts';
import { findingsOf, type TestRecord } from './evidence.ts';
import type { ConformanceReport, Defect, KnownFailureReport, RuleReport } from './model.ts';
import { isBreach } from './totals.ts';

/** A new list of known failures, and how it differs from the one before. Rules and places as one text. */
export interface KnownList {
  /** YAML, with its comments. */
  readonly text: string;
  readonly added: readonly string[];
  readonly kept: readonly string[];
  /** Mended, or matching nothing. */
  readonly dropped: readonly string[];
  /** Kept as they are, and red until somebody gives them a new day. */
  readonly expired: readonly string[];
}

/** What is written into new entries. */
export interface NewEntries {
  readonly reason: string;
  readonly owner?: string;
  readonly link?: string;
  /** `YYYY-MM-DD` */
  readonly until: string;
}

/**
 * Lists every breach that a run saw, one entry for each thing that was seen at each place. An entry names no tests: another
 * part of the suite, or another seed, may show the same thing in another one.
 */
export function knownList(report: ConformanceReport, given: NewEntries): KnownList {
  const before = report.knownFailures ?? [];
  const kept = before.filter(({ standing }) => standing !== 'mended' && standing !== 'matches nothing');
  const open = report.defects.filter(({ known }) => known === undefined);
  // An entry that has expired speaks of its breach still: another one beside it would renew it behind everybody's back.
  const isExpired = (defect: Defect) =>
    kept.some(
      (entry) =>
        entry.standing === 'expired' &&
        entry.rule === defect.rule &&
        (entry.place ?? defect.place) === defect.place,
    );
  const added = withoutRepeats(
    open.filter((defect) => !isExpired(defect)).flatMap((defect) => entriesOf(defect, given)),
  );
  const entries = [...kept.map(withoutStanding), ...added];
  return {
    text: `${header(report)}${entries.length === 0 ? '[]\n' : stringify(entries, { lineWidth: 0 })}`,
    added: names(added),
    kept: names(kept.filter(({ standing }) => standing !== 'expired')),
    dropped: names(before.filter((entry) => !kept.includes(entry))),
    expired: names(kept.filter(({ standing }) => standing === 'expired')),
  };
}

/** The same field within something larger is covered by the entry of the field. */
function withoutRepeats(entries: readonly KnownFailure[]): KnownFailure[] {
  return entries.filter(
    (entry, index) =>
      !entries.some((other, at) => {
        const breach = { rule: entry.rule, place: entry.place ?? '', message: entry.seen ?? '' };
        const isShorter = (other.place ?? '').length < breach.place.length;
        return (isShorter || at < index) && other.seen === entry.seen && speaksOf(other, breach, '');
      }),
  );
}

function entriesOf(defect: Defect, { reason, owner, link, until }: NewEntries): KnownFailure[] {
  const { rule, place, steadiness } = defect;
  const seen = (defect.seen ?? []).map(({ words }) => words);
  const isMade = seen.includes(ANYTHING);
  // What only made inputs have shown, other ones may not show.
  const comesAndGoes = steadiness === 'intermittent' || (isMade && seen.length === 1);
  return (isMade || seen.length === 0 ? [undefined] : seen).map((words) => ({
    rule,
    place: steadyPlace(place),
    ...(words === undefined ? {} : { seen: words }),
    reason,
    ...(owner === undefined ? {} : { owner }),
    ...(link === undefined ? {} : { link }),
    until,
    ...(comesAndGoes ? { intermittent: true } : {}),
  }));
}

function withoutStanding({
  standing: _standing,
  covers: _covers,
  ...entry
}: KnownFailureReport): KnownFailure {
  return entry;
}

function names(entries: readonly Pick<KnownFailure, 'rule' | 'place'>[]): string[] {
  return [
    ...new Set(
      entries.map(({ rule, place }) =>
        place === undefined || place === rule ? rule : `${rule} at ${place}`,
      ),
    ),
  ];
}

function header({ target, run }: ConformanceReport): string {
  const text = `Breaches that ${target.name} is known to have, as of ${run.startedAt.slice(0, 10)}. Each covers what is seen at its place, and nothing else.`;
  return `# ${text.replace(/[\r\n\u0085\u2028\u2029]+/g, ' ')}\n`;
}

/** Standings of an entry that make a run red: the list says something that is not so. */
const STALE = new Set<KnownFailureReport['standing']>(['expired', 'mended', 'matches nothing']);

/**
 * What became of every entry of the list of known failures.
 *
 * @param now epoch milliseconds
 * @param isWhole the whole suite ran: a part says nothing of an entry that covers nothing there
 */
export function knownFailureReports(
  entries: readonly KnownFailure[],
  tests: readonly TestRecord[],
  rules: readonly RuleReport[],
  now: number,
  isWhole: boolean,
): KnownFailureReport[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const breaches = tests.flatMap((test) =>
    test.journal ? findingsOf(test.journal).map((finding) => ({ finding, test: test.label })) : [],
  );
  const counted = entries.map((entry) => ({
    entry,
    covers: breaches.filter(({ finding, test }) => speaksOf(entry, finding, test)).length,
  }));
  return counted.map(({ entry, covers }): KnownFailureReport => {
    const isSeenInOtherWords = counted.some(
      (other) => other.covers > 0 && other.entry.rule === entry.rule && other.entry.place === entry.place,
    );
    const standing = (): KnownFailureReport['standing'] => {
      if (covers === 0 && !isWhole) return 'not judged';
      if (isExpired(entry, now)) return 'expired';
      if (covers > 0) return 'covers';
      return isSeenInOtherWords ? 'not seen this time' : uncovered(entry, byId.get(entry.rule));
    };
    return { ...entry, standing: standing(), covers };
  });
}

function uncovered(entry: KnownFailure, rule: RuleReport | undefined): KnownFailureReport['standing'] {
  if (rule === undefined) return 'not judged';
  if (rule.verdict === 'verified') return entry.intermittent ? 'not seen this time' : 'mended';
  const isHopeless =
    isBreach(rule.verdict) || rule.verdict === 'not applicable' || rule.excluded !== undefined;
  return isHopeless ? 'matches nothing' : 'not judged';
}

/** Entries that must be looked at before the list may cover anything again, each as one sentence. */
export function staleSentences(entries: readonly KnownFailureReport[]): string[] {
  return entries
    .filter(({ standing }) => STALE.has(standing))
    .map((entry) => {
      const name =
        entry.place === undefined || entry.place === entry.rule
          ? entry.rule
          : `${entry.rule} at ${entry.place}`;
      if (entry.standing === 'expired') return `${name} was accepted until ${entry.until}`;
      if (entry.standing === 'mended') return `${name} is mended: take it off the list`;
      return `${name} matches nothing that this run saw`;
    });
}
