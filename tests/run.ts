import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ConformanceReport } from '../reports/verdicts/model.ts';
import { childEnvironment, root, scratch } from './support/run-assay.ts';

/**
 * What `npm test` runs: every step, even when an earlier one fails. The last line says how many unit tests, conformance
 * tests and steps passed and failed.
 */

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface Step {
  readonly name: string;
  /** Arguments of Node. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Tests within the step; the step itself counts as one more. */
  readonly count?: () => Counts;
}

const NONE: Counts = { passed: 0, failed: 0, skipped: 0 };
const folder = scratch('npm-test');
const unitResults = join(folder, 'unit.json');
const reports = join(root, 'reports/out');
const playwright = 'node_modules/@playwright/test/cli.js';

const steps: readonly Step[] = [
  { name: 'type check', args: ['node_modules/@typescript/native/bin/tsc', '--noEmit'] },
  { name: 'format', args: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'] },
  { name: 'lint', args: ['node_modules/eslint/bin/eslint.js', '.'] },
  {
    name: 'unit tests',
    args: [
      playwright,
      'test',
      '--config',
      'tests/playwright.config.ts',
      '--reporter',
      process.env['CI'] ? 'dot,json' : 'list,json',
    ],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: unitResults },
    count: countUnitTests,
  },
  {
    // The quick part of the table; `npm run hostile` runs all of it.
    name: 'hostile targets',
    args: [
      playwright,
      'test',
      '--config',
      'tests/hostile/playwright.config.ts',
      '--reporter',
      'line',
      '-g',
      'to everything: (404|500|401) in JSON|to everything: (503|200) as a page|each 25th|a restart of five|each time, a 500 for a second|single answers',
    ],
  },
  {
    // One key of the dialect, and that each has its row; `npm run dialects` walks them all.
    name: 'another dialect',
    args: [
      playwright,
      'test',
      '--config',
      'tests/dialect/playwright.config.ts',
      '--reporter',
      'line',
      '-g',
      'agentToken: |every key',
    ],
  },
  {
    // On a part of the suite, and all that the workflow says; `npm run nights` plays whole nights.
    name: 'nights, in short',
    args: [
      playwright,
      'test',
      '--config',
      'tests/ci/playwright.config.ts',
      '--reporter',
      'line',
      '--workers',
      '2',
      '--grep-invert',
      'whole suite',
    ],
  },
  {
    // Other faults each day; `npm run matrix` plants them all.
    name: 'planted faults of the day',
    args: [...proof('matrix'), '--sample', '30'],
  },
  {
    // Another world each day; `npm run variants` tries them all.
    name: 'legal differences of the day',
    args: [...proof('variants'), '--sample', '1'],
  },
  {
    name: 'conformance of the sandbox',
    args: [playwright, 'test'],
    env: { REPORT_DIR: reports },
    count: countConformance,
  },
];

rmSync(join(reports, 'conformance.json'), { force: true });
const total = { passed: 0, failed: 0, skipped: 0 };
for (const step of steps) {
  console.log(`\n── ${step.name}`);
  const started = performance.now();
  const code = await run(step);
  const counts = step.count?.() ?? NONE;
  console.log(
    `${code === 0 ? 'ok' : `FAILED (exit code ${code})`}: ${step.name}, ${((performance.now() - started) / 1_000).toFixed(1)} s`,
  );
  total.passed += counts.passed + (code === 0 ? 1 : 0);
  total.failed += counts.failed + (code === 0 ? 0 : 1);
  total.skipped += counts.skipped;
}
rmSync(folder, { recursive: true, force: true });
console.log(
  `\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
);
process.exitCode = total.failed > 0 ? 1 : 0;

function proof(command: string): readonly string[] {
  return ['--disable-warning=ExperimentalWarning', '--import', 'tsx', `proof/${command}/main.ts`];
}

function run({ args, env = {} }: Step): Promise<number> {
  const ci: Record<string, string> = process.env['CI'] ? { CI: process.env['CI'] } : {};
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: childEnvironment({ ...ci, ...env }),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });
}

function countUnitTests(): Counts {
  if (!existsSync(unitResults)) return NONE;
  const { stats } = JSON.parse(readFileSync(unitResults, 'utf8')) as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  };
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
}

function countConformance(): Counts {
  const file = join(reports, 'conformance.json');
  if (!existsSync(file)) return NONE;
  const { tests } = (JSON.parse(readFileSync(file, 'utf8')) as ConformanceReport).run;
  return { passed: tests.passed, failed: tests.failed + tests.didNotRun, skipped: tests.skipped };
}
