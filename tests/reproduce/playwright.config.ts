import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { faults } from '../../sandbox/faults/index.ts';
import { sandboxServer } from '../../suite/embedded-sandbox.ts';

/**
 * Reproducers, held to what they promise: the suite against the sandbox with one planted fault at a time, and then every
 * script that the report would hold. On the broken world it must see the breach again, on the right one it must not.
 *
 * - `FAULTS=<regular expression>`: only the faults whose name or rule matches.
 */
const root = join(import.meta.dirname, '../..');
const pattern = new RegExp(process.env['FAULTS'] ?? '');
const chosen = faults.filter((fault) => pattern.test(`${fault.name} ${fault.breaks}`));
if (chosen.length === 0) {
  console.error(
    `FAULTS=${process.env['FAULTS']} matches no fault: npm run sandbox -- --list-faults lists them.`,
  );
  process.exit(2);
}
process.env['ASSAY_QUIET_FINDINGS'] = '1';

export default defineConfig({
  testDir: join(root, 'specs'),
  testMatch: '**/*.spec.ts',
  outputDir: join(root, 'test-results/reproduce'),
  fullyParallel: true,
  workers: Number(process.env['WORKERS'] ?? 2),
  retries: 0,
  timeout: 60_000,
  reporter: [['./reporter.ts']],
  webServer: { ...sandboxServer, cwd: root },
  projects: chosen.map((fault) => ({
    name: fault.name,
    use: { world: `fault.${fault.name}` } as object,
    grep: new RegExp(`@${fault.breaks}(?![A-Z0-9-])`),
  })),
});
