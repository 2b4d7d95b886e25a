/**
 * From the records of all tests to the one object that every file of a report is a view of (model.ts). What does not count
 * after all is taken back first; then each rule gets its verdict, and the run its own. All of it is pure.
 */
import type { GoneAway } from '../../journal/types.ts';
import type { ObservationQuestion, Rule } from '../../schemas/rules.ts';
import { compare, sameTarget } from './compare.ts';
import { mergeDefects } from './defects.ts';
import type { Detection, DetectionPower } from '../detection.ts';
import { shownOutcome, type TestRecord } from '../journals/evidence.ts';
import { type HistoryLine, sinceOf } from '../folder/history.ts';
import { knownFailureReports, staleSentences } from './known-standings.ts';
import { withCauses } from './causes.ts';
import { guessesOf } from './guesses.ts';
import { type Coverage, RUN_ALL, openGroups } from './mend.ts';
import type { ConformanceReport, Gate, Level, Defect, KnownFailureReport } from './model.ts';
import { observationsOf } from './observed.ts';
import { partsRan, totalsOf } from './totals.ts';
import { ruleReports } from './rule-verdict.ts';
import { DEFAULT_GATE, runVerdict } from './run-verdict.ts';
import { type VouchedFor, withoutWithdrawn } from './withdrawn-findings.ts';
import { type KnownFailure, speaksOf } from '../../target/known-list.ts';

/** What the configuration of a run says, under `metadata.assay`. */
export interface AssayMetadata {
  /** How records are removed, by their type. */
  readonly cleanUp?: Readonly<Record<string, string>>;
  readonly target: ConformanceReport['target'];
  readonly gate?: Partial<Gate>;
  /** Keys of the dialect that the profile vouches for; all of them where it does not say. */
  readonly vouchedFor?: VouchedFor;
  /** Path of the list of rules that are accepted as not verified. */
  readonly accepted?: string;
  /** What is wrong with the profile or the target, in one sentence that says what to do. */
  readonly usageError?: string;
  /** Path of the list of known failures. */
  readonly knownFailures?: string;
  readonly seed?: number;
}

export interface RunInput {
  readonly assay: AssayMetadata;
  readonly rules: readonly Rule[];
  readonly questions: readonly Pick<ObservationQuestion, 'id' | 'section' | 'question' | 'area'>[];
  readonly coverageOf: (rule: string) => Coverage;
  readonly tests: readonly TestRecord[];
  /** Known detection power by rule, from the last kill matrix. */
  readonly detection?: ReadonlyMap<string, Detection>;
  /** The same of the suite as a whole, also where it is out of date. */
  readonly power?: DetectionPower | undefined;
  /** Rules that this target cannot show, with the reason. */
  readonly accepted?: ReadonlyMap<string, string>;
  readonly baseline?: ConformanceReport;
  /** The baseline was named by the user: compare with it even if the target's name or address differs. */
  readonly baselineChosen?: boolean;
  readonly startedAt: string;
  readonly milliseconds: number;
  /** The run was ended before its last test, as one sentence. */
  readonly ended?: string;
  /** Errors outside any test. */
  readonly errors: readonly string[];
  /** The user chose a part of the suite: the run is judged on the rules that its tests name. */
  readonly partial: boolean;
  /** Rules that the user asked for by name: then the run is judged on these alone. */
  readonly asked?: readonly string[];
  readonly knownFailures?: readonly KnownFailure[];
  /** Earlier runs of the same target, oldest first. */
  readonly history?: readonly HistoryLine[];
  readonly commit?: string;
  /** Set while the run goes on. */
  readonly unfinished?: { readonly ran: number; readonly of: number };
  readonly version: string;
}

