import type { ObservationQuestion } from '../schemas/observations.ts';
import type { Rule } from '../schemas/rules.ts';
import { compare, sameTarget } from './baseline.ts';
import type { Detection } from './detection.ts';
import { mergeDefects } from './defects.ts';
import { evidenceByRule, type TestRecord } from './evidence.ts';
import type { ConformanceReport, Gate, Level, RuleReport } from './model.ts';
import { observationsOf } from './observed.ts';
import { totalsOf } from './totals.ts';
import { DEFAULT_GATE, ruleVerdict, runVerdict, type Coverage } from './verdict.ts';

/** What the configuration of a run says, under `metadata.assay`. */
export interface AssayMetadata {
  readonly target: ConformanceReport['target'];
  readonly gate?: Partial<Gate>;
  /** What is wrong with the profile or the target, in one sentence that says what to do. */
  readonly usageError?: string;
}

export interface RunInput {
  readonly assay: AssayMetadata;
  readonly rules: readonly Rule[];
  readonly questions: readonly Pick<ObservationQuestion, 'id' | 'section' | 'question' | 'area'>[];
  readonly coverageOf: (rule: string) => Coverage;
  readonly tests: readonly TestRecord[];
  /** Known detection power by rule, from the last kill matrix. */
  readonly detection?: ReadonlyMap<string, Detection>;
  readonly baseline?: ConformanceReport;
  /** The baseline was named by the user: compare with it even if the target's name or address differs. */
  readonly baselineChosen?: boolean;
  readonly startedAt: string;
  readonly milliseconds: number;
  /** Errors outside any test. */
  readonly errors: readonly string[];
  /** Filters, shards or an interruption are known to have left tests out. */
  readonly partial: boolean;
  readonly version: string;
}

/** Computes the whole report. Pure: the same input gives the same report. */
export function buildReport(input: RunInput): ConformanceReport {
  const { assay, tests } = input;
  const usageError = assay.usageError;
  const capabilities = new Set(assay.target.capabilities);
  const evidenceOf = evidenceByRule(tests);
  const catalogue = new Map(input.rules.map((rule) => [rule.id, rule]));

  const rules = input.rules.map((rule): RuleReport => {
    const evidence = evidenceOf(rule.id);
    const detection = input.detection?.get(rule.id);
    const coverage = input.coverageOf(rule.id);
    const judgement = ruleVerdict({
      rule,
      capabilities,
      evidence,
      coverage,
      ...(usageError === undefined ? {} : { usageError }),
    });
    const breach = judgement.verdict === 'violated' || judgement.verdict === 'known';
    const number = (outcome: string) => evidence.checks.filter((check) => check.outcome === outcome).length;
    return {
      id: rule.id,
      level: rule.level,
      area: rule.area,
      section: rule.section,
      statement: rule.statement,
      verdict: judgement.verdict,
      ...(judgement.reason === undefined ? {} : { reason: judgement.reason }),
      // A breach that was seen after all outweighs the catalogue's opinion that none can be.
      ...(rule.excluded === undefined || breach ? {} : { excluded: rule.excluded }),
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

  const engineErrors = [...input.errors, ...errorsOf(tests), ...strangers(tests, catalogue)];
  const outcomes = (outcome: TestRecord['outcome']) =>
    tests.filter((test) => test.outcome === outcome).length;
  const didNotRun = outcomes('did not run');
  const gate: Gate = { ...DEFAULT_GATE, ...assay.gate };
  const { verdict, because } = runVerdict({
    rules,
    gate,
    engineErrors,
    didNotRun,
    ...(usageError === undefined ? {} : { usageError }),
  });

  const comparable =
    input.baseline && (input.baselineChosen || sameTarget(input.baseline.target, assay.target))
      ? input.baseline
      : undefined;
  const observations = observationsOf(tests, input.questions, comparable);
  const leftOut = rules.some(
    (rule) => rule.checks.tests.length === 0 && input.coverageOf(rule.id) === 'check',
  );
  const levels: readonly Level[] = ['MUST', 'SHOULD', 'MAY'];
  const areas = [...new Set(rules.map((rule) => rule.area))];
  return {
    schemaVersion: 1,
    verdict,
    because,
    target: {
      name: assay.target.name,
      baseUrl: assay.target.baseUrl,
      brand: assay.target.brand,
      embedded: assay.target.embedded,
      capabilities: assay.target.capabilities,
      preparation: assay.target.preparation,
    },
    gate,
    totals: Object.fromEntries(
      levels.map((level) => [level, totalsOf(rules.filter((rule) => rule.level === level))]),
    ) as ConformanceReport['totals'],
    areas: Object.fromEntries(
      areas.map((area) => [area, totalsOf(rules.filter((rule) => rule.area === area))]),
    ),
    ...(comparable ? { comparison: compare(comparable, rules, observations) } : {}),
    rules,
    defects: usageError === undefined ? mergeDefects(tests, (id) => catalogue.get(id)) : [],
    observations,
    run: {
      startedAt: input.startedAt,
      milliseconds: Math.round(input.milliseconds),
      tests: {
        passed: outcomes('passed'),
        failed: outcomes('failed'),
        skipped: outcomes('skipped'),
        didNotRun,
      },
      exchanges: tests.reduce((sum, test) => sum + (test.journal?.exchanges.length ?? 0), 0),
      assay: input.version,
      node: process.version,
      ...(usageError === undefined ? {} : { usageError }),
      partial: input.partial || didNotRun > 0 || leftOut,
      engineErrors,
    },
  };
}

function errorsOf(tests: readonly TestRecord[]): string[] {
  return tests
    .filter((test) => test.standing === 'crashed')
    .map((test) => `${test.label}: ${test.reason ?? 'the test failed without a reason.'}`);
}

/** Breaches of rules that the catalogue does not have would be in no table: they must not vanish. */
function strangers(tests: readonly TestRecord[], catalogue: ReadonlyMap<string, Rule>): string[] {
  const blamed = tests.flatMap((test) =>
    test.journal ? [...test.journal.findings, ...test.journal.checks] : [],
  );
  const unknown = new Set(blamed.map((item) => item.rule).filter((rule) => !catalogue.has(rule)));
  return [...unknown].map(
    (rule) => `A test speaks of the rule ${rule}, which schemas/rules.yaml does not have.`,
  );
}
