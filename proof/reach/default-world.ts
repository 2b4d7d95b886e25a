import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Crew, TestHead, TestOutcome } from '../runner/crew.ts';

/** Where a run of the proof keeps what it need not do again. */
export const WORK_FOLDER = join(import.meta.dirname, '../../test-results/proof');

/** Every test in the default world: how it ends, and what its requests reach there. */
export interface DefaultWorld {
  readonly tests: readonly TestHead[];
  readonly outcomes: ReadonlyMap<string, TestOutcome>;
}

/**
 * Runs every test twice where nothing is planted, each in a world for itself. What either time has reached counts: a test
 * may take another way by chance.
 *
 * @param digest of everything that this depends on; what is known for it is not learned again
 * @param kind of sandbox that the crew has, and of tests: a name to keep it under
 * @throws Error where a test finds something there: then nothing that follows would mean anything
 */
export async function learnDefaultWorld(crew: Crew, digest: string, kind = 'default'): Promise<DefaultWorld> {
  const file = join(WORK_FOLDER, `${kind}-world-${digest}.json`);
  const known = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as TestOutcome[])
    : await learn(crew);
  mkdirSync(WORK_FOLDER, { recursive: true });
  writeFileSync(file, JSON.stringify(known));
  return { tests: crew.tests, outcomes: new Map(known.map((outcome) => [outcome.test, outcome])) };
}

async function learn(crew: Crew): Promise<TestOutcome[]> {
  console.log(
    'First every test twice, on the sandbox as it is: what does each of them meet? A minute or two.',
  );
  const twice = await Promise.all([everyTest(crew), everyTest(crew)]);
  const second = new Map(twice[1].map((outcome) => [outcome.test, outcome]));
  const wrong = twice
    .flat()
    .filter(({ attempts }) => attempts.length > 1 || attempts[0]?.standing !== 'completed');
  if (wrong.length > 0) {
    const labels = new Map(crew.tests.map(({ id, label }) => [id, label]));
    const [{ test, attempts }] = wrong as [TestOutcome];
    const [attempt] = attempts;
    const why = attempt?.reason ?? attempt?.journal?.findings[0]?.message ?? attempt?.standing;
    throw new Error(
      `Where nothing is planted, ${wrong.length} tests are not content. ${labels.get(test)}: ${why}`,
    );
  }
  return twice[0].map((outcome) => {
    const again = second.get(outcome.test)?.reached;
    return {
      ...outcome,
      reached: {
        faults: [...new Set([...(outcome.reached?.faults ?? []), ...(again?.faults ?? [])])],
        mutants: [...new Set([...(outcome.reached?.mutants ?? []), ...(again?.mutants ?? [])])],
      },
    };
  });
}

/** In portions, so that no process stands idle at the end. */
async function everyTest(crew: Crew): Promise<TestOutcome[]> {
  const portions: string[][] = [];
  for (const [index, { id }] of crew.tests.entries()) (portions[Math.floor(index / 20)] ??= []).push(id);
  const done = await Promise.all(
    portions.map((tests) => crew.run({ world: 'default', tests, watched: true })),
  );
  return done.flat();
}
