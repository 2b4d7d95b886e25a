import type { CheckResult, Finding } from '../journal/types.ts';
import type { TestRecord } from './evidence.ts';

/**
 * A test without the findings that do not count after all; each of them stays as a check that could not tell.
 *
 * @param inPlaceOf what stays of a finding; undefined for one that counts
 * @param reason why the test is inconclusive, where none of its findings is left
 */
export function takeBack(
  test: TestRecord,
  inPlaceOf: (finding: Finding) => CheckResult | undefined,
  reason: string,
): TestRecord {
  const { journal } = test;
  const open = (journal?.findings ?? []).flatMap((finding) => inPlaceOf(finding) ?? []);
  if (!journal || open.length === 0) return test;
  const findings = journal.findings.filter((finding) => !inPlaceOf(finding));
  const kept = new Set(findings.map((finding) => finding.rule));
  const taken = new Set(open.map(({ rule }) => rule).filter((rule) => !kept.has(rule)));
  const checks = journal.checks.filter((check) => check.outcome !== 'failed' || !taken.has(check.rule));
  return {
    ...test,
    ...(test.standing === 'stopped' && findings.length === 0
      ? { standing: 'inconclusive' as const, reason }
      : {}),
    journal: { ...journal, findings, checks: [...checks, ...open] },
  };
}
