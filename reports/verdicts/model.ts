/**
 * The shape of conformance.json. Every other report is a view of this one object.
 */
import type { Counterexample, GoneAway, RecordedExchange } from '../../journal/types.ts';
import type { DetectionPower } from '../detection.ts';
import type { Repeat } from '../journals/evidence.ts';
import type { Since } from '../folder/history.ts';
import type { PartRan } from './totals.ts';
import type { Story } from './defects.ts';
import type { Steadiness } from '../../doubt/run.ts';
import type { KnownFailure } from '../../target/known-list.ts';

/** Worst first. */
export const VERDICTS = [
  'violated',
  'known',
  'inconclusive',
  'not verified',
  'verified',
  'not applicable',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** `conforming` exits 0, `violated` 1, `incomplete` and `not judged` 2. */
export type RunVerdict = 'conforming' | 'violated' | 'incomplete' | 'not judged';

export type Level = 'MUST' | 'SHOULD' | 'MAY';

export interface RuleReport {
  readonly id: string;
  readonly level: Level;
  readonly area: string;
  readonly section: string;
  readonly statement: string;
  readonly verdict: Verdict;
  /** Why; for a verified rule only where something deserves a note. */
  readonly reason?: string;
  /** Nothing on the wire can show the rule: the reason from the catalogue. Not in the denominator. */
  readonly excluded?: string;
  /** Of a rule that was not judged: an order that would let it be. */
  readonly mend?: string;
  /** The reason for which this rule may stay open on this target, from the list of accepted rules. */
  readonly accepted?: string;
  /** False where the run was of a part of the suite, and no test of that part names the rule. */
  readonly inScope?: false;
  readonly checks: {
    readonly passed: number;
    readonly failed: number;
    readonly inconclusive: number;
    /** Answers held against the rule's shape. */
    readonly seen: number;
    readonly tests: readonly string[];
  };
  /** Planted faults of the rule, and how many of them this suite's checks name: known detection power. */
  readonly detection?: { readonly planted: number; readonly caught: number };
}

/** What a breach touches: who may do what, money, the state of things, or the shape of an answer. The heaviest first. */
export type DefectWeight = 'access' | 'money' | 'state' | 'shape';

export interface Defect {
  /** The same in every run: in addresses, file names and history. */
  readonly id: string;
  readonly rule: string;
  readonly level: Level;
  readonly weight: DefectWeight;
  readonly place: string;
  /** What came, in one line. */
  readonly headline: string;
  /** What its rule says. */
  readonly title: string;
  readonly message: string;
  /** Number of findings. */
  readonly count: number;
  readonly tests: readonly string[];
  readonly exchanges: readonly string[];
  readonly counterexample?: Counterexample;
  /** Every distinct thing that was seen, with what differs from run to run left out as `…`, and the tests that saw it. */
  readonly seen?: readonly { readonly words: string; readonly tests: readonly string[] }[];
  readonly known?: string;
  /** Of a known one: who acts, where it is followed, and the last day on which it is accepted. */
  readonly owner?: string;
  readonly link?: string;
  readonly until?: string;
  /** Line of the spec that shows it. */
  readonly line?: string;
  /** How the test that shows it best came to it. */
  readonly story?: Story;
  /** Repeats just this check in a shell, with the run's seed. */
  readonly command?: string;
  /** Absent while no earlier run is known. */
  readonly since?: Since;
  /** The file beside the page that repeats it, relative to the folder of the reports. */
  readonly reproducer?: {
    readonly script?: string;
    /** Why there is no script. */
    readonly noScript?: string;
  };
  /** Whether it comes back: `steady`, `intermittent` (a repeat did not show it), `once` (seen in the only attempt that could). */
  readonly steadiness: Steadiness;
}

/** MUST rules that keep the run from being complete, and the one order that would mend them. */
export interface OpenGroup {
  readonly mend: string;
  readonly rules: readonly string[];
}

/** A key of the dialect that the profile does not tell, and that the target was never seen to speak by its default. */
export interface Guess {
  /** Such as `agentToken` or `paths.executeQuote`. */
  readonly key: string;
  /** How many open MUST rules wait for it. */
  readonly rules: number;
}

export interface ObservationReport {
  readonly question: string;
  readonly text: string;
  readonly section: string;
  readonly area: string;
  /** Distinct answers with the number of times each was seen. */
  readonly answers: readonly {
    readonly answer: unknown;
    readonly count: number;
    readonly exchanges: readonly string[];
  }[];
  /** The answers of the last run, where there was one. */
  readonly before?: readonly unknown[];
}

export interface LevelTotals {
  readonly violated: number;
  readonly known: number;
  readonly inconclusive: number;
  readonly notVerified: number;
  /** Not verified or inconclusive, and accepted as such; not counted there. */
  readonly accepted: number;
  readonly verified: number;
  readonly notApplicable: number;
  readonly excluded: number;
}

/** What turns a run red beyond a violated MUST. */
export interface Gate {
  /** A violated SHOULD makes the run `violated`. */
  readonly should: 'allow' | 'fail';
}

/** What changed since the last complete run on the same target. Rule ids. */
export interface Comparison {
  /** When that run started, ISO 8601 UTC. */
  readonly startedAt: string;
  readonly newlyViolated: readonly string[];
  /** Violated then, verified now: a rule that merely stopped being judged is not fixed. */
  readonly newlyFixed: readonly string[];
  /** Verified then, without a judgement now. */
  readonly noLongerVerified: readonly string[];
  /** The same by defect; ids. */
  readonly defects?: {
    readonly new: readonly string[];
    readonly still: readonly string[];
    /** Seen then, and its rule verified now. */
    readonly mended: readonly { readonly id: string; readonly rule: string; readonly title: string }[];
  };
  /** Questions whose answers differ. */
  readonly changedObservations: readonly string[];
}

/** An entry of the list of known failures, and what became of it. */
export interface KnownFailureReport extends KnownFailure {
  /** `expired`, `mended` and `matches nothing` make the run red. */
  readonly standing:
    'covers' | 'expired' | 'mended' | 'matches nothing' | 'not seen this time' | 'not judged';
  /** Findings that it speaks of. */
  readonly covers: number;
}

export interface ConformanceReport {
  readonly schemaVersion: 2;
  readonly verdict: RunVerdict;
  /** One sentence: why this verdict. */
  readonly because: string;
  readonly target: {
    readonly name: string;
    readonly baseUrl: string;
    readonly brand: string;
    readonly embedded: boolean;
    readonly capabilities: readonly string[];
    /** Who prepares states: provider-states, public-calls, fixtures. */
    readonly preparation: string;
  };
  readonly gate: Gate;
  readonly totals: Readonly<Record<Level, LevelTotals>>;
  /** The same, by area, all levels together. */
  readonly areas: Readonly<Record<string, LevelTotals>>;
  /** What keeps the run from being complete; the order that mends most rules comes first. */
  readonly open: readonly OpenGroup[];
  /** Guesses at the dialect that were never seen to be right; the one that most rules wait for comes first. */
  readonly guesses: readonly Guess[];
  /** Accepted as not verified, and verified now: they can leave the list. */
  readonly noLongerNeedsAcceptance: readonly string[];
  /** Every entry of the list of known failures. */
  readonly knownFailures?: readonly KnownFailureReport[];
  /** Absent when there is no earlier run to compare with. */
  readonly comparison?: Comparison;
  readonly rules: readonly RuleReport[];
  readonly defects: readonly Defect[];
  readonly observations: readonly ObservationReport[];
  readonly run: {
    readonly startedAt: string;
    readonly milliseconds: number;
    readonly tests: {
      readonly passed: number;
      readonly failed: number;
      readonly skipped: number;
      readonly didNotRun: number;
    };
    readonly exchanges: number;
    /** Seed of the generated inputs. */
    readonly seed?: number;
    /** Commit of what ran, where it is known. */
    readonly commit?: string;
    /** Tests that had ended when this was written; the run had not, or was killed. */
    readonly unfinished?: { readonly ran: number; readonly of: number };
    /** Of a run that was stopped: tests that ran, by folder of specs. */
    readonly parts?: Readonly<Record<string, PartRan>>;
    readonly assay: string;
    readonly node: string;
    /** What planted faults have shown of the suite; absent where nothing was measured. */
    readonly detection?: DetectionPower;
    /** What made the run impossible: bad profile, target not reachable. Never blamed on the target. */
    readonly usageError?: string;
    /** The user chose a part of the suite: the run is judged on the rules that its tests name. */
    readonly partial: boolean;
    /** Of a part: how many rules its tests name. */
    readonly scope?: { readonly named: number };
    /** The target stopped answering in the middle of the run. */
    readonly gone?: GoneAway;
    /** Tests that were run a second time, and what came of it. */
    readonly repeats: readonly (Repeat & { readonly test: string })[];
    /** Errors of the suite itself (crashed test, bad configuration): never blamed on the target. */
    readonly engineErrors: readonly string[];
  };
}

/** What the HTML page needs beside the report. */
export type ExchangeIndex = ReadonlyMap<string, RecordedExchange>;
