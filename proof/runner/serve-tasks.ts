import { rulesTagged } from '../../reports/test-record.ts';
import { TOLD } from '../variants/told.ts';
import { Benches, type Bench } from './benches.ts';
import type { DeclaredTest } from './declared.ts';
import { Limit } from './limit.ts';
import type { FromWorker, ReachedNames, Task, TestOutcome, ToWorker } from './messages.ts';
import { runTest } from './run-test.ts';
import { WatchedSandbox } from './watched-sandbox.ts';

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

  async function one(id: string, world: string, bench: Bench): Promise<TestOutcome> {
    const test = byId.get(id);
    if (!test) throw new Error(`There is no test ${id}`);
    const started = performance.now();
    const attempts = await runTest(test, bench, world);
    return { test: id, attempts, milliseconds: performance.now() - started };
  }

  async function watched(id: string): Promise<TestOutcome> {
    const world = `world.watched-${(watchedWorlds += 1)}`;
    sandbox.watch(world, id);
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
    const { world, seed, until } = task;
    sandbox.prepare(task);
    const bench = benches.bench(world, seed && toldOf(seed.dialects));
    const limit = seed?.dialects.includes('effectSeconds') ? slow : usual;
    let isNamed = false;
    try {
      const outcomes = await Promise.all(
        task.tests.map((id) =>
          limit.run(async () => {
            if (isNamed && until === 'named') return [];
            const outcome = await one(id, world, bench);
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
      await bench.close();
    }
  }

  const serve = (task: Task): Promise<readonly TestOutcome[]> =>
    task.watched ? Promise.all(task.tests.map(watched)) : inOneWorld(task);
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

function toldOf(keys: readonly string[]): Partial<typeof TOLD> {
  return Object.fromEntries(Object.entries(TOLD).filter(([key]) => keys.includes(key)));
}

function send(message: FromWorker): void {
  process.send?.(message);
}
