/**
 * Runs the suite in thousands of worlds: worker-pool.ts shares tasks out, each process serves them here on a sandbox of its
 * own, and stand-in.ts takes Playwright's place, so that a test costs what its requests cost.
 */
import type { TestCase, TestResult } from '@playwright/test/reporter';
import { attemptOf, type Attempt } from '../../reports/journals/attempt.ts';
import { rulesTagged } from '../../reports/journals/test-record.ts';
import { randomFrom } from '../../sandbox/variants/index.ts';
import { drawingFrom } from '../../suite/run/sampling.ts';
import type { Workbench } from '../../suite/run/workbench.ts';
import { TOLD, type Seed } from '../variants/covering.ts';
import { attemptTest } from './attempt.ts';
import { Benches, type Bench } from './workbenches.ts';
import type { DeclaredTest, Execution } from './stand-in.ts';
import type { FromWorker, ReachedNames, Task, TestOutcome, ToWorker } from './worker-pool.ts';
import { WatchedSandbox } from './watched-sandbox.ts';
import { inTrouble } from '../../doubt/run.ts';

/** Tests at once: many wait for a while, and while they wait others can work. */
const AT_ONCE = 8;
/** The same where the world is a slow one by nature. */
const AT_ONCE_IN_SLOW_WORLDS = 40;

/**
 * Serves the process that has started this one: runs tests in the worlds of a sandbox of its own, and says what became of
 * them. Ends when that process does.
 *
 * @param folder of a mutated sandbox; the sandbox itself unless given
 */
export async function serveTasks(tests: readonly DeclaredTest[], folder?: string): Promise<void> {
  const byId = new Map(tests.map((test) => [test.id, test]));
  const sandbox = await WatchedSandbox.start(folder);
  const benches = await Benches.open(sandbox.origin);
  const usual = new Limit(AT_ONCE);
  const slow = new Limit(AT_ONCE_IN_SLOW_WORLDS);
  let watchedWorlds = 0;

  async function one(id: string, world: string, bench: Bench, keeps = false): Promise<TestOutcome> {
    const test = byId.get(id);
    if (!test) throw new Error(`There is no test ${id}`);
    const started = performance.now();
    const attempts = await runTest(test, bench, world, keeps);
    return { test: id, attempts, milliseconds: performance.now() - started };
  }

  async function watched(id: string, like: string): Promise<TestOutcome> {
    const world = `world.watched-${(watchedWorlds += 1)}`;
    sandbox.watch(world, id, like);
    const bench = benches.bench(world);
    let reached: ReachedNames | undefined;
    try {
      const outcome = await usual.run(() => one(id, world, bench));
      reached = sandbox.forget(world);
      return { ...outcome, ...(reached ? { reached } : {}) };
    } finally {
      if (!reached) sandbox.forget(world);
      await bench.close();
    }
  }

  async function inOneWorld(task: Task): Promise<readonly TestOutcome[]> {
    const { world, seed, until, keepsExchanges } = task;
    sandbox.prepare(task);
    const open = () => benches.bench(world, seed && toldOf(seed.dialects), keepsExchanges);
    const shared = open();
    const limit = seed?.dialects.includes('effectSeconds') ? slow : usual;
    let isNamed = false;
    try {
      const outcomes = await Promise.all(
        task.tests.map((id) =>
          limit.run(async () => {
            if (isNamed && until === 'named') return [];
            const bench = seed && isFirst(id, seed) ? open() : shared;
            const run = () =>
              one(id, world, bench, keepsExchanges).finally(() =>
                bench === shared ? undefined : bench.close(),
              );
            const outcome = await (seed ? drawingFrom(inputSeedOf(seed), run) : run());
            isNamed ||= outcome.attempts.some(({ journal }) =>
              journal?.findings.some(({ trouble }) => trouble === undefined && journal.unwell === undefined),
            );
            return [outcome];
          }),
        ),
      );
      return outcomes.flat();
    } finally {
      sandbox.forget(world);
      await shared.close();
    }
  }

  const serve = (task: Task): Promise<readonly TestOutcome[]> =>
    task.watched ? Promise.all(task.tests.map((id) => watched(id, task.world))) : inOneWorld(task);
  process.on('message', ({ task }: ToWorker) => {
    serve(task).then(
      (done) => send({ key: task.key, done }),
      (error: unknown) => send({ key: task.key, failed: (error as Error).stack ?? String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
  send({
    ready: tests.map(({ id, label, tags }) => ({ id, label, rules: rulesTagged({ tags: [...tags] }) })),
  });
}

/** What obeys in one order of calls may be accused in another: each legal world draws its inputs from a seed of its own. */
function inputSeedOf({ number }: Seed): number {
  return Number(process.env['SEED'] || 0) + number;
}

/**
 * What a worker has learned about its target, its later tests know. Half the tests of a legal world are the first ones of
 * theirs, other ones in each world.
 */
function isFirst(id: string, { number }: Seed): boolean {
  return randomFrom(`first ${number} ${id}`)() < 0.5;
}

function toldOf(keys: readonly string[]): Partial<typeof TOLD> {
  return Object.fromEntries(Object.entries(TOLD).filter(([key]) => keys.includes(key)));
}

function send(message: FromWorker): void {
  process.send?.(message);
}

/** Lets so many pieces of work run at once, and the others wait for their turn. */
export class Limit {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

/**
 * Runs a test in a world as a run of the suite does: what met trouble comes again, since it accuses only when it comes back.
 * What was clear the first time is not repeated: it counts as it is (doubt/run.ts).
 *
 * @param bench of the world
 * @param keeps the exchanges, which no verdict reads
 */
async function runTest(
  test: DeclaredTest,
  bench: Workbench,
  world: string,
  keeps = false,
): Promise<Attempt[]> {
  const first = attemptFrom(await attemptTest(test, { bench, world }, 0), keeps);
  if (first.outcome !== 'failed' || (first.journal && !inTrouble(first.journal))) return [first];
  return [first, attemptFrom(await attemptTest(test, { bench, world }, 1), keeps)];
}

function attemptFrom(execution: Execution, keeps: boolean): Attempt {
  const { status, annotations, attachments, errors } = execution;
  const result = { status, annotations, attachments, errors } as unknown as TestResult;
  const { journal, ...attempt } = attemptOf({ annotations: [] } as Pick<TestCase, 'annotations'>, result);
  if (!journal) return attempt;
  return { ...attempt, journal: keeps ? journal : { ...journal, exchanges: [], observations: [] } };
}
