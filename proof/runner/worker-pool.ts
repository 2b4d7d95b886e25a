import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Attempt } from '../../reports/journals/attempt.ts';
import type { Seed } from '../variants/covering.ts';

const WORKER = join(import.meta.dirname, 'worker.ts');
/** Tasks in a process at a time: while the last tests of one world wait, the next one may begin. */
const TASKS_AT_ONCE = 2;
/** Characters. */
const LAST_WORDS = 2_000;

interface PoolWorker {
  readonly child: ChildProcess;
  /** What to say when it has ended. */
  readonly ended: (code: number | null) => Error;
  readonly open: {
    task: Task;
    resolve: (done: readonly TestOutcome[]) => void;
    reject: (error: Error) => void;
  }[];
}

/** Processes that run tests in worlds: one for each core, each with a sandbox of its own. */
export class WorkerPool {
  readonly tests: readonly TestHead[];
  readonly #workers: readonly PoolWorker[];
  readonly #waiting: (() => void)[] = [];

  private constructor(workers: readonly PoolWorker[], tests: readonly TestHead[]) {
    this.#workers = workers;
    this.tests = tests;
  }

  /**
   * @param size processes
   * @param only specs whose path begins like this; all unless given
   * @param folder of a mutated sandbox, in place of the sandbox
   * @throws Error where a process does not come up
   */
  static async start(size: number, only = '', folder?: string): Promise<WorkerPool> {
    const workers = await Promise.all(Array.from({ length: size }, () => startWorker(only, folder)));
    const pool = new WorkerPool(
      workers.map(({ child, ended }) => ({ child, ended, open: [] })),
      workers[0]!.tests,
    );
    for (const worker of pool.#workers) pool.#listen(worker);
    return pool;
  }

  /** Runs a task as soon as a process has room for it. @throws Error for a mistake of this program, never for a test */
  async run(task: Task): Promise<readonly TestOutcome[]> {
    let worker = this.#free();
    while (!worker) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      worker = this.#free();
    }
    const { child, open } = worker;
    try {
      return await new Promise((resolve, reject) => {
        open.push({ task: { ...task, key: `${(keys += 1)}` }, resolve, reject });
        child.send({ task: open.at(-1)!.task });
      });
    } finally {
      this.#waiting.shift()?.();
    }
  }

  /** Ends all processes. */
  end(): void {
    for (const { child } of this.#workers) {
      child.removeAllListeners('exit');
      child.kill();
    }
  }

  #free(): PoolWorker | undefined {
    const [worker] = [...this.#workers].sort((a, b) => a.open.length - b.open.length);
    return worker && worker.open.length < TASKS_AT_ONCE ? worker : undefined;
  }

  #listen(worker: PoolWorker): void {
    worker.child.on('message', (message: FromWorker) => {
      if (!('key' in message)) return;
      const index = worker.open.findIndex(({ task }) => task.key === message.key);
      const [open] = worker.open.splice(index, 1);
      if ('failed' in message) open?.reject(new Error(message.failed));
      else open?.resolve(message.done);
    });
    worker.child.on('exit', (code) => {
      for (const { reject } of worker.open.splice(0)) reject(worker.ended(code));
    });
  }
}

let keys = 0;

function startWorker(
  only: string,
  folder: string | undefined,
): Promise<Omit<PoolWorker, 'open'> & { readonly tests: readonly TestHead[] }> {
  const child = fork(WORKER, [only, ...(folder === undefined ? [] : [folder])], {
    execArgv: ['--disable-warning=ExperimentalWarning', '--import', 'tsx'],
    serialization: 'advanced',
    // A broken sandbox writes down each of its errors: what counts are the last words before an end.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let lastWords = '';
  child.stderr?.on('data', (text: Buffer) => {
    lastWords = (lastWords + text.toString()).slice(-LAST_WORDS);
  });
  const ended = (code: number | null) =>
    new Error(`A process that runs the tests ended with ${code}. Its last words: ${lastWords}`);
  return new Promise((resolve, reject) => {
    child.once('message', (message: FromWorker) => {
      if ('ready' in message) resolve({ child, ended, tests: message.ready });
    });
    child.once('exit', (code) => reject(ended(code)));
  });
}

/** Work for a process: tests in a world. */
export interface Task {
  /** Given by the pool; the answer has the same. */
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
  /** Verdicts need none, and they are long. */
  readonly keepsExchanges?: boolean;
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
