import type { Attempt } from '../reports/journals/attempt.ts';
import { buildReport, type RunInput } from '../reports/verdicts/build-report.ts';
import { withReproducers } from '../reports/reproduce/reproducers.ts';
import { exchangeIndex } from '../reports/write/report-files.ts';
import { combine, passingTroubleOf } from '../reports/journals/test-record.ts';
import { type VouchedFor, withoutWithdrawn } from '../reports/verdicts/withdrawn-findings.ts';
import { coverageIn } from '../reports/verdicts/coverage.ts';
import { type TestRecord } from '../reports/journals/evidence.ts';
import { ruleReports } from '../reports/verdicts/rule-verdict.ts';
import type { RuleReport } from '../reports/verdicts/model.ts';
import { loadRules } from '../schemas/rules.ts';
import { allCapabilities } from '../target/profile.ts';
import type { TestHead, TestOutcome } from './runner/worker-pool.ts';
import { findingsOf } from '../journal/findings.ts';

/** What the assertion library says by itself, and no reader of a report should meet. */
const RAW = /\bexpect\(|^(?:Expected|Received)\b.*:/m;

/** Findings that speak in the words of the assertion library. */
function rawWords(tests: readonly TestRecord[]): string[] {
  const raw = tests.flatMap(({ journal }) => (journal ? findingsOf(journal) : []));
  const rules = new Set(raw.filter(({ message }) => RAW.test(message)).map(({ rule }) => rule));
  return [...rules].map((rule) => `${rule} is told in raw words of the assertion library`);
}

/** What the suite says of a world, as its report would: by rule, and mistakes of its own. */
export interface WorldVerdict {
  readonly rules: readonly RuleReport[];
  /** Tests that failed for a reason which nothing that the sandbox did explains. */
  readonly crashed: readonly string[];
}

/**
 * Judges a world by the journals of its tests, with the code that judges a run.
 *
 * @param outcomes of every test of the suite; those that cannot differ from the default world may be taken from there
 */
export class Judge {
  readonly #tests: readonly TestHead[];
  readonly #rules = loadRules();
  readonly #coverageOf: ReturnType<typeof coverageIn>;

  constructor(tests: readonly TestHead[]) {
    this.#tests = tests;
    const coverage = coverageIn();
    const known = new Map(this.#rules.map(({ id }) => [id, coverage(id)]));
    this.#coverageOf = (rule) => known.get(rule) ?? 'nothing';
  }

  /** @param vouchedFor `[]` judges as on a target without a profile, where what stands on a guess is left in doubt */
  judge(outcomes: ReadonlyMap<string, TestOutcome>, vouchedFor: VouchedFor = 'all'): WorldVerdict {
    const tests = this.#records(outcomes, vouchedFor);
    const rules = ruleReports(this.#runOf(tests), undefined);
    const crashed = tests.filter(({ standing, crash }) => standing === 'crashed' || crash !== undefined);
    return {
      rules,
      crashed: [
        ...crashed.map(({ label, reason, crash }) => `${label}: ${reason ?? crash}`),
        ...rawWords(tests),
      ],
    };
  }

  /** The defects as the report of such a run has them, and the files that repeat them. The exchanges must have been kept. */
  defects(outcomes: ReadonlyMap<string, TestOutcome>) {
    const tests = this.#records(outcomes, 'all');
    const { report, files } = withReproducers(buildReport(this.#runOf(tests, true)), exchangeIndex(tests));
    return { defects: report.defects, files };
  }

  #runOf(tests: readonly TestRecord[], partial = false): RunInput {
    return {
      assay: {
        target: {
          name: 'Assay sandbox',
          baseUrl: 'the embedded sandbox',
          brand: 'Service',
          embedded: true,
          capabilities: allCapabilities(),
          preparation: 'provider-states',
        },
      },
      rules: this.#rules,
      questions: [],
      coverageOf: this.#coverageOf,
      tests,
      startedAt: new Date(0).toISOString(),
      milliseconds: 0,
      errors: [],
      partial,
      version: '',
    };
  }

  #records(outcomes: ReadonlyMap<string, TestOutcome>, vouchedFor: VouchedFor): readonly TestRecord[] {
    const all = this.#tests.flatMap(({ id, label, rules }) => {
      const attempts: readonly Attempt[] | undefined = outcomes.get(id)?.attempts;
      return attempts ? [{ label, rules, attempts }] : [];
    });
    const passing = passingTroubleOf(all);
    return withoutWithdrawn(
      all.map((test) => combine(test, passing)),
      vouchedFor,
      this.#rules,
    );
  }
}
