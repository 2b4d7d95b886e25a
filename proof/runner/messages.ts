import type { Attempt } from '../../reports/attempt.ts';
import type { Seed } from '../variants/covering.ts';

/** Work for a process: tests in a world. */
export interface Task {
  /** Given by the crew; the answer has the same. */
  readonly key?: string;
  readonly world: string;
  /** Ids of declared tests. */
  readonly tests: readonly string[];
  /** Each test in a world for itself, so that it is seen what it reaches. */
  readonly watched?: boolean;
  /** Legal differences of the world. */
  readonly seed?: Seed;
  /** Mutant that is alive in the world. */
  readonly mutant?: string;
  /** Once a rule is named, tests that have not begun are left out. */
  readonly until?: 'named';
}

/** What became of one test. */
export interface TestOutcome {
  readonly test: string;
  readonly attempts: readonly Attempt[];
  /** From its start to its end, beside others: worth as a weight only. */
  readonly milliseconds: number;
  /** Where it was watched. */
  readonly reached?: ReachedNames;
}

/** What the requests of a test reach. */
export interface ReachedNames {
  /** Rules of the sandbox that were called. */
  readonly rules: readonly string[];
  /** Faults that may make a difference. */
  readonly faults: readonly string[];
  /** Mutants that are met, in a mutated sandbox. */
  readonly mutants?: readonly string[];
}

export type ToWorker = { readonly task: Task };
export type FromWorker =
  | { readonly ready: readonly TestHead[] }
  | { readonly key: string | undefined; readonly done: readonly TestOutcome[] }
  | { readonly key: string | undefined; readonly failed: string };

/** A test as the main process needs it. */
export interface TestHead {
  readonly id: string;
  readonly label: string;
  /** That its tags name. */
  readonly rules: readonly string[];
}
