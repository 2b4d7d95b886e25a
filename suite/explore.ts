import { test as base } from '@playwright/test';
import fc from 'fast-check';
import type { Witness } from '../doubt/answer.ts';
import { type Origin, effortOf, repeatCommand, shrink, tryInputs } from './run/sampling.ts';
import { Unanswered, CounterexampleFound, insideCheck, noteNamed, noteRead, Reads } from '../doubt/check.ts';

export { DEFAULT_SEED } from './run/sampling.ts';

const DEFAULT_RUNS = 25;
/** Fewer executions than this, or than were asked for, prove too little for a pass. */
const LEAST_RUNS = 5;

interface ExploreOptions {
  /** Inputs that are tried at standard depth; each costs at least one request. Default 25. */
  readonly runs?: number;
}

interface Failure<T> {
  readonly input: T;
  readonly origin: Origin;
  readonly error: Error;
  readonly answers: readonly Witness[];
}

/**
 * Tries a property on generated inputs, several at once, inside a `check`, and shrinks what fails to the smallest input.
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
  const effort = effortOf(options.runs ?? DEFAULT_RUNS);
  const accuses = insideCheck();
  let passing: readonly Witness[] = [];
  let obstacle: Error | undefined;
  const failures: Failure<T>[] = [];
  /** @returns the failure, if the property does not hold; undefined where it holds, or nothing can be told */
  const attempt = async (input: T, origin: Origin): Promise<Failure<T> | undefined> => {
    const reads = new Reads();
    const isEnd = (error: unknown) => fc.PreconditionFailure.isFailure(error);
    const isRepeat = base.info().retry > 0;
    const judged = await reads.judge(() => property(input), { isRepeat, faultsAccuse: accuses, isEnd });
    const { doubt, broken, other } = judged;
    if (isEnd(other)) return undefined;
    if (doubt) obstacle = new Unanswered(doubt.reason);
    if (other) obstacle = other;
    if (broken) return { input, origin, error: broken, answers: reads.answers };
    if (!other) passing = reads.answers;
    return undefined;
  };
  const tried = await tryInputs(inputs, effort, async (input, origin) => {
    const failure = await attempt(input, origin);
    if (failure) failures.push(failure);
    return !failure && !obstacle;
  });
  const first = failures.sort((a, b) => Number(a.origin.path) - Number(b.origin.path))[0];
  if (first) throw await smallest(inputs, first, tried, attempt, effort.shrinking);
  for (const answer of passing) {
    noteRead(answer);
    // What the property was told about them it has settled already.
    noteNamed(answer);
  }
  if (obstacle) throw obstacle;
  if (tried < Math.min(LEAST_RUNS, effort.runs) && process.env['REPLAY'] === undefined)
    throw new Unanswered(`only ${tried} inputs could be tried in ${effort.milliseconds} ms`);
}

async function smallest<T>(
  inputs: fc.Arbitrary<T>,
  first: Failure<T>,
  tried: number,
  attempt: (input: T, origin: Origin) => Promise<Failure<T> | undefined>,
  milliseconds: number,
): Promise<CounterexampleFound> {
  let last = first;
  const shrunk = await shrink(
    inputs,
    first.origin,
    async (input) => {
      const failure = await attempt(input, first.origin);
      if (failure) last = failure;
      return failure !== undefined;
    },
    milliseconds,
  );
  for (const answer of last.answers) noteRead(answer);
  const input = fc.stringify(last.input);
  const origin = shrunk?.origin ?? first.origin;
  return new CounterexampleFound(
    `${last.error.message}\nSmallest input: ${input}\nTo repeat it: ${repeatCommand(origin)}`,
    { ...origin, input, runs: tried + (shrunk?.tried ?? 0) },
  );
}
