import measured from './measured.json' with { type: 'json' };

/** A kind of test: what it asks of who serves states, and what it costs. */
export interface MeasuredTests {
  readonly parts: readonly string[];
  readonly tests: number;
  /** States that are set up. */
  readonly setups: number;
  readonly calls: Readonly<Record<string, number>>;
  /** Requests that had to wait for one another, of all of them: what is sent at the same time counts once. */
  readonly rounds: number;
  /** The same of the longest of them, its preparation included. */
  readonly longest: number;
  /** Processor time of the workers, in milliseconds. */
  readonly busyMs: number;
  /** Challenges of one-time codes for which a sign-in that sends no message would do (`sparing`). */
  readonly spareable: number;
}

/** What a run on the sandbox has shown of Assay's own tests; `npm run states:measure` makes it anew. */
export interface MeasuredRun {
  /** For each rule the smallest sets of parts that have verified it; an empty set needs nothing prepared. */
  readonly rules: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** Operations that every test called which verified the rule. */
  readonly operations: Readonly<Record<string, readonly string[]>>;
  readonly tests: readonly MeasuredTests[];
  /** Processor time of the yardstick on the machine that measured, in milliseconds (target/yardstick.ts). */
  readonly yardMs: number;
}

/** The measured run that this version of Assay brings. */
export const MEASURED = measured as MeasuredRun;

/** Whether a rule can be verified where these parts are served. */
export function isWithin(
  rule: string,
  serves: (part: string) => boolean,
  run: Pick<MeasuredRun, 'rules'> = MEASURED,
): boolean {
  return (run.rules[rule] ?? []).some((parts) => parts.every(serves));
}

/** Rules that nobody verifies who does not serve this state. */
export function rulesThatNeed(state: string, run: Pick<MeasuredRun, 'rules'> = MEASURED): readonly string[] {
  return Object.keys(run.rules).filter(
    (rule) => !isWithin(rule, (part) => part !== state && !part.startsWith(`${state}.`), run),
  );
}
