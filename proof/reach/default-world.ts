import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { preparesPublicly } from '../command.ts';
import type { WorkerPool, TestHead, TestOutcome } from '../runner/worker-pool.ts';

/** Where a run of the proof keeps what it need not do again. */
export const WORK_FOLDER = join(import.meta.dirname, '../../test-results/proof');

/** Every test in the default world: how it ends, and what its requests reach there. */
export interface DefaultWorld {
  readonly tests: readonly TestHead[];
  readonly outcomes: ReadonlyMap<string, TestOutcome>;
  /** How often each test was run: it may take another way by chance, and what any time has reached counts. */
  readonly rounds: number;
}

interface Learning {
  /** Of everything that this depends on; what is known for it is not learned again. */
  readonly digest: string;
  /** Another world where nothing is planted: a legal one may leave tests open. */
  readonly home?: string;
  /** Of sandbox that the pool has, and of tests: a name to keep it under. */
  readonly kind?: string;
  /** Enough where reach is not asked for, or where the tests of a rule are run for its fault anyhow. */
  readonly once?: boolean;
  /** The tests that are of interest, run once for somebody who waits; all unless given. */
  readonly few?: readonly TestHead[] | undefined;
}

/**
 * Runs tests where nothing is planted, each in a world for itself.
 *
 * @throws Error where a test finds something there: then nothing that follows would mean anything
 */
export async function learnDefaultWorld(
  pool: WorkerPool,
  { digest, home = 'default', kind = home, once = false, few }: Learning,
): Promise<DefaultWorld> {
  const way = preparesPublicly() ? '-public' : '';
  const fileOf = (rounds: number) =>
    join(WORK_FOLDER, `${kind}${way}-world-${rounds === 1 ? 'once-' : ''}${digest}.json`);
  for (const rounds of once ? [2, 1] : [2])
    if (existsSync(fileOf(rounds)))
      return worldOf(pool.tests, JSON.parse(readFileSync(fileOf(rounds), 'utf8')) as TestOutcome[], rounds);
  const tests = few ?? pool.tests;
  const rounds = once || few ? 1 : 2;
  console.log(
    `First ${tests.length} tests${rounds === 2 ? ', each twice' : ''}, on the sandbox as it is: what does each of them meet?`,
  );
  const outcomes = await learn(pool, home, rounds === 2 ? [tests, tests] : [tests]);
  if (!few) {
    mkdirSync(WORK_FOLDER, { recursive: true });
    writeFileSync(fileOf(rounds), JSON.stringify(outcomes));
  }
  return worldOf(tests, outcomes, rounds);
}

function worldOf(tests: readonly TestHead[], outcomes: readonly TestOutcome[], rounds: number): DefaultWorld {
  return { tests, outcomes: new Map(outcomes.map((outcome) => [outcome.test, outcome])), rounds };
}

async function learn(
  pool: WorkerPool,
  home: string,
  rounds: readonly (readonly TestHead[])[],
): Promise<TestOutcome[]> {
  const runs = await Promise.all(rounds.map((tests) => runWatched(pool, home, tests)));
  // By public calls and in another world much cannot be prepared, which is said beforehand.
  const content = new Set<string | undefined>(
    preparesPublicly() || home !== 'default'
      ? ['completed', 'unprepared', 'refused', 'inconclusive']
      : ['completed'],
  );
  const wrong = runs
    .flat()
    .filter(({ attempts }) => attempts.length > 1 || !content.has(attempts[0]?.standing));
  if (wrong.length > 0) {
    const labels = new Map(pool.tests.map(({ id, label }) => [id, label]));
    const [{ test, attempts }] = wrong as [TestOutcome];
    const [attempt] = attempts;
    const why = attempt?.reason ?? attempt?.journal?.findings[0]?.message ?? attempt?.standing;
    throw new Error(
      `Where nothing is planted, ${wrong.length} tests are not content. ${labels.get(test)}: ${why}`,
    );
  }
  const [first = [], ...others] = runs;
  return first.map((outcome) => {
    const all = [outcome, ...others.map((run) => run.find(({ test }) => test === outcome.test))];
    const reachedBy = (kind: 'faults' | 'mutants') => [
      ...new Set(all.flatMap((one) => one?.reached?.[kind] ?? [])),
    ];
    return { ...outcome, reached: { faults: reachedBy('faults'), mutants: reachedBy('mutants') } };
  });
}

/** In portions, so that no process stands idle at the end. */
async function runWatched(
  pool: WorkerPool,
  world: string,
  some: readonly TestHead[],
): Promise<TestOutcome[]> {
  const portions: string[][] = [];
  for (const [index, { id }] of some.entries()) (portions[Math.floor(index / 20)] ??= []).push(id);
  const done = await Promise.all(portions.map((tests) => pool.run({ world, tests, watched: true })));
  return done.flat();
}
