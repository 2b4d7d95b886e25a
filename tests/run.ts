import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
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

/** Tests of a configuration below tests/. */
const tests = (config: string, ...args: readonly string[]) => [
  ...[playwright, 'test', '--config', join('tests', config), ...args],
];
const proof = (command: string, ...args: readonly string[]) => [
  'start.js',
  `proof/${command}/main.ts`,
  ...args,
];

/** Steps that use one core each run at once, those that use all of them alone. */
const groups: readonly (readonly Step[])[] = [
  [
    { name: 'lint', args: ['node_modules/eslint/bin/eslint.js', '.'] },
    { name: 'type check', args: ['node_modules/@typescript/native/bin/tsc', '--noEmit'] },
    {
      name: 'format',
      args: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
    },
  ],
  [
    {
      name: 'unit tests',
      args: tests('playwright.config.ts', '--reporter', process.env['CI'] ? 'dot,json' : 'list,json'),
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: unitResults },
      count: countUnitTests,
    },
  ],
  [
    {
      // The quick part of the table; `npm run hostile` runs all of it.
      name: 'hostile targets',
      args: tests(
        ...['many-runs.config.ts', '--project', 'hostile', '--reporter', 'line', '--workers', '1', '-g'],
        'to everything: (404|500|401) in JSON|to everything: (503|200) as a page|each 25th|a restart of five|each time, a 500 for a second|single answers|nobody listens there',
      ),
    },
    {
      // On a part of the suite, and all that the workflow says; `npm run nights` plays whole nights.
      name: 'nights, in short',
      args: tests(
        ...['ci/playwright.config.ts', '--reporter', 'line', '--project', 'nights', '--workers', '1'],
        ...['--grep-invert', 'whole suite'],
      ),
    },
    {
      // One key of the dialect, and that each has its row; `npm run dialects` walks them all.
      name: 'another dialect',
      args: tests(
        ...['many-runs.config.ts', '--project', 'dialect', '--reporter', 'line', '--workers', '1', '-g'],
        'agentToken: |every key',
      ),
    },
  ],
  // Other faults each day; `npm run matrix` plants them all.
  [{ name: 'planted faults of the day', args: proof('matrix', '--sample', '30') }],
  // Another world each day; `npm run variants` tries them all.
  [{ name: 'legal differences of the day', args: proof('variants', '--sample', '1') }],
  [
    {
      name: 'conformance of the sandbox',
      args: [playwright, 'test'],
      env: { REPORT_DIR: reports },
      count: countConformance,
    },
  ],
  [
    {
      name: 'answers of that run, in the document of the sandbox',
      args: ['start.js', 'docs/examples/answers.ts', '--check', join(reports, 'exchanges.ndjson')],
    },
  ],
];

rmSync(join(reports, 'conformance.json'), { force: true });
const total = { passed: 0, failed: 0, skipped: 0 };
for (const group of groups) await Promise.all(group.map((step) => play(step, group.length === 1)));
rmSync(folder, { recursive: true, force: true });
console.log('\nLeft to the nightly list (npm run nights):');
for (const title of nightly()) console.log(`  ${title}`);
console.log('All hostile targets: npm run hostile. All keys of the dialect: npm run dialects.');
console.log(
  `\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
);
process.exitCode = total.failed > 0 ? 1 : 0;

/** @param isAlone shows what the step says while it says it, and not at its end */
async function play(step: Step, isAlone: boolean): Promise<void> {
  if (isAlone) console.log(`\n── ${step.name}`);
  const started = performance.now();
  const { code, output } = await run(step, isAlone);
  if (!isAlone) console.log(`\n── ${step.name}\n${output.trimEnd()}`);
  const took = `${((performance.now() - started) / 1_000).toFixed(1)} s`;
  console.log(`${code === 0 ? 'ok' : `FAILED (exit code ${code})`}: ${step.name}, ${took}`);
  const counts = step.count?.() ?? NONE;
  total.passed += counts.passed + (code === 0 ? 1 : 0);
  total.failed += counts.failed + (code === 0 ? 0 : 1);
  total.skipped += counts.skipped;
}

async function run({ args, env = {} }: Step, isAlone: boolean) {
  const ci: Record<string, string> = process.env['CI'] ? { CI: process.env['CI'] } : {};
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: childEnvironment({ ...ci, ...env }),
    stdio: isAlone ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number>((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', (ended) => resolve(ended ?? 1));
  });
  return { code, output };
}

/** Titles of the unit tests that take long, and are marked so. */
function nightly(): readonly string[] {
  return readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => [
      ...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(
        /test\(\s*(?:'([^']+)'|"([^"]+)"),\s*NIGHTLY/g,
      ),
    ])
    .map(([, one, other]) => one ?? other ?? '');
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
  const { tests: ran } = (JSON.parse(readFileSync(file, 'utf8')) as ConformanceReport).run;
  return { passed: ran.passed, failed: ran.failed + ran.didNotRun, skipped: ran.skipped };
}
