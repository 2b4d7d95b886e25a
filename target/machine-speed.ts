import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** What a piece of work took, in milliseconds. */
export interface WorkTime {
  /** By the clock: longer than its processor time where others use this machine at the same time. */
  readonly wallMs: number;
  readonly cpuMs: number;
}

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * How fast this machine is now: a piece of Assay's own work, on all its cores at once as a run uses
 * them; the average.
 */
export async function machineSpeed(): Promise<WorkTime> {
  const times = await Promise.all(Array.from({ length: availableParallelism() }, oneTime));
  const average = (of: (time: WorkTime) => number) =>
    Math.round(times.reduce((sum, time) => sum + of(time), 0) / times.length);
  return { wallMs: average(({ wallMs }) => wallMs), cpuMs: average(({ cpuMs }) => cpuMs) };
}

async function oneTime(): Promise<WorkTime> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', 'tsx', fileURLToPath(import.meta.url)],
    { cwd: root },
  );
  return JSON.parse(stdout) as WorkTime;
}

const ROUNDS = 120;

/**
 * The same kinds of work as a worker's, always as much of them: loading the contract, compiling and applying its schemas,
 * keys and signatures, records written and read. Prints what it took: by the clock, and of processors.
 */
async function work(): Promise<void> {
  const { KeyPair } = await import('../client/crypto/index.ts');
  const { loadContract } = await import('../schemas/contract.ts');
  const { Validator } = await import('../schemas/validator.ts');
  const { operations } = await loadContract('Service');
  const validator = new Validator();
  const all = [...operations.values()];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bytes = new TextEncoder().encode(JSON.stringify(all[round % all.length]));
    KeyPair.generate().sign(bytes);
    for (const { answers } of all)
      for (const { schema } of answers.values()) if (schema) validator.judge(schema, { id: round });
  }
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ wallMs: performance.now(), cpuMs: (user + system) / 1_000 }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await work();
