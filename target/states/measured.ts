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
}

/** What a run on the sandbox has shown of Assay's own tests; `npm run states:measure` makes it anew. */
export interface MeasuredRun {
  /** For each rule the smallest sets of parts that have verified it; an empty set needs nothing prepared. */
  readonly rules: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** Rules that a run by public calls alone has verified. */
  readonly byPublicCalls: readonly string[];
  /** Operations that every test called which verified the rule. */
  readonly operations: Readonly<Record<string, readonly string[]>>;
  readonly tests: readonly MeasuredTests[];
  /** Processor time of a piece of work on the machine that measured, in milliseconds (target/machine-speed.ts). */
  readonly workMs: number;
  /** What the tests of a spec file leave on the target. */
  readonly left: Readonly<Record<string, LeftByFile>>;
}

/**
 * How many tests a spec file has, and what they leave by the type of record, prepared in one of three ways. `accounts` and
 * `wallet` are customers of which one half was asked for: a test of the other half may get the same one.
 */
export interface LeftByFile {
  readonly tests: number;
  /** By public calls. */
  readonly standard: Readonly<Record<string, number>>;
  /** By public calls, at `DEPTH=quick`. */
  readonly quick: Readonly<Record<string, number>>;
  /** Where all states are served. */
  readonly states: Readonly<Record<string, number>>;
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

/** What one test of a measuring run has written down (suite/run/test-cost.ts). */
export interface MeasuredLine {
  readonly parts: readonly string[];
  readonly setups: number;
  readonly rules: readonly string[];
  readonly calls: Readonly<Record<string, number>>;
  /** Exchanges that had to wait for one another. */
  readonly rounds: number;
  /** Processor time of the worker, in milliseconds; for its first test with its start. */
  readonly busyMs: number;
  /** Its spec file, below specs/. */
  readonly file: string;
  /** Records that it left on the target, by their type; `accounts` and `wallet` are customers of which it asked for that half. */
  readonly left: Readonly<Record<string, number>>;
}

const NOTHING = { tests: 0, setups: 0, calls: {}, rounds: 0, longest: 0, busyMs: 0 };
/** More ways to one rule are of no use to anybody. */
const MOST_WAYS = 12;

/** Puts the tests of a run together: rules with their smallest needs, tests of like needs with their cost. */
export function digest(lines: readonly MeasuredLine[]): Pick<MeasuredRun, 'rules' | 'operations' | 'tests'> {
  const ways = new Map<string, Set<string>>();
  for (const { rules, parts } of lines)
    for (const rule of rules) ways.set(rule, (ways.get(rule) ?? new Set()).add(parts.join(' ')));
  const rules = [...ways].map(([rule, sets]) => [rule, smallest([...sets].map(split))] as const);
  const sorted = rules.sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    rules: Object.fromEntries(sorted),
    operations: Object.fromEntries(sorted.map(([rule]) => [rule, commonTo(rule, lines)])),
    tests: grouped(lines),
  };
}

/** Operations without which the rule has never been verified. */
function commonTo(rule: string, lines: readonly MeasuredLine[]): readonly string[] {
  const calls = lines.filter(({ rules }) => rules.includes(rule)).map((line) => line.calls);
  const [first = {}, ...others] = calls;
  return Object.keys(first)
    .filter((name) => name !== 'other' && others.every((other) => name in other))
    .sort();
}

/** Sets that hold no other one. */
function smallest(sets: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const bySize = [...sets].sort((a, b) => a.length - b.length || (a.join() < b.join() ? -1 : 1));
  const kept: (readonly string[])[] = [];
  for (const set of bySize)
    if (!kept.some((smaller) => smaller.every((part) => set.includes(part)))) kept.push(set);
  return kept.slice(0, MOST_WAYS);
}

function grouped(lines: readonly MeasuredLine[]): readonly MeasuredTests[] {
  const groups = new Map<string, MeasuredTests>();
  for (const line of lines) {
    const key = line.parts.join(' ');
    const before = groups.get(key) ?? { parts: line.parts, ...NOTHING };
    groups.set(key, {
      parts: line.parts,
      tests: before.tests + 1,
      setups: before.setups + line.setups,
      calls: added(before.calls, line.calls),
      rounds: before.rounds + line.rounds,
      longest: Math.max(before.longest, line.rounds + 2 * line.setups),
      busyMs: before.busyMs + line.busyMs,
    });
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

/** What each file leaves, from a run of each kind. */
export function leftByFile(
  runs: Readonly<Record<Exclude<keyof LeftByFile, 'tests'>, readonly MeasuredLine[]>>,
): MeasuredRun['left'] {
  const files = [...new Set(runs.states.map(({ file }) => file))].sort();
  const sum = (lines: readonly MeasuredLine[], file: string) =>
    lines.filter((line) => line.file === file).reduce((all, { left }) => added(all, left), {});
  return Object.fromEntries(
    files.map((file) => [
      file,
      {
        tests: runs.states.filter((line) => line.file === file).length,
        standard: sum(runs.standard, file),
        quick: sum(runs.quick, file),
        states: sum(runs.states, file),
      },
    ]),
  );
}

function added(a: MeasuredLine['calls'], b: MeasuredLine['calls']): Record<string, number> {
  const sum: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count;
  return Object.fromEntries(Object.entries(sum).sort(([x], [y]) => (x < y ? -1 : 1)));
}

function split(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}
