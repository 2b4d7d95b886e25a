/** Runs real Playwright processes on small throw-away projects, to see exit codes and files as a user does. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Journal } from '../../journal/types.ts';
import type { AssayMetadata } from '../../reports/build-report.ts';
import type { ConformanceReport } from '../../reports/model.ts';
import type { Rule } from '../../schemas/rules.ts';
import { childEnvironment, PLAYWRIGHT, root, scratch } from '../support/run-assay.ts';
import type { Group, Judged } from './several-runs.ts';

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

const RULES: readonly Rule[] = ['THING-A', 'THING-B', 'THING-C'].map((id) => ({
  id,
  level: id === 'THING-C' ? 'SHOULD' : 'MUST',
  area: 'things',
  section: 'Things',
  statement: `Statement of ${id}.`,
  needs: [],
}));
const TARGET: AssayMetadata['target'] = {
  name: 'child',
  baseUrl: 'http://127.0.0.1:1/v',
  brand: 'Service',
  embedded: false,
  capabilities: [],
  preparation: 'none',
};

/** Writes a Playwright project with one file for each group of tests. */
export function childProject(
  files: Readonly<Record<string, readonly ChildTest[]>>,
  assay: Record<string, unknown> = {},
  extra = '',
): ChildProject {
  const dir = scratch('run');
  const named = Object.values(files).flatMap((tests) => tests.flatMap((test) => test.rules));
  const config = `
    import { defineConfig } from '@playwright/test';
    const named = ${JSON.stringify(named)};
    const options = {
      rules: ${JSON.stringify(RULES)},
      questions: [],
      coverageOf: (rule) => (named.includes(rule) ? 'check' : 'nothing'),
    };
    export default defineConfig({
      testDir: '.', workers: 1, fullyParallel: true, outputDir: 'results',
      reporter: [['dot'], [${JSON.stringify(reporter)}, options]],
      metadata: { assay: ${JSON.stringify({ target: TARGET, ...assay })} },
      ${extra}
    });`;
  writeFileSync(join(dir, 'playwright.config.ts'), config);
  for (const [name, tests] of Object.entries(files)) writeTests(join(dir, name), tests);
  return { dir, reports: join(dir, 'out') };
}

function writeTests(file: string, tests: readonly ChildTest[], first = ''): void {
  writeFileSync(file, `import { test } from '@playwright/test';\n${first}${tests.map(sourceOf).join('\n')}`);
}

/** A run of its own for the reporter, though Playwright runs it with others. */
export interface ChildGroup {
  readonly tests: readonly ChildTest[];
  readonly assay?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly retries?: number;
  /** The earlier group that its reports follow, in the same folder. */
  readonly after?: string;
}

/** What became of a group: `stdout` is what the reporter printed, `code` what it asked the process to end with. */
export type GroupResult = Omit<ChildResult, 'stderr'> & Pick<ChildProject, 'reports'>;

/**
 * Runs many groups of tests in one Playwright process, each in a file `<name>.spec.ts`, and has each judged by a reporter
 * of its own: a process for each would take two seconds.
 */
export async function runGroups<Name extends string>(
  groups: Readonly<Record<Name, ChildGroup>>,
): Promise<Readonly<Record<Name, GroupResult>>> {
  const dir = scratch('run');
  const all = Object.entries<ChildGroup>(groups).map(
    ([name, { tests, assay, env = {}, retries = 0, after }]): Group => {
      writeTests(join(dir, `${name}.spec.ts`), tests, `test.describe.configure({ retries: ${retries} });\n`);
      return {
        name,
        rules: RULES,
        named: tests.flatMap((test) => test.rules),
        assay: { target: TARGET, ...assay },
        env: { ...env, REPORT_DIR: join(dir, 'out', after ?? name) },
      };
    },
  );
  const results = join(dir, 'groups.json');
  writeFileSync(
    join(dir, 'playwright.config.ts'),
    `export default {
      testDir: '.', workers: 1, fullyParallel: true, outputDir: 'results',
      reporter: [[${JSON.stringify(join(import.meta.dirname, 'several-runs.ts'))}, ${JSON.stringify({ groups: all, results })}]],
    };`,
  );
  await runChild({ dir, reports: join(dir, 'out') });
  return JSON.parse(readFileSync(results, 'utf8')) as Record<Name, Judged>;
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
  options: { readonly interruptAfter?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<ChildResult> {
  const env = childEnvironment({ REPORT_DIR: project.reports, ...options.env });
  const child = spawn(process.execPath, [PLAYWRIGHT, ...args, ...(args[0] === 'test' ? ['-c', '.'] : [])], {
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

export const good: ChildTest = {
  title: 'a good one',
  rules: ['THING-A'],
  journal: { checks: [passed('THING-A')] },
};
export const alsoGood: ChildTest = {
  title: 'another good one',
  rules: ['THING-B'],
  journal: { checks: [passed('THING-B')] },
};
export const bad: ChildTest = {
  title: 'a bad one',
  rules: ['THING-B'],
  journal: { checks: [failed('THING-B')], findings: [finding('THING-B')] },
  body: "throw new Error('expected 1, seen 2');",
};
