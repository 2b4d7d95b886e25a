import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { HistoryLine } from '../../reports/folder/history.ts';
import type { ConformanceReport } from '../../reports/verdicts/model.ts';
import { reportIn, runCommand, runNode, scratch } from '../support/run-assay.ts';
import { hostileProxy } from '../hostile/proxy.ts';
import { spawnSandbox } from '../support/sandbox-process.ts';

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
  /** Ends it with all that it has started. Does nothing before the second part. */
  kill?: () => void;
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
    const ended = await runCommand(['sh', 'ci/nightly', ...args], settings, {
      detached: true,
      started: ({ pid }) => {
        const group = pid as number;
        killer.kill = () => {
          if (!commandsOf(group).some((command) => command.includes('--shard=2/'))) return;
          process.kill(-group, 'SIGKILL');
          delete killer.kill;
        };
      },
    });
    output += ended.output;
    code = ended.code;
  }
  return { code, output, folder, blobs, report: reportIn(folder) };
}

/** What runs in a group of processes. */
function commandsOf(group: number): readonly string[] {
  return execFileSync('ps', ['-eo', 'pgid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => Number.parseInt(line, 10) === group);
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

/** Somebody's service: the sandbox in a process of its own, at one address, prepared by public calls. */
export interface Service extends AsyncDisposable {
  /** What a run is told of it: its address, its keys, and a profile that `npm run init` has written. */
  readonly settings: Readonly<Record<string, string>>;
  /** World of the sandbox that answers from now on, such as `fault.approval-threshold-ignored`. */
  world: string;
  /** Ids of the customers that it has made so far. */
  readonly customers: readonly string[];
  /** Called before each request is answered. */
  onRequest: () => void;
}

/** Starts one. */
export async function startService(): Promise<Service> {
  const sandbox = await spawnSandbox();
  const customers: string[] = [];
  const proxy = await hostileProxy(sandbox.origin, async ({ request, forward }) => {
    service.onRequest();
    const { method, url = '' } = request;
    request.url = url.replace(/^\/pay\//, `/${service.world}/`);
    const answer = await forward();
    if (method === 'POST' && url.endsWith('/customers') && answer.status === 201)
      customers.push((JSON.parse(answer.body.toString()) as { id: string }).id);
    return answer;
  });
  const base = `${proxy.origin}/pay/2025-10-13`;
  const profile = join(scratch('service'), 'assay.yaml');
  const { code, output } = await runNode([
    ...['--disable-warning=ExperimentalWarning', '--import', 'tsx', 'doctor/init.ts'],
    ...['--base-url', base, '--environment', 'sandbox', '--name', 'A service', '--out', profile, '--yes'],
  ]);
  expect(code, output).toBe(0);
  const service: Service = {
    settings: { BASE_URL: base, CLIENT_ID: 'sandbox', CLIENT_SECRET: 'sandbox-secret', PROFILE: profile },
    world: 'world.healthy',
    customers,
    onRequest: () => undefined,
    async [Symbol.asyncDispose]() {
      await proxy.stop();
      await sandbox[Symbol.asyncDispose]();
    },
  };
  return service;
}
