/** Runs real Playwright processes on small throw-away projects, to see exit codes and files as a user does. */
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Journal } from '../../journal/types.ts';
import type { ConformanceReport } from '../../reports/verdicts/model.ts';
import { PLAYWRIGHT, reportIn, root, runCommand, scratch } from '../support/run-assay.ts';
import { check, finding, journal, rule, sampleInput } from './sample.ts';

/** A test of THING-A or THING-B. */
export interface ChildTest {
  readonly rule: string;
  readonly journal?: Partial<Journal>;
  /** Source of the rest of the test's body. */
  readonly body?: string;
}

interface ChildProject {
  readonly dir: string;
  readonly reports: string;
}

interface ChildResult {
  readonly code: number | null;
  readonly output: string;
  readonly report: ConformanceReport;
}

export const good: ChildTest = { rule: 'THING-A', journal: { checks: [check('passed')] } };
export const bad: ChildTest = {
  rule: 'THING-B',
  journal: { findings: [finding({ rule: 'THING-B' })] },
  body: "throw new Error('expected 1, got 2');",
};
/** Hangs until somebody interrupts it. */
export const slow: ChildTest = {
  rule: 'THING-B',
  body: "process.stdout.write('READY'); await new Promise(() => {});",
};

/** Writes a Playwright project with one file of tests for each name; reports go to Allure too. */
export function childProject(files: Readonly<Record<string, readonly ChildTest[]>>): ChildProject {
  const dir = scratch('run');
  const { target } = sampleInput({ defects: 0, rulesPerArea: 0 }).assay;
  const rules = [rule('THING-A'), rule('THING-B'), rule('THING-C', { level: 'SHOULD' })];
  const reporter = (name: string) => JSON.stringify(join(root, `reports/${name}.ts`));
  writeFileSync(
    join(dir, 'playwright.config.ts'),
    `export default {
      testDir: '.', workers: 1, fullyParallel: true, outputDir: 'results',
      reporter: [['dot'], [${reporter('allure')}], [${reporter('reporter')}, {
        rules: ${JSON.stringify(rules)},
        questions: [],
        coverageOf: (rule) => (rule === 'THING-C' ? 'nothing' : 'check'),
      }]],
      metadata: { assay: ${JSON.stringify({ target: { ...target, embedded: true } })} },
    };`,
  );
  for (const [name, tests] of Object.entries(files))
    writeFileSync(
      join(dir, name),
      `import { test } from '@playwright/test';\n${tests.map(sourceOf).join('\n')}`,
    );
  return { dir, reports: join(dir, 'out') };
}

function sourceOf({ rule: id, journal: left, body = '' }: ChildTest, of: number): string {
  const text = JSON.stringify(JSON.stringify(journal({ rules: [id], ...left })));
  const attach = `await info.attach('assay-journal', { body: ${text}, contentType: 'application/json' });`;
  return `test('${of} ${id}', { tag: '@${id}' }, async ({}, info) => { ${left ? attach : ''} ${body} });`;
}

/** Runs Playwright in the project; with `interruptAfter`, sends SIGINT when that text appears on stdout. */
export async function runChild(
  project: ChildProject,
  args: readonly string[] = [],
  options: { readonly interruptAfter?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<ChildResult> {
  const command = args[0] === 'merge-reports' ? args : ['test', '-c', '.', ...args];
  const { interruptAfter, env } = options;
  let child: ChildProcess | undefined;
  let isInterrupted = false;
  const { code, output } = await runCommand(
    [process.execPath, PLAYWRIGHT, ...command],
    { REPORT_DIR: project.reports, ...env },
    {
      cwd: project.dir,
      started: (one) => void (child = one),
      heard: (said) => {
        if (interruptAfter === undefined || isInterrupted || !said.includes(interruptAfter)) return;
        isInterrupted = true;
        child?.kill('SIGINT');
      },
    },
  );
  return { code, output, report: reportIn(project.reports) as ConformanceReport };
}
