import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkerPool, TestHead, TestOutcome } from '../runner/worker-pool.ts';

/** Where a run of the proof keeps what it need not do again. */
export const WORK_FOLDER = join(import.meta.dirname, '../../test-results/proof');

/** Every test in the default world: how it ends, and what its requests reach there. */
export interface DefaultWorld {
  readonly tests: readonly TestHead[];
  readonly outcomes: ReadonlyMap<string, TestOutcome>;
}

/**
 * Runs tests where nothing is planted, each in a world for itself. All of them are run twice, and what either time has
 * reached counts: a test may take another way by chance. A few, for somebody who waits, are run once.
 *
 * @param digest of everything that this depends on; what is known for it is not learned again
 * @param kind of sandbox that the pool has, and of tests: a name to keep it under
 * @param few the tests that are of interest; all unless given
 * @throws Error where a test finds something there: then nothing that follows would mean anything
 */
export async function learnDefaultWorld(
  pool: WorkerPool,
  digest: string,
  kind = 'default',
  few?: readonly TestHead[],
): Promise<DefaultWorld> {
  const file = join(WORK_FOLDER, `${kind}-world-${digest}.json`);
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as TestOutcome[]) : undefined;
  if (!known && few) {
    console.log(`First ${few.length} tests, on the sandbox as it is: what does each of them meet?`);
    return worldOf(few, await learn(pool, [few]));
  }
  if (!known)
    console.log(
      'First every test twice, on the sandbox as it is: what does each of them meet? A minute or two.',
    );
  const outcomes = known ?? (await learn(pool, [pool.tests, pool.tests]));
  mkdirSync(WORK_FOLDER, { recursive: true });
  writeFileSync(file, JSON.stringify(outcomes));
  return worldOf(pool.tests, outcomes);
}

function worldOf(tests: readonly TestHead[], outcomes: readonly TestOutcome[]): DefaultWorld {
  return { tests, outcomes: new Map(outcomes.map((outcome) => [outcome.test, outcome])) };
}

async function learn(pool: WorkerPool, rounds: readonly (readonly TestHead[])[]): Promise<TestOutcome[]> {
  const runs = await Promise.all(rounds.map((tests) => runWatched(pool, tests)));
  const wrong = runs
    .flat()
    .filter(({ attempts }) => attempts.length > 1 || attempts[0]?.standing !== 'completed');
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
async function runWatched(pool: WorkerPool, some: readonly TestHead[]): Promise<TestOutcome[]> {
  const portions: string[][] = [];
  for (const [index, { id }] of some.entries()) (portions[Math.floor(index / 20)] ??= []).push(id);
  const done = await Promise.all(
    portions.map((tests) => pool.run({ world: 'default', tests, watched: true })),
  );
  return done.flat();
}
