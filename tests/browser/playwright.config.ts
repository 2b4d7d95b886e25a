import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const USUAL = '/usr/bin/chromium';

/** The Chromium of this machine: that of the variable CHROMIUM, or the one where packages put it. None is downloaded. */
export const chromiumPath = (): string => process.env['CHROMIUM'] || USUAL;

// A run that was asked for must not pass unseen.
if (!existsSync(chromiumPath())) {
  console.error(
    process.env['CHROMIUM']
      ? `The browser run needs Chromium, and CHROMIUM names ${chromiumPath()}, which does not exist.`
      : `The browser run needs Chromium, and there is none at ${USUAL}: install it (apt install chromium), or set CHROMIUM to its path.`,
  );
  process.exit(2);
}

/** Passkeys in a real browser against the sandbox. Optional, so that nothing else needs a browser: `npm run browser`. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  workers: 1,
  retries: 0,
  timeout: 120_000,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list', { printSteps: false }]],
  outputDir: '../../test-results/browser',
});
