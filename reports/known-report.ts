import { isExpired, speaksOf, type KnownFailure } from '../target/known-failures.ts';
import { findingsOf, type TestRecord } from './evidence.ts';
import type { KnownFailureReport, RuleReport } from './model.ts';
import { isBreach } from './totals.ts';

/** Standings of an entry that make a run red: the list says something that is not so. */
const STALE = new Set<KnownFailureReport['standing']>(['expired', 'mended', 'matches nothing']);

/**
 * What became of every entry of the list of known failures.
 *
 * @param now epoch milliseconds
 */
export function knownFailureReports(
  entries: readonly KnownFailure[],
  tests: readonly TestRecord[],
  rules: readonly RuleReport[],
  now: number,
): KnownFailureReport[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const breaches = tests.flatMap((test) =>
    test.journal ? findingsOf(test.journal).map((finding) => ({ finding, test: test.label })) : [],
  );
  return entries.map((entry): KnownFailureReport => {
    const covers = breaches.filter(({ finding, test }) => speaksOf(entry, finding, test)).length;
    return { ...entry, standing: standingOf(entry, covers, byId.get(entry.rule), now), covers };
  });
}

function standingOf(
  entry: KnownFailure,
  covers: number,
  rule: RuleReport | undefined,
  now: number,
): KnownFailureReport['standing'] {
  if (isExpired(entry, now)) return 'expired';
  if (covers > 0) return 'covers';
  if (rule === undefined || rule.inScope === false) return 'not judged';
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
