import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { childEnvironment, root } from './run-assay.ts';

/** A script to run, and what it finds. */
export interface Asked {
  /** Its path below the project's folder; absolute on the way. */
  readonly script: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where it runs; the project's folder, where nothing is said. */
  readonly folder?: string;
}

export interface Evaluated {
  readonly code: number;
  /** Standard output and error. */
  readonly output: string;
  readonly out: string;
  readonly err: string;
}

let evaluator: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * What a script of ours says, and the code that it ends with. Scripts that end soon share a process: to start Node and
 * load the modules takes each alone a second or two. What a process is otherwise, `runNode` shows.
 */
export function evaluate(asked: Asked): Promise<Evaluated> {
  const done = last.then(() => evaluateNow(asked));
  last = done.catch(() => undefined);
  return done;
}

async function evaluateNow(asked: Asked): Promise<Evaluated> {
  const child = (evaluator ??= start());
  child.ref();
  child.channel?.ref();
  child.send({ ...asked, script: join(root, asked.script) });
  const [done] = (await once(child, 'message')) as [Evaluated];
  // Its end is ours: it must not keep this process waiting.
  child.channel?.unref();
  child.unref();
  return done;
}

function start(): ChildProcess {
  const child = fork(join(import.meta.dirname, 'evaluator.ts'), {
    cwd: root,
    env: childEnvironment({}),
    execArgv: ['--disable-warning=ExperimentalWarning', '--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // A script that ends it fails its own test, and no other.
  return child.once('exit', () => (evaluator = undefined));
}
