import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedExchange } from '../journal/types.ts';
import type { ConformanceReport } from '../reports/verdicts/model.ts';
import { childEnvironment, PLAYWRIGHT, root, scratch } from '../tests/support/run-assay.ts';

interface Took {
  /** Seconds from its start to its end. */
  readonly wall: number;
  /** Seconds of processor time of all its processes together. */
  readonly cpu: number;
}

/** A run of the suite, and what it left. */
export interface SuiteRun extends Took {
  readonly tests: number;
  /** Of exchanges.ndjson. */
  readonly journal: readonly (RecordedExchange & { readonly test: string })[];
}

/**
 * Runs Playwright in a process of its own.
 *
 * @param accepts exit codes that are no failure of the measurement
 * @throws Error with the end of its output where it failed
 */
export async function runPlaywright(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  accepts: readonly number[] = [0],
): Promise<Took & { readonly output: string }> {
  // The shell knows what its children took of the processors; Node does not say.
  const timed = ['-c', '"$@"; code=$?; times >&3; exit $code', 'sh', process.execPath, PLAYWRIGHT];
  const child = spawn('sh', [...timed, ...args], {
    cwd: root,
    env: childEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  let output = '';
  let times = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdio[3]?.on('data', (chunk: Buffer) => (times += chunk.toString()));
  const started = performance.now();
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const wall = (performance.now() - started) / 1_000;
  if (code === null || !accepts.includes(code))
    throw new Error(`playwright ${args.join(' ')} ended with ${code}:\n${output.slice(-2_000)}`);
  return { wall, cpu: cpuOf(times), output };
}

/**
 * Runs the conformance suite as people do, reports and all.
 *
 * @param args more arguments for `playwright test`, such as a folder of specs
 */
export async function runSuite(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<SuiteRun> {
  const folder = scratch('bench');
  try {
    // A part of the suite may be incomplete, which takes no less time.
    const { output: _output, ...took } = await runPlaywright(
      ['test', '--output', join(folder, 'results'), ...args],
      { REPORT_DIR: join(folder, 'out'), ...env },
      [0, 2],
    );
    const read = (name: string) => readFileSync(join(folder, 'out', name), 'utf8');
    const { passed, failed, skipped, didNotRun } = (JSON.parse(read('conformance.json')) as ConformanceReport)
      .run.tests;
    const lines = read('exchanges.ndjson').split('\n').filter(Boolean);
    return {
      ...took,
      tests: passed + failed + skipped + didNotRun,
      journal: lines.map((line) => JSON.parse(line) as SuiteRun['journal'][number]),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `times` of the shell: user and system time, of itself and below of its children, as `1m2.3s 0m0.4s`. */
function cpuOf(times: string): number {
  const [, children = ''] = times.trim().split('\n');
  return [...children.matchAll(/(\d+)m([\d.,]+)s/g)]
    .map(([, minutes, seconds = '0']) => Number(minutes) * 60 + Number(seconds.replace(',', '.')))
    .reduce((sum, each) => sum + each, 0);
}
