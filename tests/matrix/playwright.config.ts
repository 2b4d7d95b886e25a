import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { faults } from '../../sandbox/faults/index.ts';
import { sandboxServer } from '../../suite/sandbox-server.ts';

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
const chosen = new RegExp(process.env['FAULTS'] ?? '');
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
  projects: faults
    .filter((fault) => chosen.test(`${fault.name} ${fault.breaks}`))
    .map((fault) => ({
      name: fault.name,
      use: { world: `fault.${fault.name}` } as object,
      ...(full ? {} : { grep: new RegExp(`@${fault.breaks}(?![A-Z0-9-])`) }),
    })),
});
