import { readRuleList } from './rule-list.ts';

/**
 * MUST rules that a target cannot show, with the reason: `[{rule, reason}]` in YAML. They may stay open, and do not make a
 * run incomplete.
 *
 * @param path file, or undefined or empty for none
 * @throws UsageError for an unreadable file, an unknown rule or a missing reason
 */
export function readAccepted(path: string | undefined): ReadonlyMap<string, string> {
  return path === undefined || path.trim() === ''
    ? new Map()
    : readRuleList(path, 'list of accepted rules', 'ACCEPTED');
}