/** Computes the whole report. Pure: the same input gives the same report. */
export function buildReport(given: RunInput): ConformanceReport {
  const { assay } = given;
  const counted = withoutWithdrawn(given.tests, assay.vouchedFor, given.rules);
  const tests = withCauses(counted, assay.vouchedFor);
  const input = { ...given, tests };
  const usageError = assay.usageError;
  const catalogue = new Map(input.rules.map((rule) => [rule.id, rule]));
  const asked = input.asked?.length ? input.asked : tests.flatMap((test) => test.rules);
  const named = new Set(asked.filter((rule) => catalogue.has(rule)));
  // A run that could not start has no part of its own: all of the suite stays open.
  const partial = input.partial && usageError === undefined;
  const rules = ruleReports(input, partial ? named : undefined);

  const engineErrors = [...input.errors, ...errorsOf(tests), ...unknownRules(tests, catalogue)];
  const outcomes = (outcome: TestRecord['outcome']) =>
    tests.filter((test) => shownOutcome(test) === outcome).length;
  const didNotRun = outcomes('did not run');
  const gone = goneAwayOf(tests);
  const gate: Gate = { ...DEFAULT_GATE, ...assay.gate };
  const comparable =
    input.baseline && (input.baselineChosen || sameTarget(input.baseline.target, assay.target))
      ? input.baseline
      : undefined;
  const observations = observationsOf(tests, input.questions, comparable);
  const judged = rules.filter((rule) => rule.inScope !== false);
  const knownFailures = knownFailureReports(
    usageError === undefined ? (input.knownFailures ?? []) : [],
    tests,
    rules,
    Date.parse(input.startedAt),
    !partial &&
      !input.unfinished &&
      input.ended === undefined &&
      didNotRun === 0 &&
      !rules.some(({ mend }) => mend === RUN_ALL),
  );
  const defects =
    usageError === undefined
      ? aboutDefects(
          mergeDefects(tests, (id) => catalogue.get(id)),
          { ...input, knownFailures },
        )
      : [];
  const comparison = comparable ? compare(comparable, judged, observations, defects) : undefined;
  const { verdict, because } = runVerdict({
    rules,
    gate,
    engineErrors,
    didNotRun,
    staleKnown: staleSentences(knownFailures),
    ...(usageError === undefined ? {} : { usageError }),
    ...(gone ? { gone } : {}),
    ...(input.ended === undefined ? {} : { ended: input.ended }),
    ...(comparison ? { noLongerVerified: comparison.noLongerVerified } : {}),
  });
  const open = openGroups(rules);
  const levels: readonly Level[] = ['MUST', 'SHOULD', 'MAY'];
  const areas = [...new Set(rules.map((rule) => rule.area))];
  return {
    schemaVersion: 2,
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
    open,
    guesses: guessesOf(open),
    noLongerNeedsAcceptance: judged
      .filter((rule) => rule.verdict === 'verified' && rule.accepted !== undefined)
      .map((rule) => rule.id),
    ...(knownFailures.length > 0 ? { knownFailures } : {}),
    ...(comparison ? { comparison } : {}),
    rules,
    defects,
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
      ...(assay.seed === undefined ? {} : { seed: assay.seed }),
      ...(input.commit === undefined ? {} : { commit: input.commit }),
      ...(input.unfinished ? { unfinished: input.unfinished } : {}),
      ...(didNotRun > 0 && usageError === undefined ? { parts: partsRan(tests) } : {}),
      assay: input.version,
      node: process.version,
      ...(input.power ? { detection: input.power } : {}),
      ...(usageError === undefined ? {} : { usageError }),
      partial,
      ...(partial ? { scope: { named: named.size } } : {}),
      ...(gone ? { gone } : {}),
      repeats: tests.flatMap((test) => (test.repeat ? [{ test: test.label, ...test.repeat }] : [])),
      engineErrors,
    },
  };
}

/** All tests that came after say the same: it is told once, as the first of them met it. */
function goneAwayOf(tests: readonly TestRecord[]): GoneAway | undefined {
  const told = tests.flatMap((test) =>
    test.standing === 'did not run' && test.journal?.gone ? [test.journal.gone] : [],
  );
  const gone = told.reduce<GoneAway | undefined>(
    (first, next) => (first && first.at <= next.at ? first : next),
    undefined,
  );
  if (!gone || gone.lastAnswered) return gone;
  // Whoever met it first had only begun, and knows of no answer: others do.
  const lastAnswered = tests
    .flatMap(({ journal }) => journal?.exchanges ?? [])
    .flatMap(({ label, at, response }) =>
      response && response.status < 300 && at <= gone.at ? { label, at, status: response.status } : [],
    )
    .sort((one, other) => (one.at < other.at ? -1 : 1))
    .at(-1);
  return { ...gone, ...(lastAnswered ? { lastAnswered } : {}) };
}

function errorsOf(tests: readonly TestRecord[]): string[] {
  return tests.flatMap(({ label, standing, reason, crash }) => {
    const error = standing === 'crashed' ? (reason ?? 'the test failed without a reason.') : crash;
    return error === undefined ? [] : [`${label}: ${error}`];
  });
}

/** Breaches of rules that the catalogue does not have would be in no table: they must not vanish. */
function unknownRules(tests: readonly TestRecord[], catalogue: ReadonlyMap<string, Rule>): string[] {
  const blamed = tests.flatMap((test) =>
    test.journal ? [...test.journal.findings, ...test.journal.checks] : [],
  );
  const unknown = new Set(blamed.map((item) => item.rule).filter((rule) => !catalogue.has(rule)));
  return [...unknown].map((rule) => `A test speaks of the rule ${rule}, which schemas/rules/ does not have.`);
}

interface AboutDefects {
  readonly assay: Pick<AssayMetadata, 'target' | 'seed'>;
  readonly tests: readonly TestRecord[];
  readonly knownFailures: readonly KnownFailureReport[];
  readonly history?: readonly HistoryLine[];
  readonly startedAt: string;
}

/** Adds what a reader asks next: since when, who acts, and the command that shows it again. */
function aboutDefects(defects: readonly Defect[], about: AboutDefects): Defect[] {
  return defects.map((defect): Defect => {
    const entry = about.knownFailures.find(
      (each) =>
        speaksOf(each, defect, defect.story?.test ?? '') ||
        (each.rule === defect.rule && each.place === defect.place),
    );
    const command = commandOf(defect, about.assay);
    return {
      ...defect,
      ...(command === undefined ? {} : { command }),
      ...(entry?.owner === undefined ? {} : { owner: entry.owner }),
      ...(entry?.link === undefined ? {} : { link: entry.link }),
      ...(entry?.until === undefined ? {} : { until: entry.until }),
      ...(about.history ? { since: sinceOf(defect.id, about.history, about.startedAt) } : {}),
    };
  });
}

/** Runs the one test that shows it. Settings of the run that are secret come from the environment, as they did then. */
function commandOf(defect: Defect, { target, seed }: AboutDefects['assay']): string | undefined {
  const location = defect.story?.location;
  if (location === undefined) return undefined;
  const settings = [
    ...(target.embedded || !/^https?:/.test(target.baseUrl) ? [] : [`BASE_URL=${quoted(target.baseUrl)}`]),
    ...(seed === undefined ? [] : [`SEED=${defect.counterexample?.seed ?? seed}`]),
  ];
  return [...settings, 'npx playwright test', quoted(location)].join(' ');
}

function quoted(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
