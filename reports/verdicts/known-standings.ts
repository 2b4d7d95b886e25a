import { type TestRecord } from '../journals/evidence.ts';
import type { KnownFailureReport, RuleReport } from './model.ts';
import { isBreach } from './totals.ts';
import { findingsOf } from '../../journal/findings.ts';
import { isExpired, type KnownFailure, speaksOf } from '../../target/known-list.ts';

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
