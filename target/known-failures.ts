import { readRuleList } from './rule-list.ts';

/**
 * Rules that a target is known to break, with the reason: `[{rule, reason}]` in YAML. They are reported as `known` and do
 * not fail the run.
 *
 * @param path file, or undefined for none
 * @throws UsageError for an unreadable file, an unknown rule or a missing reason
 */
export function readKnownFailures(path: string | undefined): ReadonlyMap<string, string> {
  return path === undefined ? new Map() : readRuleList(path, 'known-failures file', 'KNOWN_FAILURES');
}
