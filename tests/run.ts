import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ConformanceReport } from '../reports/verdicts/model.ts';
import { DAILY, root, runNode, scratch } from './support/run-assay.ts';

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

/**
 * Steps that run one after another, beside those of the other rows: most of them wait at times, for a target or for their last
 * process, and two cores have work all the same. What takes longest begins first.
 */
const rows: readonly (readonly Step[])[] = [
  [
    {
      name: 'unit tests',
      args: tests('playwright.config.ts', '--reporter', process.env['CI'] ? 'dot,json' : 'list,json'),
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: unitResults },
      count: countUnitTests,
    },
    {
      name: 'conformance of the sandbox',
      args: [playwright, 'test'],
      env: { REPORT_DIR: reports },
      count: countConformance,
    },
    {
      name: 'answers of that run, in the document of the sandbox',
      args: ['start.js', 'docs/answers/main.ts', '--check', join(reports, 'exchanges.ndjson')],
    },
  ],
  [
    {
      // Some of the hostile targets and one key of the dialect; `npm run hostile` and `npm run dialects` play all.
      name: 'hostile targets, and another dialect',
      args: tests('many-runs.config.ts', '--grep', DAILY.tag, '--reporter', 'line', '--workers', '1'),
    },
    {
      // On a part of the suite, and all that the workflow says; `npm run nights` plays whole nights.
      name: 'nights, in short',
      args: tests(
        ...['many-runs.config.ts', '--reporter', 'line', '--project', 'nights', '--workers', '1'],
        ...['--grep-invert', 'whole suite'],
      ),
    },
  ],
  [
    { name: 'type check', args: ['node_modules/@typescript/native/bin/tsc', '--noEmit'] },
    { name: 'lint', args: ['node_modules/eslint/bin/eslint.js', '.'] },
    {
      name: 'format',
      args: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
    },
    // Other faults each day; `npm run matrix` plants them all.
    { name: 'planted faults of the day', args: proof('matrix', '--sample', '30') },
    // Another world each day, beside what the faults have shown of the default one; `npm run variants` tries them all.
    { name: 'legal differences of the day', args: proof('variants', '--sample', '1') },
  ],
];

rmSync(join(reports, 'conformance.json'), { force: true });
const total = { passed: 0, failed: 0, skipped: 0 };
await Promise.all(
  rows.map(async (row) => {
    for (const step of row) await play(step);
  }),
);
rmSync(folder, { recursive: true, force: true });
console.log('\nLeft to the nightly list (npm run nights):');
for (const title of nightly()) console.log(`  ${title}`);
console.log('All hostile targets: npm run hostile. All keys of the dialect: npm run dialects.');
console.log(
  `\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
);
process.exitCode = total.failed > 0 ? 1 : 0;

/** Shows what a step said when it has ended. */
async function play({ name, args, env, count }: Step): Promise<void> {
  const started = performance.now();
  console.log(`${name} …`);
  const ci: Record<string, string> = process.env['CI'] ? { CI: process.env['CI'] } : {};
  const { code, output } = await runNode(args, { ...ci, ...env });
  console.log(`\n── ${name}\n${output.trimEnd()}`);
  const took = `${((performance.now() - started) / 1_000).toFixed(1)} s`;
  console.log(`${code === 0 ? 'ok' : `FAILED (exit code ${code})`}: ${name}, ${took}`);
  const counts = count?.() ?? NONE;
  total.passed += counts.passed + (code === 0 ? 1 : 0);
  total.failed += counts.failed + (code === 0 ? 0 : 1);
  total.skipped += counts.skipped;
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
