import { test as base } from '@playwright/test';
import fc from 'fast-check';
import type { Answer } from './answer.ts';
import { Unanswered } from './answer.ts';
import { CounterexampleFound } from './counterexample-found.ts';
import { isAssertion } from './is-assertion.ts';
import { noteNamed, noteRead, Reads, withReads } from './reads.ts';

/** Same seed, same inputs: a verdict can be repeated. `SEED` explores elsewhere. */
export const DEFAULT_SEED = 20_251_013;
const DEFAULT_RUNS = 25;
const TIME_LIMIT_MS = 20_000;
/** Fewer executions than this, or than were asked for, prove too little for a pass. */
const LEAST_RUNS = 5;

export interface ExploreOptions {
  /** Inputs to try; each costs at least one request. Default 25. */
  readonly runs?: number;
}

/**
 * Tries a property on generated inputs, inside a `check`, and shrinks what fails to the smallest input.
 *
 * @param inputs a fast-check arbitrary
 * @param property throws an assertion error where the input shows the rule broken
 * @throws CounterexampleFound with the smallest input, its seed and path
 * @throws Unanswered when the target gave no answer, or when too few inputs could be tried in time
 */
export async function explore<T>(
  inputs: fc.Arbitrary<T>,
  property: (input: T) => Promise<void>,
  options: ExploreOptions = {},
): Promise<void> {
  const seed = Number(process.env['SEED'] || DEFAULT_SEED);
  const runs = options.runs ?? DEFAULT_RUNS;
  let passing: readonly Answer[] = [];
  /** Shrinking ends with attempts that pass: the evidence is the last one that failed, which is the smallest. */
  let failing: readonly Answer[] = [];
  let obstacle: Error | undefined;
  const details = await fc.check(
    fc.asyncProperty(inputs, async (input) => {
      if (obstacle) return;
      const reads = new Reads();
      try {
        await withReads(reads, () => property(input));
        const doubt = reads.doubtInPass(base.info().retry > 0);
        if (doubt) obstacle = new Unanswered(doubt.reason);
        passing = reads.answers;
      } catch (error) {
        if (fc.PreconditionFailure.isFailure(error)) throw error;
        obstacle = obstacleIn(error, reads);
        if (obstacle) return;
        failing = reads.answers;
        throw error;
      }
    }),
    { seed, numRuns: runs, interruptAfterTimeLimit: TIME_LIMIT_MS, markInterruptAsFailure: false },
  );
  for (const answer of details.failed ? failing : passing) noteRead(answer);
  // What the property was told about them it has settled already.
  if (!details.failed) for (const answer of passing) noteNamed(answer);
  if (details.failed) {
    const input = fc.stringify(details.counterexample?.[0]);
    const cause =
      details.errorInstance instanceof Error ? details.errorInstance.message : String(details.errorInstance);
    throw new CounterexampleFound(`${cause}\nSmallest input: ${input}`, {
      seed: details.seed,
      path: details.counterexamplePath ?? '',
      input,
      runs: details.numRuns,
    });
  }
  if (obstacle) throw obstacle;
  if (details.numRuns < Math.min(LEAST_RUNS, runs))
    throw new Unanswered(`only ${details.numRuns} inputs could be tried in ${TIME_LIMIT_MS} ms`);
}

/** An error that says nothing about the rule: no answer, a gateway's answer, a shape blamed already, a defect of ours. */
function obstacleIn(error: unknown, reads: Reads): Error | undefined {
  if (!(error instanceof Error)) return new Error(String(error));
  const doubt = reads.doubtInFailure();
  if (doubt) return new Unanswered(doubt.reason);
  return isAssertion(error) ? undefined : error;
}
