import measured from './measured.json' with { type: 'json' };

/** A kind of test: what it asks of who serves states, and what it costs. */
export interface MeasuredTests {
  readonly parts: readonly string[];
  readonly tests: number;
  /** States that are set up. */
  readonly setups: number;
  readonly calls: Readonly<Record<string, number>>;
  /** Requests of the longest of them. */
  readonly longest: number;
}

/** What a run on the sandbox has shown of Assay's own tests; `npm run states:measure` makes it anew. */
export interface MeasuredRun {
  /** For each rule the smallest sets of parts that have verified it; an empty set needs nothing prepared. */
  readonly rules: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** Operations that every test called which verified the rule. */
  readonly operations: Readonly<Record<string, readonly string[]>>;
  readonly tests: readonly MeasuredTests[];
}

/** The measured run that this version of Assay brings. */
export const MEASURED = measured as MeasuredRun;

/** Whether a rule can be verified where these parts are served. */
export function isWithin(
  rule: string,
  serves: (part: string) => boolean,
  run: MeasuredRun = MEASURED,
): boolean {
  return (run.rules[rule] ?? []).some((parts) => parts.every(serves));
}

/** Rules that nobody verifies who does not serve this state. */
export function rulesThatNeed(state: string, run: MeasuredRun = MEASURED): readonly string[] {
  return Object.keys(run.rules).filter(
    (rule) => !isWithin(rule, (part) => part !== state && !part.startsWith(`${state}.`), run),
  );
}
