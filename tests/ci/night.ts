import { spawn, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { HistoryLine } from '../../reports/folder/history.ts';
import type { ConformanceReport } from '../../reports/verdicts/model.ts';
import { childEnvironment, reportIn, root, scratch } from '../support/run-assay.ts';

/** How one night ended. */
export interface Night {
  /** null where it was killed */
  readonly code: number | null;
  readonly output: string;
  /** What it leaves as its artefact. */
  readonly folder: string;
  readonly blobs: string;
  readonly report: ConformanceReport | undefined;
}

/** Who ends a night before its time. */
export interface Killer {
  /** Ends the whole night, or only the part that is running. Does nothing before the second part. */
  kill?: (what: 'night' | 'part') => void;
}

/**
 * One night, in new folders where none are given.
 *
 * @param steps arguments of ci/nightly, one call after another
 */
export async function night(
  env: Readonly<Record<string, string>>,
  steps: readonly (readonly string[])[] = [['all']],
  killer: Killer = {},
): Promise<Night> {
  const folder = env['REPORT_DIR'] ?? join(scratch('night'), 'nightly');
  const blobs = env['BLOBS'] ?? join(scratch('blobs'), 'blobs');
  const settings = { INSTALL: 'no', SHARDS: '2', REPORT_DIR: folder, BLOBS: blobs, ...env };
  let output = '';
  let code: number | null = 0;
  for (const args of steps) {
    const child = spawn('sh', ['ci/nightly', ...args], {
      cwd: root,
      env: childEnvironment(settings),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    killer.kill = (what) => {
      const second = runningIn(child.pid as number).filter(({ command }) => command.includes('--shard=2/'));
      if (second.length === 0) return;
      if (what === 'night') process.kill(-(child.pid as number), 'SIGKILL');
      else for (const { id } of second) process.kill(id, 'SIGKILL');
      delete killer.kill;
    };
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    code = await new Promise((resolve) => child.on('close', resolve));
  }
  return { code, output, folder, blobs, report: reportIn(folder) };
}

function runningIn(group: number): { id: number; command: string }[] {
  return execFileSync('ps', ['-eo', 'pid=,pgid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((row) => row !== null && Number(row[2]) === group)
    .map((row) => ({ id: Number(row?.[1]), command: row?.[3] ?? '' }));
}

/** The runs that a folder remembers. */
export function history({ folder }: Pick<Night, 'folder'>): readonly HistoryLine[] {
  return readFileSync(join(folder, 'history.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as HistoryLine);
}

/** What the folder says is left on the target. */
export function leftBehind({ folder }: Pick<Night, 'folder'>) {
  return JSON.parse(readFileSync(join(folder, 'left-behind.json'), 'utf8')) as {
    readonly runs: readonly string[];
    readonly records: Readonly<Record<string, readonly string[]>>;
  };
}

/** The only baseline of a folder. */
export function baseline({ folder }: Pick<Night, 'folder'>): ConformanceReport | undefined {
  const at = join(folder, 'baselines');
  const [name, ...others] = existsSync(at) ? readdirSync(at) : [];
  if (name === undefined || others.length > 0) return undefined;
  return JSON.parse(readFileSync(join(at, name), 'utf8')) as ConformanceReport;
}
