/**
 * The shape of conformance.json. Every other report is a view of this one object.
 */
import type { Counterexample, RecordedExchange } from '../suite/journal/types.ts';

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

/** `conforming` exits 0, `violated` 1, `not judged` 2. */
export type RunVerdict = 'conforming' | 'violated' | 'not judged';

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
  readonly verified: number;
  readonly notApplicable: number;
  readonly excluded: number;
}

/** What turns a run red beyond a violated MUST. */
export interface Gate {
  /** A violated SHOULD makes the run `violated`. */
  readonly should: 'allow' | 'fail';
  /** A MUST that applies and is `not verified` makes the run `not judged`. */
  readonly notVerified: 'allow' | 'fail';
  /** A MUST that is `inconclusive` makes the run `not judged`. */
  readonly inconclusive: 'allow' | 'fail';
}

/** What changed since the last run on the same target. Rule ids. */
export interface Comparison {
  /** When the last run started, ISO 8601 UTC. */
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
  readonly schemaVersion: 1;
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
    /** What made the run impossible: bad profile, target not reachable. Never blamed on the target. */
    readonly usageError?: string;
    /** True when filters, shards or an interruption left tests out. */
    readonly partial: boolean;
    /** Errors of the suite itself (crashed test, bad configuration): never blamed on the target. */
    readonly engineErrors: readonly string[];
  };
}

/** What the HTML page needs beside the report. */
export type ExchangeIndex = ReadonlyMap<string, RecordedExchange>;
