/**
 * The shape of conformance.json. Every other report is a view of this one object.
 */
import type { Counterexample, GoneAway, RecordedExchange } from '../suite/journal/types.ts';
import type { DetectionPower } from './detection.ts';
import type { Repeat, Steadiness } from './evidence.ts';

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

export interface Defect {
  readonly rule: string;
  readonly level: Level;
  readonly place: string;
  readonly title: string;
  readonly message: string;
  /** Number of findings. */
  readonly count: number;
  readonly tests: readonly string[];
  readonly exchanges: readonly string[];
  readonly counterexample?: Counterexample;
  readonly known?: string;
  /** Whether it comes back: `steady`, `intermittent` (a repeat did not show it), `once` (seen in the only attempt that could). */
  readonly steadiness: Steadiness;
}

/** MUST rules that keep the run from being complete, and the one order that would mend them. */
export interface OpenGroup {
  readonly mend: string;
  readonly rules: readonly string[];
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
  /** Questions whose answers differ. */
  readonly changedObservations: readonly string[];
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
  /** Accepted as not verified, and verified now: they can leave the list. */
  readonly noLongerNeedsAcceptance: readonly string[];
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
