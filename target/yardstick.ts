import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** What a piece of work took, in milliseconds. */
export interface YardTime {
  /** By the clock: longer than its processor time where others use this machine at the same time. */
  readonly wallMs: number;
  readonly cpuMs: number;
}

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * How fast this machine is now: a piece of Assay's own work (yardstick-work.ts), on all its cores at once as a run uses
 * them; the average.
 */
export async function yardstick(): Promise<YardTime> {
  const times = await Promise.all(Array.from({ length: availableParallelism() }, oneTime));
  const average = (of: (time: YardTime) => number) =>
    Math.round(times.reduce((sum, time) => sum + of(time), 0) / times.length);
  return { wallMs: average(({ wallMs }) => wallMs), cpuMs: average(({ cpuMs }) => cpuMs) };
}

async function oneTime(): Promise<YardTime> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', 'tsx', 'target/yardstick-work.ts'],
    { cwd: root },
  );
  return JSON.parse(stdout) as YardTime;
}
