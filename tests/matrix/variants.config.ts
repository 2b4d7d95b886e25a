import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { sandboxServer } from '../../suite/sandbox-server.ts';

/**
 * False alarms: the whole suite against the sandbox with seeded differences in everything that the interface leaves open.
 * All must be green. `SEEDS=<first>-<last>` chooses the worlds; default 1-4.
 */
const root = join(import.meta.dirname, '../..');
const [first = 1, last = 4] = (process.env['SEEDS'] ?? '1-4').split('-').map(Number);

export default defineConfig({
  testDir: join(root, 'specs'),
  testMatch: '**/*.spec.ts',
  outputDir: join(root, 'test-results/variants'),
  fullyParallel: true,
  workers: Number(process.env['WORKERS'] ?? 2),
  // As in a run of the suite: what may be trouble of the moment is judged when it comes again.
  retries: 1,
  timeout: 60_000,
  reporter: [['dot']],
  webServer: { ...sandboxServer, cwd: root },
  projects: Array.from({ length: last - first + 1 }, (_, index) => ({
    name: `variant ${first + index}`,
    use: { world: `variant.${first + index}` } as object,
  })),
});
