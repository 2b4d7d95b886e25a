import { defineConfig } from '@playwright/test';

/** Passkeys in a real browser against the sandbox. Optional, so that nothing else needs a browser: `npm run browser`. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  globalSetup: './chromium.ts',
  workers: 1,
  retries: 0,
  timeout: 120_000,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list', { printSteps: false }]],
  outputDir: '../../test-results/browser',
});
