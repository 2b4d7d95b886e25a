import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import type { Fault } from '../../sandbox/faults/fault.ts';
import { faults } from '../../sandbox/faults/index.ts';
import { sandboxServer } from '../../suite/sandbox-server.ts';
import { nearest } from '../../target/nearest.ts';

/**
 * The kill matrix: the suite against the sandbox with one planted fault at a time, each in a world of its own. A fault is
 * caught when the check of its own rule names it, and is cleanly blamed when no other rule is named.
 *
 * - `MATRIX=rule` (default): only the tests that name the fault's rule.
 * - `MATRIX=full`: the whole suite for every fault, which shows wrong accusations too.
 * - `FAULTS=<regular expression>`: only the faults whose name or rule matches.
 */
const root = join(import.meta.dirname, '../..');
const full = process.env['MATRIX'] === 'full';
const chosen = chosenFaults(process.env['FAULTS'] ?? '');
process.env['ASSAY_QUIET_FINDINGS'] = '1';

export default defineConfig({
  testDir: join(root, 'specs'),
  testMatch: '**/*.spec.ts',
  outputDir: join(root, 'test-results/matrix'),
  fullyParallel: true,
  workers: Number(process.env['WORKERS'] ?? 2),
  retries: 0,
  timeout: 60_000,
  reporter: [['./reporter.ts', { full }]],
  webServer: { ...sandboxServer, cwd: root },
  projects: chosen.map((fault) => ({
    name: fault.name,
    use: { world: `fault.${fault.name}` } as object,
    ...(full ? {} : { grep: new RegExp(`@${fault.breaks}(?![A-Z0-9-])`) }),
  })),
});

/** Nothing planted is nothing caught: that must not look like a good matrix. */
function chosenFaults(pattern: string): readonly Fault[] {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern);
  } catch {
    return stop(`FAULTS is not a regular expression: "${pattern}".`);
  }
  const found = faults.filter((fault) => expression.test(`${fault.name} ${fault.breaks}`));
  if (found.length > 0) return found;
  const guess = nearest(pattern, [...faults.map(({ name }) => name), ...faults.map(({ breaks }) => breaks)]);
  return stop(
    `FAULTS=${pattern} matches no fault${guess ? `; did you mean ${guess}?` : ': npm run sandbox -- --list-faults lists them.'}`,
  );
}

function stop(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}
