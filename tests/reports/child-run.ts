/** Runs real Playwright processes on small throw-away projects, to see exit codes and files as a user does. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConformanceReport } from '../../reports/model.ts';
import type { Journal } from '../../journal/types.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'node_modules/@playwright/test/cli.js');
const reporter = join(root, 'reports/reporter.ts');

export interface ChildTest {
  readonly title: string;
  readonly rules: readonly string[];
  readonly journal?: Partial<Journal>;
  /** Source of the rest of the test's body. */
  readonly body?: string;
  readonly as?: 'path' | 'body';
}

export interface ChildProject {
  readonly dir: string;
  readonly reports: string;
}

export interface ChildResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly report: ConformanceReport;
}

/** Writes a Playwright project with one file for each group of tests. */
export function childProject(
  files: Readonly<Record<string, readonly ChildTest[]>>,
  assay: Record<string, unknown> = {},
  extra = '',
): ChildProject {
  const parent = join(root, 'test-results/reports-child');
  mkdirSync(parent, { recursive: true });
  const dir = mkdtempSync(join(parent, 'run-'));
  const rules = ['THING-A', 'THING-B', 'THING-C'].map((id) => ({
    id,
    level: id === 'THING-C' ? 'SHOULD' : 'MUST',
    area: 'things',
    section: 'Things',
    statement: `Statement of ${id}.`,
    needs: [],
  }));
  const target = {
    name: 'child',
    baseUrl: 'http://127.0.0.1:1/v',
    brand: 'Service',
    embedded: false,
    capabilities: [],
    preparation: 'none',
  };
  const named = Object.values(files).flatMap((tests) => tests.flatMap((test) => test.rules));
  const config = `
    import { defineConfig } from '@playwright/test';
    const named = ${JSON.stringify(named)};
    const options = {
      rules: ${JSON.stringify(rules)},
      questions: [],
      coverageOf: (rule) => (named.includes(rule) ? 'check' : 'nothing'),
    };
    export default defineConfig({
      testDir: '.', workers: 1, fullyParallel: true, outputDir: 'results',
      reporter: [['dot'], [${JSON.stringify(reporter)}, options]],
      metadata: { assay: ${JSON.stringify({ target, ...assay })} },
      ${extra}
    });`;
  writeFileSync(join(dir, 'playwright.config.ts'), config);
  for (const [name, tests] of Object.entries(files)) {
    writeFileSync(
      join(dir, name),
      `import { test } from '@playwright/test';\n${tests.map(sourceOf).join('\n')}`,
    );
  }
  return { dir, reports: join(dir, 'out') };
}

function sourceOf(test: ChildTest): string {
  const empty: Journal = {
    version: 1,
    rules: test.rules,
    seen: {},
    checks: [],
    findings: [],
    observations: [],
    exchanges: [],
  };
  const body = JSON.stringify(JSON.stringify({ ...empty, ...test.journal }));
  const attach =
    test.as === 'path'
      ? `const file = info.outputPath('journal.json'); (await import('node:fs')).writeFileSync(file, ${body});
         await info.attach('assay-journal', { path: file, contentType: 'application/json' });`
      : `await info.attach('assay-journal', { body: ${body}, contentType: 'application/json' });`;
  return `test(${JSON.stringify(test.title)}, { tag: ${JSON.stringify(test.rules.map((rule) => `@${rule}`))} },
    async ({}, info) => { ${test.journal ? attach : ''} ${test.body ?? ''} });`;
}

/** Runs Playwright in the project; with `interruptAfter`, sends SIGINT when that text appears on stdout. */
export async function runChild(
  project: ChildProject,
  args: readonly string[] = ['test'],
  options: { readonly interruptAfter?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<ChildResult> {
  const env: NodeJS.ProcessEnv = { ...process.env };
  // A runner inside a runner must not take over what the outer one set for its workers.
  for (const name of Object.keys(env)) {
    if (/^(TEST_WORKER_INDEX|TEST_PARALLEL_INDEX|FORCE_COLOR|DEBUG_COLORS|PLAYWRIGHT_|PW_)/.test(name))
      delete env[name];
  }
  delete env['BASELINE'];
  delete env['ACCEPTED'];
  Object.assign(env, { REPORT_DIR: project.reports }, options.env);
  const child = spawn(process.execPath, [cli, ...args, ...(args[0] === 'test' ? ['-c', '.'] : [])], {
    cwd: project.dir,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  let interrupted = false;
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    if (!interrupted && options.interruptAfter !== undefined && stdout.includes(options.interruptAfter)) {
      interrupted = true;
      child.kill('SIGINT');
    }
  });
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const file = join(project.reports, 'conformance.json');
  if (!existsSync(file)) return { code, stdout, stderr, report: undefined as unknown as ConformanceReport };
  return { code, stdout, stderr, report: JSON.parse(readFileSync(file, 'utf8')) as ConformanceReport };
}

export const passed = (rule: string) => ({ rule, outcome: 'passed' as const, exchanges: [] });
export const failed = (rule: string) => ({
  rule,
  outcome: 'failed' as const,
  reason: 'seen 2',
  exchanges: [],
});
export const finding = (rule: string, known?: string) => ({
  rule,
  place: rule,
  message: 'expected 1, seen 2',
  exchanges: [],
  ...(known === undefined ? {} : { known }),
});
