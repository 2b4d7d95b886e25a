import type { RunInput } from './build.ts';
import { evidenceByRule } from './evidence.ts';
import type { RuleReport } from './model.ts';
import { ruleVerdict } from './rule-verdict.ts';
import { isBreach } from './totals.ts';

/**
 * Every rule of the catalogue with its verdict.
 *
 * @param scope rules that the run was to judge; undefined for all
 */
export function ruleReports(input: RunInput, scope: ReadonlySet<string> | undefined): RuleReport[] {
  const { usageError } = input.assay;
  const capabilities = new Set(input.assay.target.capabilities);
  const evidenceOf = evidenceByRule(input.tests);
  return input.rules.map((rule) => {
    const evidence = evidenceOf(rule.id);
    const detection = input.detection?.get(rule.id);
    const accepted = input.accepted?.get(rule.id);
    const { verdict, reason, mend } = ruleVerdict({
      rule,
      capabilities,
      evidence,
      coverage: input.coverageOf(rule.id),
      ...(usageError === undefined ? {} : { usageError }),
    });
    const breach = isBreach(verdict);
    const number = (outcome: string) => evidence.checks.filter((check) => check.outcome === outcome).length;
    const notes = [
      ...(reason === undefined ? [] : [reason]),
      ...(verdict === 'verified' && accepted !== undefined ? ['It no longer needs acceptance.'] : []),
    ];
    return {
      id: rule.id,
      level: rule.level,
      area: rule.area,
      section: rule.section,
      statement: rule.statement,
      verdict,
      ...(notes.length === 0 ? {} : { reason: notes.join(' ') }),
      // A breach that was seen after all outweighs the catalogue's opinion that none can be.
      ...(rule.excluded === undefined || breach ? {} : { excluded: rule.excluded }),
      ...(mend === undefined ? {} : { mend }),
      ...(accepted === undefined ? {} : { accepted }),
      // A breach seen on the way is no less a breach for that.
      ...(scope === undefined || scope.has(rule.id) || breach ? {} : { inScope: false as const }),
      checks: {
        passed: number('passed'),
        failed: number('failed'),
        inconclusive: number('inconclusive'),
        seen: evidence.seen,
        tests: [...new Set(evidence.tests.filter((test) => test.names).map((test) => test.label))],
      },
      ...(detection ? { detection } : {}),
    };
  });
}
