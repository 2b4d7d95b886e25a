import { AsyncLocalStorage } from 'node:async_hooks';
import { test as base } from '@playwright/test';
import fc from 'fast-check';
import { depthOf, type Depth } from '../../target/environment-variables.ts';

/** Same seed, same inputs: a verdict can be repeated. `SEED` explores elsewhere. */
export const DEFAULT_SEED = 20_251_013;
/** Between two lines that tell how far a deep run is, in milliseconds. */
const PROGRESS_MS = 30_000;

/** What is tried: values of an arbitrary, or every value of a list, the plainest first. */
export type Inputs<T> = fc.Arbitrary<T> | readonly T[];

/** Where the input of a run came from: enough to make it again. */
export interface Origin {
  readonly seed: number;
  /** Number of the input, then fast-check's steps of shrinking. */
  readonly path: string;
}

const ownSeed = new AsyncLocalStorage<number>();

/** Runs something whose inputs are drawn from a seed of its own, beside others that have another. */
export function drawingFrom<T>(seed: number, run: () => T): T {
  return ownSeed.run(seed, run);
}

function seedOf(env: NodeJS.ProcessEnv = process.env): number {
  return ownSeed.getStore() ?? Number(env['SEED'] || DEFAULT_SEED);
}

/** The path of the one input to repeat, where `REPLAY` names one. */
function replayOf(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env['REPLAY'] || undefined;
}

/**
 * Tries inputs, several at once, until one of them ends the trying or the budget is spent. The inputs of a seed are the
 * same however many are tried at once.
 *
 * @param attempt tries one input; false ends the trying
 * @returns how many inputs were tried
 */
export async function tryInputs<T>(
  inputs: Inputs<T>,
  { runs, milliseconds, atOnce }: Effort,
  attempt: (input: T, origin: Origin) => Promise<boolean>,
): Promise<number> {
  const seed = seedOf();
  const replay = replayOf();
  const values = valuesOf(inputs, runs, seed, replay);
  const isDeep = depthOf() === 'deep';
  if (isDeep) base.info().setTimeout(base.info().timeout + milliseconds);
  const started = performance.now();
  let told = started;
  let next = 0;
  let done = 0;
  let over = false;
  const takeTurns = async () => {
    while (!over && next < values.length && performance.now() - started < milliseconds) {
      const index = next++;
      const { value, path } = values[index] as Chosen<T>;
      const goOn = await attempt(value, { seed, path });
      done += 1;
      if (!goOn) over = true;
      if (isDeep && performance.now() - told > PROGRESS_MS) {
        told = performance.now();
        console.log(`${base.info().title}: ${done} of ${values.length} inputs tried`);
      }
    }
  };
  // One that ends the test must not leave the others calling behind its back.
  const ends = await Promise.allSettled(
    Array.from({ length: Math.min(atOnce, values.length) }, () =>
      takeTurns().catch((error: unknown) => {
        over = true;
        throw error;
      }),
    ),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return done;
}

interface Chosen<T> {
  readonly value: T;
  readonly path: string;
}

function valuesOf<T>(
  inputs: Inputs<T>,
  runs: number,
  seed: number,
  replay: string | undefined,
): readonly Chosen<T>[] {
  if (isList(inputs)) {
    const all = inputs.map((value, at) => ({ value, path: String(at) }));
    if (replay !== undefined) return all.filter(({ path }) => path === replay);
    if (runs >= all.length) return all;
    const [some = []] = fc.sample(fc.shuffledSubarray(all, { minLength: runs, maxLength: runs }), {
      seed,
      numRuns: 1,
    });
    return some;
  }
  const at = { seed, numRuns: replay === undefined ? runs : 1, ...(replay ? { path: replay } : {}) };
  return fc.sample(inputs, at).map((value, index) => ({ value, path: replay ?? String(index) }));
}

function isList<T>(inputs: Inputs<T>): inputs is readonly T[] {
  return Array.isArray(inputs);
}

/** The smallest input that was found to fail. */
export interface Smallest<T> {
  readonly input: T;
  readonly origin: Origin;
  /** How many inputs were tried on the way. */
  readonly tried: number;
}

/**
 * Makes a failing input smaller, one at a time, as long as the budget lasts.
 *
 * @param fails tries an input again; an obstacle counts as not failing
 * @returns the smallest that failed again; undefined where not even the first did
 */
export async function shrink<T>(
  inputs: Inputs<T>,
  { seed, path }: Origin,
  fails: (input: T) => Promise<boolean>,
  milliseconds: number,
): Promise<Smallest<T> | undefined> {
  // Each value of a list is as small as it can be.
  if (isList(inputs)) return undefined;
  let tried = 0;
  const details = await fc.check(
    fc.asyncProperty(inputs, async (input) => {
      tried += 1;
      if (await fails(input)) throw new Error('it fails again');
    }),
    { seed, path, numRuns: 1, interruptAfterTimeLimit: milliseconds, markInterruptAsFailure: false },
  );
  if (!details.failed || details.counterexample === null) return undefined;
  return {
    input: details.counterexample[0],
    origin: { seed, path: details.counterexamplePath ?? path },
    tried,
  };
}

/** The command that repeats one input of the running test and nothing else. */
export function repeatCommand({ seed, path }: Origin): string {
  const title = base
    .info()
    .title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll("'", '.');
  return `SEED=${seed} REPLAY=${path} npx playwright test --workers 1 -g '${title}'`;
}

/** What one property may spend. */
interface Effort {
  /** Inputs to try; each costs at least one request. */
  readonly runs: number;
  /** No further input is begun after so long, in milliseconds. */
  readonly milliseconds: number;
  /** Inputs that are tried at the same time. */
  readonly atOnce: number;
  /** So much may be spent on making a failing input smaller, in milliseconds. */
  readonly shrinking: number;
}

/** Against the inputs of `standard`; deep is for the night. */
const TIMES: Readonly<Record<Depth, number>> = { quick: 1 / 3, standard: 1, deep: 20 };
const MILLISECONDS: Readonly<Record<Depth, number>> = { quick: 5_000, standard: 20_000, deep: 600_000 };
const SHRINKING: Readonly<Record<Depth, number>> = { quick: 3_000, standard: 15_000, deep: 60_000 };
const AT_ONCE = 4;
/** Fewer inputs than this are too few at any depth. */
const LEAST = 3;

/**
 * @param runs inputs that `standard` tries
 * @param least inputs that are tried at any depth, where there are so many
 */
export function effortOf(runs: number, least = LEAST, env: NodeJS.ProcessEnv = process.env): Effort {
  const depth = depthOf(env);
  return {
    runs: Math.max(Math.min(least, runs), Math.ceil(runs * TIMES[depth])),
    milliseconds: MILLISECONDS[depth],
    atOnce: AT_ONCE,
    shrinking: SHRINKING[depth],
  };
}
