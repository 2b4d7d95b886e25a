import type { Finding, Journal } from './types.ts';

/** A finding's rule and place as one text: what an engineer has to repair once. */
export function placeOf({ rule, place }: Pick<Finding, 'rule' | 'place'>): string {
  return JSON.stringify([rule, place]);
}

/**
 * Findings of a journal. A failed check without a finding of its rule gets one, so that a breach can never be
 * lost between the two lists.
 */
export function findingsOf(journal: Journal): readonly Finding[] {
  const blamed = new Set(journal.findings.map((finding) => finding.rule));
  const missing = journal.checks.filter((check) => check.outcome === 'failed' && !blamed.has(check.rule));
  return [
    ...journal.findings,
    ...missing.map((check) => ({
      rule: check.rule,
      place: check.rule,
      message: check.reason ?? 'A check of this rule failed.',
      exchanges: check.exchanges,
    })),
  ];
}
