import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConformanceReport } from '../../reports/verdicts/model.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));
/** The command line of Playwright. */
export const PLAYWRIGHT = join(root, 'node_modules/@playwright/test/cli.js');
/** Of a test that takes long and is seldom needed: `npm run nights` runs it. */
export const NIGHTLY = { tag: '@nightly' };
/** Of one that `npm test` plays for all of its kind: `npm run hostile` and `npm run dialects` play the others. */
export const DAILY = { tag: '@daily' };
/** What a developer's own environment must not bring into a test. */
const OURS =
  /^(TEST_WORKER_INDEX|TEST_PARALLEL_INDEX|FORCE_COLOR|DEBUG_COLORS|PLAYWRIGHT_|PW_|ASSAY_|(BASE_URL|CLIENT_ID|CLIENT_SECRET|BRAND|PROFILE|PROVIDER_STATES_URL|PROVIDER_STATES_TOKEN|FIXTURES|KNOWN_FAILURES|ACCEPTED|REPORT_DIR|BASELINE|SEED|SLOW|WORKERS|CI|DEPTH|REPLAY|COMMIT|GITHUB_\w+|NOTIFY_URL|ENVIRONMENT|SANDBOX_HOST|DENY_HOSTS|MAX_AMOUNT|MAX_REQUESTS|PACE|CONCURRENCY|WEBHOOK_LISTEN|WEBHOOK_URL|NODE_EXTRA_CA_CERTS)$|(https?|no)_proxy$)/i;

export interface Outcome {
  readonly code: number | null;
  /** Standard output and error. */
  readonly output: string;
  /** Folder of the reports. */
  readonly folder: string;
  /** conformance.json, where one was written. */
  readonly report: ConformanceReport | undefined;
}

/** A new folder below test-results/, which git ignores. */
export function scratch(name: string): string {
  const parent = join(root, 'test-results/scratch');
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, `${name}-`));
}

/** A new file with this text, in a folder of its own. */
export function scratchFile(name: string, text: string): string {
  const file = join(scratch('file'), name);
  writeFileSync(file, text);
  return file;
}

/** The environment of a child: ours without anything that steers Assay or Playwright, and what is given. */
export function childEnvironment(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const clean = Object.entries(process.env).filter(([name]) => !OURS.test(name));
  return { ...Object.fromEntries(clean), ...env };
}

/** `npx playwright test` in the project, as a user runs it. */
export async function runAssay(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Outcome> {
  const folder = scratch('report');
  const results = ['--output', join(folder, 'results')];
  const { code, output } = await runNode([PLAYWRIGHT, 'test', ...results, ...args], {
    REPORT_DIR: folder,
    WORKERS: '1',
    ...env,
  });
  return { code, output, folder, report: reportIn(folder) };
}

/** conformance.json of a report folder, where there is one. */
export function reportIn(folder: string): ConformanceReport | undefined {
  const file = join(folder, 'conformance.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ConformanceReport) : undefined;
}

/** Node with these arguments in the project's folder. */
export function runNode(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return runCommand([process.execPath, ...args], env);
}

interface Running {
  /** The project's folder unless given. */
  readonly cwd?: string;
  readonly detached?: boolean;
  readonly started?: (child: ChildProcess) => void;
  /** Gets all that was said so far each time that something is. */
  readonly heard?: (output: string) => void;
}

/** Runs a command to its end, in a clean environment. @returns its code (null where it was killed) and what it has said */
export async function runCommand(
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  { cwd = root, detached = false, started, heard }: Running = {},
) {
  const child = spawn(command, args, {
    ...{ cwd, detached, env: childEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'] },
  });
  started?.(child);
  let output = '';
  let stdout = '';
  const hear = (chunk: Buffer) => {
    output += chunk.toString();
    heard?.(output);
  };
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString())).on('data', hear);
  child.stderr.on('data', hear);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output, stdout };
}
